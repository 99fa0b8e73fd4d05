import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program, shortLived } from "../support/appliance.ts";
import { makeStoreOf } from "../support/isp.ts";

const EXPORT = `# 2030-01-15 12:00:00 by RouterOS 7.16
/ppp profile
add name=home rate-limit=10M/20M
/ppp secret
add name=ann password=pw-ann-77 profile=home service=pppoe
add name=bob profile=home service=pppoe
add name=Ann password=pw-other profile=home service=pppoe disabled=yes
`;

/** The command as somebody types it, in a folder of its own. */
class Shell implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "gatehouse-migrate-test-"));
  readonly store = mkdtempSync(join(tmpdir(), "gatehouse-migrate-store-"));

  static async withIsp(isps = [{ id: 1, name: "North" }]): Promise<Shell> {
    const shell = new Shell();
    writeFileSync(join(shell.folder, "export.rsc"), EXPORT);
    await makeStoreOf({ isps }, shell.store);
    return shell;
  }

  async run(argv: readonly string[], stdin = "") {
    const child = Bun.spawn([program, ...argv], {
      cwd: this.folder,
      env: {
        ...shortLived,
        PATH: process.env["PATH"],
        TZ: "UTC",
        GATEHOUSE_DATA_DIR: this.store,
        NO_COLOR: "1",
      },
      stdin: new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code: await child.exited, stdout, stderr };
  }

  files(): string[] {
    return readdirSync(this.folder)
      .filter((name) => name !== "export.rsc")
      .sort();
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  mode(file: string): string {
    return (statSync(join(this.folder, file)).mode & 0o777).toString(8);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
    rmSync(this.store, { recursive: true });
  }
}

test("a dry run reports and writes nothing, the run writes files for their owner alone, and both say the same", async () => {
  using shell = await Shell.withIsp();
  const dry = await shell.run(["migrate", "routeros", "export.rsc", "--dry-run", "--expires", "2030-03-31"]);
  expect([dry.code, dry.stderr, shell.files()]).toEqual([0, "", []]);
  expect(dry.stdout).toMatch(/^subscribers +3 +2 +0 +0 +1$/m);
  expect(dry.stdout).toMatch(/^home +export\.rsc:3 +2 +10M\/20M, 1 month +not known$/m);
  expect(dry.stdout).toContain(
    "2 of 3 subscribers would be here; 1 would get new passwords; nothing was written",
  );
  const run = await shell.run(["migrate", "routeros", "export.rsc", "--expires", "2030-03-31"]);
  expect([run.code, run.stderr]).toEqual([0, ""]);
  expect(shell.files()).toEqual(["moved-report.csv", "new-passwords.csv", "routeros-import.json"]);
  for (const file of shell.files()) expect([file, shell.mode(file)]).toEqual([file, "600"]);
  expect(shell.read("new-passwords.csv")).toMatch(
    /^\uFEFFusername,name,phone,password\r\nbob,bob,,[a-z2-9-]{14}\r\n$/,
  );
  expect(run.stdout).toContain("gatehouse migrate --undo 1 takes it back");
  expect(run.stdout + shell.read("moved-report.csv")).not.toContain("pw-ann-77");
  const { subscribers } = JSON.parse(shell.read("routeros-import.json"));
  expect(subscribers).toMatchObject([
    {
      username: "ann",
      password: "pw-ann-77",
      current_expiration_date: "2030-03-31 23:59:59",
      nic_number: null,
    },
    { username: "bob" },
  ]);
});

test("what is the same of many is one line, and what is to be done next is said", async () => {
  using shell = await Shell.withIsp();
  const secrets = Array.from(
    { length: 60 },
    (_, row) => `add name=user${row} password=pw profile=home${row === 59 ? " disabled=yes" : ""}\n`,
  );
  writeFileSync(
    join(shell.folder, "export.rsc"),
    `/ppp profile\nadd name=home\n/ppp secret\n${secrets.join("")}`,
  );
  const migrate = (...options: string[]) =>
    shell.run(["migrate", "routeros", "export.rsc", "--expires", "2030-03-31", ...options]);
  const dry = await migrate("--dry-run");
  expect(dry.stdout).toMatch(/^export\.rsc:4 +user0, user1, user2 and 57 more +ends here on 2030-03-31/m);
  expect(dry.stdout.split("\n").filter((line) => line.includes("ends here on 2030"))).toHaveLength(1);
  expect(dry.stdout).toContain("then run the same without --dry-run");
  const { stdout } = await migrate();
  expect(stdout).toContain("\n- set the price of 1 package: gatehouse package set NAME --price 15.00\n");
  expect(stdout).toContain("\n- on the night: copy the source again, and run the same");
  expect((await migrate()).stdout).not.toContain("What to do next");
});

test("daloradius is freeradius by another name, also for what was moved before", async () => {
  using shell = await Shell.withIsp();
  writeFileSync(
    join(shell.folder, "radius.sql"),
    `CREATE TABLE \`radcheck\` (\n  \`id\` int,\n  \`username\` varchar(64),\n  \`attribute\` varchar(64),\n  \`op\` char(2),\n  \`value\` varchar(253)\n);
INSERT INTO \`radcheck\` VALUES (1,'ann','Cleartext-Password',':=','pw-ann');\n-- Dump completed on 2030-01-01\n`,
  );
  const moved = async (source: string) => {
    const { stdout } = await shell.run(["migrate", source, "radius.sql", "--json"]);
    return JSON.parse(stdout);
  };
  expect(await moved("daloradius")).toMatchObject({
    source: "freeradius",
    counts: { subscribers: { new: 1 } },
  });
  expect(await moved("freeradius")).toMatchObject({ counts: { subscribers: { new: 0, same: 1 } } });
});

test("a second run from standard input keeps the files of the first, and --json says everything", async () => {
  using shell = await Shell.withIsp();
  await shell.run(["migrate", "routeros", "export.rsc"]);
  const before = shell.files().map((file) => [file, shell.read(file)] as const);
  expect(before).toHaveLength(3);
  const grown = `${EXPORT}add name=cat profile=home service=pppoe\n`;
  const { code, stdout } = await shell.run(["migrate", "routeros", "-", "--json"], grown);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    move_id: 2,
    counts: { subscribers: { found: 4, new: 1, same: 2, refused: 1 } },
    written: [
      { file: "routeros-import-2.json" },
      { file: "new-passwords-2.csv" },
      { file: "moved-report-2.csv" },
    ],
  });
  for (const [file, content] of before) expect(shell.read(file)).toBe(content);
  expect(shell.read("new-passwords-2.csv")).toContain("\r\ncat,cat,,");
});

