import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { FakeConfig } from "../support/fake-routeros-config.ts";
import { FakeRouteros } from "../support/fake-routeros.ts";
import { exporting, type ExportsOptions } from "../support/router-config.ts";
import { CommandLine, smallIsp } from "./harness.ts";

/* The configuration of a router is kept and read by the command, from a router that exports it. */

let cli: CommandLine;
let router: FakeRouteros;
const options: ExportsOptions = { text: "" };
beforeEach(async () => {
  cli = new CommandLine();
  const config = new FakeConfig();
  exporting(config, options);
  router = await FakeRouteros.start({ config, policy: ["api", "read", "write"] });
  const api = { host: "127.0.0.1", port: router.port, username: "admin", password: "secret" };
  await cli.import({
    ...smallIsp(),
    nas: [
      { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "testing123", routeros: api },
      { id: 2, isp_id: 1, name: "edge", address: "127.0.0.2", secret: "testing123" },
    ],
  });
});
afterEach(async () => {
  cli[Symbol.dispose]();
  await router[Symbol.asyncDispose]();
});

const text = (name: string) => `# 2026-11-22 by RouterOS 7.16.1\r\n/system identity\r\nset name=${name}\r\n`;

test("save, list, show, diff and download", async () => {
  options.text = text("core");
  expect((await cli.run("nas config core diff")).stderr).toContain("no configuration of core was kept yet");
  expect((await cli.run("nas config core save")).stdout).toStartWith(
    "It was kept: something is not as it was: copy 1,",
  );
  expect((await cli.run("nas config core save")).stdout).toStartWith(
    "Nothing was changed since the last copy: copy 1,",
  );
  options.text = text("tower");
  await cli.run("nas config core save");
  const listed = JSON.parse((await cli.run("nas config core list --json")).stdout);
  expect(listed).toMatchObject([
    { id: 2, source: "export", version: "7.16.1", partial: false },
    { id: 1, source: "export" },
  ]);
  expect((await cli.run("nas config core list")).stdout).toContain("its export");
  expect((await cli.run("nas config core diff")).stdout).toContain(
    "  Changed: Name of the router (/system/identity) name=tower: name from core to tower\n",
  );
  expect((await cli.run("nas config core show 1")).stdout).toBe(text("core").replaceAll("\r", ""));
  const file = join(cli.folder, "kept.rsc");
  expect((await cli.run(`nas config core download --out ${file}`)).stdout).toContain(
    `wrote ${file}. An export lacks`,
  );
  expect(readFileSync(file, "utf8")).toBe(text("tower").replaceAll("\r", ""));
  const auditLog = JSON.parse((await cli.run("audit --json")).stdout);
  expect(
    auditLog
      .map(({ action }: { action: string }) => action)
      .filter((one: string) => one.startsWith("nas.config")),
  ).toEqual(expect.arrayContaining(["nas.config_read", "nas.config_kept"]));
});

test("a router that does not export itself is read menu by menu, and what would help is said with what it opens", async () => {
  options.text = text("core");
  options.refuses = "not enough permissions (9)";
  const { stdout } = await cli.run("nas config core save");
  delete options.refuses;
  expect(stdout).toContain(
    "it was read menu by menu, because the router did not export it: not enough permissions (9)",
  );
  expect(stdout).toContain("gatehouse settings set config_ftp true");
  expect(stdout).toContain("reads, writes and removes every file of the router");
});

test("what is no work, no copy, and a router without an account are refused with what to do", async () => {
  expect((await cli.run("nas config core burn")).stderr).toContain(
    "burn is none of save, list, show, diff and download",
  );
  expect((await cli.run("nas config core show x")).stderr).toContain("x is no number of a copy");
  expect((await cli.run("nas config core show")).stderr).toContain(
    "keep one: gatehouse nas config core save",
  );
  expect((await cli.run("nas config edge save")).stderr).toContain(
    "edge has no account for its API; make one with: gatehouse nas setup",
  );
});
