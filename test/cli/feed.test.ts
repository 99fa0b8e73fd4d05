import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CommandLine, smallIsp } from "./harness.ts";

/* Shapers are added, listed, changed and removed by the command, which writes LibreQoS's files too. */

let cli: CommandLine;
beforeEach(async () => {
  cli = new CommandLine();
  const isp = smallIsp();
  await cli.import({
    ...isp,
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "testing123" }],
  });
});
afterEach(() => cli[Symbol.dispose]());

test("a shaper is added with its secret or one that is made, and changed, listed and removed", async () => {
  expect(await cli.run("feed add lq 10.0.0.20 --secret-stdin", { stdin: "hush-hush" })).toMatchObject({
    code: 0,
    stdout:
      "added lq at 10.0.0.20 port 1813: of all routers\nit is told of every open session within a minute, while the server runs\n",
  });
  expect((await cli.run("feed add two 10.0.0.21:18130 --router core")).stdout).toMatch(
    /^added two at 10\.0\.0\.21 port 18130: of the routers core\nsecret: [\w-]{24}\n/,
  );
  expect(await cli.json("feed list")).toMatchObject([
    { id: 1, name: "lq", address: "10.0.0.20", port: 1813, all_routers: 1, answered_at: null, waiting: 0 },
    { id: 2, name: "two", port: 18_130, all_routers: 0, routers: "core" },
  ]);
  expect((await cli.run("feed list")).stdout).toContain("not told yet");
  expect((await cli.run("feed set two --host 10.0.0.22 --all-routers --name three")).stdout).toBe(
    "three is at 10.0.0.22 port 18130: of all routers\n",
  );
  expect((await cli.run("feed disable three")).stdout).toBe("three is off\n");
  expect((await cli.run("feed list")).stdout).toMatch(/three +10\.0\.0\.22 +18130 +all +off since /);
  expect((await cli.run("feed enable three")).stdout).toBe("three is on\n");
  expect((await cli.run("feed remove three")).stdout).toStartWith("removed three; it ends what it shapes");
  expect((await cli.run("feed remove three")).stderr).toContain(
    "no shaper three is fed; see: gatehouse feed list",
  );
  expect((await cli.run("feed add lq 10.0.0.23 --secret-stdin", { stdin: "x" })).stderr).toContain(
    "is that of another shaper",
  );
  expect((await cli.run("feed add x shaper.example --secret-stdin", { stdin: "x" })).stderr).toContain(
    "must be an IP address such as 10.0.0.20",
  );
  const auditLog = JSON.stringify(await cli.json("audit"));
  expect(auditLog).toContain("feed.create");
  expect(auditLog).not.toContain("hush-hush");
});

test("the files are written where they are wanted", async () => {
  const out = join(cli.folder, "lq");
  const { code, stdout, stderr } = await cli.run(`feed files --out ${out}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toStartWith(`wrote ${out}/ShapedDevices.csv and ${out}/network.json:`);
  expect(readFileSync(join(out, "ShapedDevices.csv"), "utf8")).toStartWith(
    "Circuit ID,Circuit Name,Device ID",
  );
  expect(readFileSync(join(out, "network.json"), "utf8")).toBe("{}\n");
  expect((await cli.run("feed box B-1 1000/500")).stderr).toContain("no line hangs on a box B-1");
  expect((await cli.run("feed box B-1 fast")).stderr).toContain("write Mbit/s down/up as 1000/500, or none");
});
