import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { CommandLine } from "./harness.ts";

describe("usage", () => {
  const commands = [
    "serve",
    "init",
    "import",
    "export",
    "staff",
    "staff add",
    "staff list",
    "staff passwd",
    "staff set",
    "staff enable",
    "staff disable",
    "nas add",
    "nas list",
    "nas remove",
    "hotspot pages",
    "subscriber list",
    "subscriber show",
    "subscriber enable",
    "subscriber disable",
    "subscriber credit",
    "payment take",
    "payment list",
    "payment show",
    "payment reverse",
    "payment refund",
    "wallet entries",
    "wallet adjust",
    "invoice list",
    "invoice show",
    "closing list",
    "closing open",
    "closing confirm",
    "subscriber activate",
    "settings list",
    "settings get",
    "settings set",
    "audit",
    "sessions list",
    "version",
  ];
  test.each(commands)("%s --help prints its usage, even with a wrong configuration", async (command) => {
    using cli = new CommandLine();
    const { code, stdout, stderr } = await cli.run(`${command} --help`, { env: { GATEHOUSE_TYPO: "1" } });
    expect(code).toBe(0);
    expect(stdout).toStartWith(`Usage: gatehouse ${command} `);
    expect(stderr).toBe("");
  });

  test.each([
    ["zzzzzzzz", "gatehouse: unknown command 'zzzzzzzz'; see --help\n"],
    ["staff lst", "gatehouse: unknown command 'lst' (Did you mean list?); see --help\n"],
    ["staff list --jsn", "gatehouse: unknown option '--jsn' (Did you mean --json?); see --help\n"],
    ["settings get", "gatehouse: missing required argument 'key'; see --help\n"],
    [
      "settings get a b",
      "gatehouse: too many arguments for 'get'. Expected 1 argument but got 2: a, b; see --help\n",
    ],
  ])("%s is wrong usage", async (argv, stderr) => {
    using cli = new CommandLine();
    expect(await cli.run(argv)).toEqual({ code: 2, stdout: "", stderr });
  });

  test("a group without a command explains itself as wrong usage", async () => {
    using cli = new CommandLine();
    const { code, stdout, stderr } = await cli.run("staff");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toStartWith("Usage: gatehouse staff");
  });
});

describe("failures", () => {
  test("each wrong value of the environment is one line", async () => {
    using cli = new CommandLine();
    const env = { GATEHOUSE_HTTP_LISTEN: "80", GATEHOUSE_DTA_DIR: "/x" };
    const { code, stdout, stderr } = await cli.run("staff list", { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.split("\n").map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "gatehouse: GATEHOUSE_HTTP_LISTEN",
      "gatehouse: GATEHOUSE_DTA_DIR",
      "",
    ]);
  });

  test("without a store, commands say how to make one and create nothing", async () => {
    using cli = new CommandLine();
    const stderr = `gatehouse: there is no database in ${cli.data}; run: gatehouse init\n`;
    expect(await cli.run("settings list")).toEqual({ code: 1, stdout: "", stderr });
    expect(existsSync(cli.data)).toBe(false);
  });

  test("the stack of an error is for debugging only", async () => {
    using cli = new CommandLine();
    const plain = await cli.run("settings list");
    const debug = await cli.run("settings list", { env: { GATEHOUSE_LOG_LEVEL: "debug" } });
    expect(plain.stderr).not.toContain(" at ");
    expect(debug.stderr).toContain(" at ");
  });
});

test("version prints the version, the commit and the version of Bun", async () => {
  using cli = new CommandLine();
  expect(await cli.json("version")).toEqual({ version, commit: "unknown", bun: Bun.version });
  expect((await cli.run("version")).stdout).toBe(
    `gatehouse ${version}, commit unknown, Bun ${Bun.version}\n`,
  );
});

describe("init", () => {
  test("makes a private store with an Admin of the whole box, whose password is printed once", async () => {
    using cli = new CommandLine();
    const { code, stdout } = await cli.run("init");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^username: operator\npassword: \S{16}$/m);
    expect(stdout).toContain(
      "a browser, at http://ADDRESS:8080/console (hostname -I prints the address), or",
    );
    expect(statSync(cli.data).mode & 0o077).toBe(0);
    expect(statSync(join(cli.data, "secret.key")).mode & 0o077).toBe(0);
    expect(await cli.json("staff list")).toMatchObject([
      { username: "operator", profile_type: 1, isp_id: 0, branch_id: 0, status: 1 },
    ]);
  });

  test.each([
    ["127.0.0.1:8081", "http://127.0.0.1:8081/console,"],
    ["[::1]:8080", "http://[::1]:8080/console,"],
  ])("says where the console is that listens on %s", async (listen, place) => {
    using cli = new CommandLine();
    const { stdout } = await cli.run("init", { env: { GATEHOUSE_HTTP_LISTEN: listen } });
    expect(stdout).toContain(`in a browser, at ${place}`);
  });

  test.each(["--username=", "--username=a\tb", "--name="])(
    "init %s leaves nothing behind",
    async (option) => {
      using cli = new CommandLine();
      const { code, stderr } = await cli.run(`init ${option}`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^gatehouse: (user)?name /);
      expect(existsSync(cli.data)).toBe(false);
    },
  );

  test("refuses when there is an Admin", async () => {
    using cli = new CommandLine();
    await cli.run("init --username root");
    const { code, stdout, stderr } = await cli.run("init");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "gatehouse: there is an Admin already, root; for another password: gatehouse staff passwd root\n",
    );
  });
});