test("a file that is not its own is not written over", async () => {
  using shell = await Shell.withIsp();
  writeFileSync(join(shell.folder, "new-passwords.csv"), "mine");
  expect((await shell.run(["migrate", "routeros", "export.rsc"])).code).toBe(0);
  expect(shell.read("new-passwords.csv")).toBe("mine");
  expect(shell.files()).toContain("new-passwords-2.csv");
});

test("what comes through a pipe is read like a file, and a device is none", async () => {
  using shell = await Shell.withIsp();
  const pipe = join(shell.folder, "pipe");
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  const writing = Bun.spawn(["sh", "-c", "cat export.rsc > pipe"], { cwd: shell.folder });
  const { code, stdout } = await shell.run(["migrate", "routeros", "pipe", "--dry-run"]);
  expect([code, await writing.exited]).toEqual([0, 0]);
  expect(stdout).toMatch(/^subscribers +3 +2 +0 +0 +1$/m);
  expect(await shell.run(["migrate", "routeros", "/dev/zero"])).toMatchObject({
    code: 1,
    stderr: "gatehouse: /dev/zero is no file; name a file, or pipe it in and write - for it\n",
  });
});

test("who is ended while standard input comes leaves nothing of it", async () => {
  using shell = await Shell.withIsp();
  using spool = new Shell();
  const child = Bun.spawn([program, "migrate", "routeros", "-"], {
    cwd: shell.folder,
    env: { ...shortLived, PATH: process.env["PATH"], GATEHOUSE_DATA_DIR: shell.store, TMPDIR: spool.folder },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  // more than a pipe holds, so that it is being read when this returns
  for (let line = 0; line < 1000; line++) {
    child.stdin.write(`# ${"x".repeat(1000)}\n`);
    await child.stdin.flush();
  }
  child.kill("SIGINT");
  await child.exited;
  expect([spool.files(), shell.files()]).toEqual([[], []]);
});

test("what was imported can be imported elsewhere", async () => {
  using shell = await Shell.withIsp();
  await shell.run(["migrate", "routeros", "export.rsc"]);
  using other = await Shell.withIsp();
  const { code, stdout } = await other.run(["import", "-"], shell.read("routeros-import.json"));
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^subscribers +2 +0 *$/m)]);
});

