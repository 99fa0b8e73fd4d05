import { expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diskFolder } from "../support/disk.ts";

/** scripts/run in a checkout where everything is built and loaded; its `serve` prints where it would listen. */
function demo() {
  const root = mkdtempSync(join(diskFolder(), "gatehouse-run-"));
  for (const folder of ["scripts", "dist", "data", "src", "db", "node_modules"])
    mkdirSync(join(root, folder));
  cpSync(join(import.meta.dir, "../../scripts/run"), join(root, "scripts/run"));
  for (const file of [
    "data/gatehouse.db",
    "package.json",
    "bun.lock",
    "scripts/build",
    "scripts/notices.ts",
    "scripts/pack.ts",
    "scripts/start-order.txt",
  ])
    writeFileSync(join(root, file), "");
  const stub = (file: string, script: string) => {
    writeFileSync(join(root, file), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, file), 0o755);
  };
  stub("scripts/bun", "exit 0");
  stub(
    "dist/gatehouse",
    'echo "$GATEHOUSE_HTTP_LISTEN $GATEHOUSE_RADIUS_AUTH_LISTEN $GATEHOUSE_RADIUS_ACCT_LISTEN"',
  );
  const run = (env: Record<string, string>) => {
    const { stdout, stderr } = Bun.spawnSync([join(root, "scripts/run")], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
    });
    return { listens: stdout.toString().trim(), said: stderr.toString() };
  };
  return { run, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

test("the demo, whose Admin has a known password, listens for this machine alone unless it is told otherwise", () => {
  using box = demo();
  const alone = box.run({});
  expect(alone.listens).toBe("127.0.0.1:8080 127.0.0.1:1812 127.0.0.1:1813");
  expect(alone.said).toContain("API      http://127.0.0.1:8080 ");
  expect(alone.said).not.toContain("known to everybody");
  const open = box.run({ GATEHOUSE_HTTP_LISTEN: "0.0.0.0:8081" });
  expect(open.listens).toBe("0.0.0.0:8081 127.0.0.1:1812 127.0.0.1:1813");
  expect(open.said).toContain("the passwords of the demo are known to everybody");
});
