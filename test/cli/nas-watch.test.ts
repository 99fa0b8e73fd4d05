import { afterEach, beforeEach, expect, test } from "bun:test";
import { FakeConfig } from "../support/fake-routeros-config.ts";
import { FakeRouteros } from "../support/fake-routeros.ts";
import { CommandLine, smallIsp } from "./harness.ts";

/* Routers are looked at by the command, with the account that a set-up made. */

let cli: CommandLine;
let config: FakeConfig;
let api: FakeRouteros;
beforeEach(async () => {
  cli = new CommandLine();
  config = new FakeConfig("7.21 (stable)");
  config.have("/ip/firewall/filter", { chain: "input", action: "drop", "in-interface-list": "!LAN" });
  config.commands["/radius/monitor"] = () => [["!re", "=bad-replies=0"], ["!done"]];
  api = await FakeRouteros.start({ config });
  const nas = [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "testing123" }];
  expect((await cli.import({ ...smallIsp(), nas })).code).toBe(0);
});
afterEach(async () => {
  cli[Symbol.dispose]();
  await api[Symbol.asyncDispose]();
});

const setUp = () =>
  cli.run(`nas setup core --password-stdin --api-port ${api.port} --server 10.0.0.254 --yes`, {
    stdin: "secret",
  });

test("a router without an account for its API is not looked at, and it is said how it gets one", async () => {
  const one = await cli.run("nas watch core");
  expect(one.code).toBe(1);
  expect(one.stderr).toContain("there is no account for the API of core; make one with: gatehouse nas setup");
  const all = await cli.run("nas watch");
  expect({ code: all.code, stdout: all.stdout }).toEqual({
    code: 0,
    stdout: "no router has an account for its API; make one with: gatehouse nas setup\n",
  });
});

test("one that is as it should be is said to be so; an error is named with its command, and ends with 1", async () => {
  await setUp();
  const good = await cli.run("nas watch");
  expect({ code: good.code, stderr: good.stderr }).toEqual({ code: 0, stderr: "" });
  expect(good.stdout).toContain("core (RouterOS 7.21): All that was looked at is as it should be.");

  config.have("/ppp/secret", { name: "sam", password: "x" }, { name: "office", password: "x" });
  const found = await cli.run("nas watch core");
  expect(found.code).toBe(1);
  expect(found.stdout).toContain("The PPP secret sam is the subscriber sam, since ");
  expect(found.stdout).toContain("  /ppp secret set [find name=sam] disabled=yes");
  expect(found.stdout).toContain("It has one PPP secret that nobody of ours has.");
  expect(found.stderr).toContain("errors at core; mend them on the router's page");
  const { stdout } = await cli.run("nas watch core --json");
  expect(JSON.parse(stdout)).toMatchObject({
    findings: [
      { router: "core", finding: "ppp_name", key: "sam", level: "error", mendable: true, hidden: null },
    ],
    readings: [{ router: "core", version: "7.21", failure: null, not_looked_at: [] }],
  });
  const check = await cli.run("check");
  expect(check.stdout).toContain("core: what is set there is not as it should be since ");
});

test("what it does not show is not said to be fine, and a router that is away is named", async () => {
  await setUp();
  api.faults = { "/ppp/secret/print": { kind: "trap", message: "not enough permissions (9)" } };
  const part = await cli.run("nas watch core");
  expect(part.stdout).toContain(
    "core: One thing was not looked at: core at /ppp/secret: not enough permissions (9)",
  );
  await api[Symbol.asyncDispose]();
  const away = await cli.run("nas watch");
  expect(away.code).toBe(1);
  expect(away.stderr).toContain("not looked at: core");
});