test("--undo archives what a move made, and --list says so", async () => {
  using shell = await Shell.withIsp();
  await shell.run(["migrate", "routeros", "export.rsc"]);
  const undone = await shell.run(["migrate", "--undo", "1"]);
  expect(undone).toMatchObject({
    code: 0,
    stdout: "archived 2, 0 stay; packages, routers and places stay too\n",
  });
  const listed = await shell.run(["migrate", "--list"]);
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(listed.stdout).toMatch(/^ *1 .* routeros +2 +0 +1 +20\d\d-/m);
  expect(JSON.parse((await shell.run(["migrate", "--list", "--json"])).stdout)).toMatchObject([
    { id: 1, isp_id: 1, source: "routeros", files: ["export.rsc"], subscribers: { new: 2, refused: 1 } },
  ]);
  expect(await shell.run(["migrate", "--undo", "1"])).toMatchObject({
    code: 1,
    stderr: "gatehouse: the move 1 was undone already\n",
  });
});

test.each<[string, string[], number, string | RegExp]>([
  ["no such source", ["nothing", "export.rsc"], 1, /^gatehouse: nothing is no source; there are .*routeros/],
  ["no file", ["routeros"], 2, "gatehouse: missing required argument 'files'; see --help\n"],
  [
    "a file that is not there",
    ["routeros", "gone.rsc"],
    1,
    "gatehouse: gone.rsc does not exist; check the path\n",
  ],
  ["a folder", ["routeros", "/tmp"], 1, "gatehouse: /tmp is a folder; name its files\n"],
  [
    "no such zone",
    ["routeros", "export.rsc", "--zone", "Mars"],
    1,
    "gatehouse: --zone Mars is no zone; name one such as Asia/Baghdad\n",
  ],
  [
    "no day",
    ["routeros", "export.rsc", "--expires", "soon"],
    1,
    /^gatehouse: --expires must be a day such as/,
  ],
  ["no such ISP", ["routeros", "export.rsc", "--isp", "9"], 1, /9/],
  ["no move", ["--undo", "7"], 1, "gatehouse: there is no move 7\n"],
])("%s is said in one line, and nothing is written", async (_, argv, code, stderr) => {
  using shell = await Shell.withIsp();
  const run = await shell.run(["migrate", ...argv]);
  expect([run.code, run.stdout, shell.files()]).toEqual([code, "", []]);
  expect(run.stderr).toMatch(stderr);
  expect(run.stderr.trim().split("\n")).toHaveLength(1);
});

test("without an ISP, and with two, it says how to name one", async () => {
  using none = new Shell();
  writeFileSync(join(none.folder, "export.rsc"), EXPORT);
  expect((await none.run(["migrate", "routeros", "export.rsc"])).stderr).toMatch(
    /^gatehouse: there is no database in .*gatehouse init/,
  );
  using two = await Shell.withIsp([
    { id: 1, name: "North" },
    { id: 2, name: "South" },
  ]);
  expect((await two.run(["migrate", "routeros", "export.rsc"])).stderr).toMatch(/^gatehouse: .*--isp/);
  expect((await two.run(["migrate", "routeros", "export.rsc", "--isp", "2"])).code).toBe(0);
});
