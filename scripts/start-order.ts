import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/*
 * Writes scripts/start-order.txt: the functions that a start of dist/gatehouse runs, by their hashes. The build lays their bytecode side
 * by side, so that the system reads 6 MB of it in place of 16. One that is changed is laid with the others until this is run again,
 * which test/e2e/start-order.test.ts asks for when they are many.
 */

const program = join(import.meta.dir, "../dist/gatehouse");
const folder = mkdtempSync(join(tmpdir(), "gatehouse-order-"));
const seen = join(folder, "seen");
const env = {
  GATEHOUSE_DATA_DIR: join(folder, "data"),
  GATEHOUSE_HTTP_LISTEN: "127.0.0.1:0",
  GATEHOUSE_RADIUS_AUTH_LISTEN: "127.0.0.1:0",
  GATEHOUSE_RADIUS_ACCT_LISTEN: "127.0.0.1:0",
};
try {
  await Bun.spawn([program, "init"], { env, stdout: "ignore" }).exited;
  const server = Bun.spawn([program, "serve"], {
    env: { ...env, BUN_BYTECODE_ORDER_OUT: seen },
    stdout: "ignore",
  });
  await Bun.sleep(5000);
  server.kill();
  await server.exited;
  const functions = readFileSync(seen, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("F "));
  if (functions.length === 0) throw new Error(`${program} ran no function of its bytecode`);
  writeFileSync(join(import.meta.dir, "start-order.txt"), `v2\n${functions.sort().join("\n")}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
