import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFolder } from "../../../../src/domain/machine/imports/runs/run.ts";

const source = (path: string) =>
  JSON.stringify(import.meta.resolve(`../../../../src/domain/machine/imports/${path}`));

test("a disk that takes no more of what was told is an error of who keeps it, and no end of the process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-result-"));
  const id = crypto.randomUUID();
  mkdirSync(runFolder(folder, id), { recursive: true });
  const script = `
    import { keepResult } from ${source("runs/result.ts")};
    import { Notices } from ${source("notices.ts")};
    const notices = new Notices();
    for (let n = 0; n < 1000; n++) notices.add("note", null, "w".repeat(100), "t".repeat(400));
    try {
      const moved = { packages: [], subscribers: [] };
      await keepResult(${JSON.stringify(folder)}, ${JSON.stringify(id)}, { moved, report: {}, notices });
    } catch (error) {
      console.log("kept nothing", error.code);
    }`;
  // a page takes 52 kB, the file of all rows ten times as much
  const limited = `trap "" XFSZ; ulimit -f 64; exec "$0" -e "$1"`;
  const child = Bun.spawn(["bash", "-c", limited, process.execPath, script], {
    stdout: "pipe",
    stderr: "ignore",
  });
  expect(await new Response(child.stdout).text()).toBe("kept nothing EFBIG\n");
  rmSync(folder, { recursive: true });
});
