import { expect, test } from "bun:test";
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { Spool } from "../../src/cli/spool.ts";

test("what comes through a pipe and has no end is refused before the disk is full", async () => {
  const piece = Buffer.alloc(2 ** 20);
  let value = 0;
  const endless = async function* () {
    for (;;) {
      value += piece.length;
      yield piece;
    }
  };
  const { bavail, bsize } = statfsSync(tmpdir());
  const reserve = bavail * bsize - 40 * 2 ** 20;
  const io = { stdin: endless(), stdout: process.stdout, stderr: process.stderr };
  using spool = new Spool(io, { reserve });
  await expect(spool.open("-")).rejects.toThrow("does not end before the disk of");
  expect(value).toBeLessThan(2 ** 30);
});
