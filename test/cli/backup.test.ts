import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { holdFile } from "../../db/serving.ts";
import { removeTrials } from "../../src/domain/machine/backup/trial.ts";
import { addChecksum, removeChecksum } from "../../src/domain/machine/backup/checksum.ts";
import { CommandLine, smallIsp } from "./harness.ts";
import { program, shortLived } from "../support/appliance.ts";
import { runs } from "../support/runs.ts";

const freePorts = {
  GATEHOUSE_HTTP_LISTEN: "127.0.0.1:0",
  GATEHOUSE_RADIUS_AUTH_LISTEN: "127.0.0.1:0",
  GATEHOUSE_RADIUS_ACCT_LISTEN: "127.0.0.1:0",
};
const PASSPHRASE = "correct horse battery";

/** A shell with a small ISP, and where its backup goes. */
async function shellWithIsp() {
  const shell = new CommandLine();
  expect(await shell.import(smallIsp())).toMatchObject({ code: 0 });
  const file = join(shell.folder, "copy.db");
  return { shell, file, [Symbol.dispose]: () => shell[Symbol.dispose]() };
}

const backedUp = (shell: CommandLine, file: string, options = "") =>
  shell.run(`backup ${file}${options}`, { stdin: PASSPHRASE });

/** A command as a process of its own: this one keeps a store locked until it forgets the statements of a closed one. */
async function separately(shell: CommandLine, argv: string, stdin = "", data = shell.data) {
  const child = Bun.spawn([program, ...argv.split(" ")], {
    env: { ...shortLived, GATEHOUSE_DATA_DIR: data, ...freePorts },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}

/** What SQLite keeps beside an open database comes and goes, and so does the lock of a server. */
const lastingFiles = (shell: CommandLine) =>
  readdirSync(shell.data)
    .filter((name) => !/-(wal|shm)$|^serving.lock$/.test(name))
    .toSorted();

const usernames = async (shell: CommandLine) => {
  const { stdout } = await shell.run("export -");
  const data: { subscribers: { username: string }[] } = JSON.parse(stdout);
  return data.subscribers.map(({ username }) => username);
};

const onlyWarnings = async (shell: CommandLine) => {
  const found = await shell.run("check --json", { env: freePorts });
  expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: "" });
};

test("a backup that cannot be written says why and what to do", async () => {
  using isp = await shellWithIsp();
  const folder = join(isp.shell.folder, "missing");
  expect(await isp.shell.run(`backup ${folder}/copy.db`)).toMatchObject({
    code: 1,
    stderr: `gatehouse: ${folder} does not exist; check the path\n`,
  });
});

test("a backup is one file for its owner only, and says where the key is", async () => {
  using isp = await shellWithIsp();
  const { code, stdout, stderr } = await backedUp(isp.shell, isp.file);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(`the key is NOT in it: keep a copy of ${isp.shell.data}/secret.key`),
  });
  expect(stderr).toBe("");
  expect(statSync(isp.file).mode & 0o777).toBe(0o600);
  expect(readdirSync(isp.shell.folder).toSorted()).toEqual(["copy.db", "data"]);
  expect(readFileSync(isp.file).includes(readFileSync(join(isp.shell.data, "secret.key")))).toBe(false);
});

test("an existing file is not overwritten, and a folder that is not there is said", async () => {
  using isp = await shellWithIsp();
  writeFileSync(isp.file, "precious");
  expect(await backedUp(isp.shell, isp.file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("exists already"),
  });
  expect(readFileSync(isp.file, "utf8")).toBe("precious");
  expect(await backedUp(isp.shell, join(isp.shell.folder, "none", "copy.db"))).toMatchObject({ code: 1 });
});

test("restore brings back what the backup holds, and keeps what was there", async () => {
  using shell = new CommandLine();
  const file = join(shell.folder, "copy.db");
  const run = (argv: string, stdin?: string, data?: string) => separately(shell, argv, stdin, data);
  await run("import -", JSON.stringify(smallIsp()));
  await run(`backup ${file}`);
  await run("subscriber disable tom");

  const { code, stdout } = await run(`restore ${file}`);
  expect(code).toBe(0);
  const kept = /what was there before is in (.*)/.exec(stdout)?.[1] ?? "";
  const status = async (data?: string) =>
    JSON.parse((await run("subscriber show tom --json", "", data)).stdout).profile_status;
  expect([await status(), await status(kept)]).toEqual(["inactive", "disabled"]);
  expect(await run("check")).toMatchObject({ code: 0 });
  expect(existsSync(`${shell.data}/gatehouse.db.unfinished`)).toBe(false);
});

test("on an empty box the passphrase brings the key back, and later backups hold it too", async () => {
  using isp = await shellWithIsp();
  expect(await backedUp(isp.shell, isp.file, " --passphrase-stdin")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("the key is in it"),
  });
  using box = new CommandLine();
  const wrong = await box.run(`restore ${isp.file} --passphrase-stdin`, { stdin: "another passphrase" });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("not the one of this backup") });
  expect(readdirSync(box.data)).toEqual([]);

  const right = await box.run(`restore ${isp.file} --passphrase-stdin`, { stdin: `${PASSPHRASE}\n` });
  expect(right).toMatchObject({ code: 0 });
  expect(right.stdout).not.toContain("what was there before");
  expect(await usernames(box)).toEqual(["sam", "tom"]);
  await onlyWarnings(box);
  for (const file of readdirSync(box.data)) expect(statSync(join(box.data, file)).mode & 0o77).toBe(0);

  const again = join(box.folder, "again.db");
  expect(await box.json(`backup ${again}`)).toMatchObject({ has_key: true });
});

test("a key that was kept apart is named, and another one is refused", async () => {
  using isp = await shellWithIsp();
  await backedUp(isp.shell, isp.file);
  using box = new CommandLine();
  expect(await box.run(`restore ${isp.file}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("name the secret.key that was kept apart with --key"),
  });
  const otherKey = join(box.folder, "other.key");
  writeFileSync(otherKey, Buffer.alloc(32).toString("base64"));
  expect(await box.run(`restore ${isp.file} --key ${otherKey}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not the key of this backup"),
  });
  expect(await box.run(`restore ${isp.file} --key ${join(isp.shell.data, "secret.key")}`)).toMatchObject({
    code: 0,
  });
  expect(await usernames(box)).toEqual(["sam", "tom"]);
});

test("backup-passphrase puts the key into backups that nobody types a passphrase for", async () => {
  using isp = await shellWithIsp();
  expect(await isp.shell.run("backup-passphrase --passphrase-stdin", { stdin: "short" })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("too short"),
  });
  for (const stdin of [" ".repeat(20), "  \u00a0short\u3000    ", "\t".repeat(12)])
    expect(await isp.shell.run("backup-passphrase --passphrase-stdin", { stdin })).toMatchObject({
      code: 1,
      stderr:
        "gatehouse: the passphrase is too short; take 12 characters or more, blanks at the ends not counted\n",
    });
  await isp.shell.run("backup-passphrase --passphrase-stdin", { stdin: PASSPHRASE });
  expect(await isp.shell.json(`backup ${isp.file}`)).toMatchObject({ has_key: true });
  using box = new CommandLine();
  expect(await box.run(`restore ${isp.file} --passphrase-stdin`, { stdin: PASSPHRASE })).toMatchObject({
    code: 0,
  });
});

test("restore refuses while somebody has the store open, and touches nothing", async () => {
  using isp = await shellWithIsp();
  await backedUp(isp.shell, isp.file);
  const before = lastingFiles(isp.shell);
  // another process, as a server is
  await using holder = await holdOpen(isp.shell.data);
  expect(await isp.shell.run(`restore ${isp.file}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("stop it first"),
  });
  await holder.end();
  expect(lastingFiles(isp.shell)).toEqual(before);
});

test("restore brings back a store that cannot even be opened, which check says", async () => {
  using shell = new CommandLine();
  const file = join(shell.folder, "copy.db");
  await separately(shell, "import -", JSON.stringify(smallIsp()));
  await separately(shell, `backup ${file}`);
  writeFileSync(join(shell.data, "gatehouse.db"), "not a database at all".repeat(1000));
  expect(await separately(shell, "check")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("gatehouse restore FILE"),
  });
  expect(await separately(shell, `restore ${file}`)).toMatchObject({ code: 0 });
  expect(await usernames(shell)).toEqual(["sam", "tom"]);
});

/** What somebody who knows the form of a backup may have done to it. */
function rewritten(file: string, sql: string): void {
  removeChecksum(file);
  using client = new Database(file);
  client.run(sql);
  client.close();
  addChecksum(file);
}

const bad: [name: string, spoil: (file: string) => void, words: string][] = [
  ["an empty file", (file) => writeFileSync(file, ""), "no backup of gatehouse"],
  ["something else", (file) => writeFileSync(file, "x".repeat(9000)), "no backup of gatehouse"],
  ["half of one", (file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096), ""],
  ["no file", (file) => rmSync(file), "there is no file"],
  ["a folder", (file) => [rmSync(file), mkdirSync(file)], "is a folder; name a file"],
  [
    "a backup of a newer gatehouse",
    (file) => rewritten(file, "INSERT INTO _migrations VALUES ('9999_future', 'x', 1)"),
    "newer gatehouse",
  ],
  [
    "one with rows that refer to nothing",
    (file) => rewritten(file, "PRAGMA foreign_keys = OFF; DELETE FROM packages"),
    "refer to nothing",
  ],
];
test.each(bad)("restore refuses %s and leaves the store alone", async (_name, spoil, words) => {
  using isp = await shellWithIsp();
  await backedUp(isp.shell, isp.file);
  spoil(isp.file);
  const before = lastingFiles(isp.shell);
  const outcome = await isp.shell.run(`restore ${isp.file}`);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain(words);
  expect(lastingFiles(isp.shell)).toEqual(before);
  expect(await usernames(isp.shell)).toEqual(["sam", "tom"]);
});

/** A bit of a file that is another one, at a share of its length. */
function flip(file: string, share: number): void {
  const bytes = readFileSync(file);
  const at = Math.min(bytes.length - 1, Math.floor(bytes.length * share));
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
  writeFileSync(file, bytes);
}

test("a backup in which one byte changed anywhere is refused, by restore and by a trial, and so is one that lost its end", async () => {
  using isp = await shellWithIsp();
  await backedUp(isp.shell, isp.file);
  const whole = readFileSync(isp.file);
  const line = 83 / whole.length;
  const { numRuns: places } = runs(3, 12);
  const shares = [
    ...Array.from({ length: places }, (_, at) => (at + 0.5) / places),
    1 - line,
    1 - line / 2,
    1,
  ];
  const spoils = [
    ...shares.map((share) => () => flip(isp.file, share)),
    () => truncateSync(isp.file, whole.length - 83),
    () => truncateSync(isp.file, whole.length - 1),
    () => writeFileSync(isp.file, Buffer.concat([whole, whole.subarray(-4096)])),
  ];
  const before = lastingFiles(isp.shell);
  for (const spoil of spoils) {
    writeFileSync(isp.file, whole);
    spoil();
    for (const command of [`restore ${isp.file}`, `backup --try ${isp.file}`]) {
      const { code, stderr } = await isp.shell.run(command);
      expect([code, stderr]).toEqual([
        1,
        "gatehouse: the copy is damaged: it is not as it was written, by its SHA-256; take another one\n",
      ]);
    }
  }
  expect(lastingFiles(isp.shell)).toEqual([...before, "trial.lock"].toSorted());
  expect(await usernames(isp.shell)).toEqual(["sam", "tom"]);
});

test("a backup of a version without checksums is restored, unless it is cut short", async () => {
  using isp = await shellWithIsp();
  await backedUp(isp.shell, isp.file);
  removeChecksum(isp.file);
  using client = new Database(isp.file);
  client.run("UPDATE _backup SET format = 1");
  client.close();
  expect(statSync(isp.file).size % 4096).toBe(0);
  const whole = readFileSync(isp.file);
  truncateSync(isp.file, whole.length - 100);
  expect(await isp.shell.run(`restore ${isp.file}`)).toMatchObject({ code: 1 });
  writeFileSync(isp.file, whole);
  expect(await isp.shell.run(`backup --try ${isp.file}`)).toMatchObject({ code: 0 });
  using box = new CommandLine();
  const key = join(isp.shell.data, "secret.key");
  expect(await box.run(`restore ${isp.file} --key ${key}`)).toMatchObject({ code: 0 });
  expect(await usernames(box)).toEqual(["sam", "tom"]);
});

test("what is restored has no checksum any more, and whoever looks needs no program of ours for it", async () => {
  using isp = await shellWithIsp();
  await backedUp(isp.shell, isp.file);
  const [, written] = /sha256 ([0-9a-f]+)\n$/.exec(readFileSync(isp.file, "latin1")) ?? [];
  expect(await Bun.$`head -c -83 ${isp.file} | sha256sum`.text()).toBe(`${written}  -\n`);
  using box = new CommandLine();
  await box.run(`restore ${isp.file} --key ${join(isp.shell.data, "secret.key")}`);
  expect(statSync(join(box.data, "gatehouse.db")).size % 4096).toBe(0);
});

test("backup --try says what is in a backup, beside what is here, and fails where something of it is wrong", async () => {
  using isp = await shellWithIsp();
  await backedUp(isp.shell, isp.file, " --passphrase-stdin");
  const { code, stdout } = await isp.shell.run(`backup --try ${isp.file}`);
  expect(stdout).toContain(`${isp.file}: as of `);
  expect(stdout).toMatch(/^subscribers +2 +2$/m);
  expect(stdout).toMatch(/^it can be restored: every byte is as it was written, and its sums are right$/m);
  expect(code).toBe(0);
  const asElsewhere = `backup --try ${isp.file} --passphrase-stdin`;
  expect(await isp.shell.run(asElsewhere, { stdin: PASSPHRASE })).toMatchObject({ code: 0 });
  expect(await isp.shell.run(asElsewhere, { stdin: "another passphrase" })).toMatchObject({ code: 1 });
  expect(await isp.shell.json(`backup --try ${isp.file}`)).toMatchObject({
    restored: { subscribers: 2 },
    faults: [],
  });
  expect(lastingFiles(isp.shell).filter((name) => name.startsWith("trial-"))).toEqual([]);

  rewritten(isp.file, "UPDATE wallets SET balance = balance + 1");
  const wrong = await isp.shell.run(`backup --try ${isp.file}`);
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    "gatehouse: what it holds can be restored, and is not right; take another one\n",
  ]);
  expect(wrong.stdout).toContain("wrong in it: wallets: ");
  using box = new CommandLine();
  expect(await box.run(`backup --try ${isp.file}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("there is no store in"),
  });
});

test("one backup is tried at a time, and who comes second takes nothing away from the first", async () => {
  using isp = await shellWithIsp();
  await backedUp(isp.shell, isp.file);
  using held = holdFile(join(isp.shell.data, "trial.lock"));
  mkdirSync(join(isp.shell.data, "trial-first"));
  expect(await isp.shell.run(`backup --try ${isp.file}`)).toMatchObject({
    code: 1,
    stderr: "gatehouse: another backup is being tried; wait until that is done\n",
  });
  removeTrials(isp.shell.data); // as a server that starts does
  expect(existsSync(join(isp.shell.data, "trial-first"))).toBe(true);
  held[Symbol.dispose]();
  removeTrials(isp.shell.data);
  expect(existsSync(join(isp.shell.data, "trial-first"))).toBe(false);
});

/** A process that has the store of a folder open. */
async function holdOpen(folder: string) {
  const script = `import { openStore } from ${JSON.stringify(join(import.meta.dir, "../../db/open.ts"))};
    const db = openStore(process.argv.at(-1), { now: 1 });
    db.$client.query("SELECT 1 FROM isps").get();
    console.log("open");
    for await (const _ of process.stdin) {}
    db.$client.close();`;
  const child = Bun.spawn([process.execPath, "-e", script, folder], { stdin: "pipe", stdout: "pipe" });
  await child.stdout.getReader().read();
  const end = async () => {
    await child.stdin.end();
    await child.exited;
  };
  return { end, [Symbol.asyncDispose]: end };
}
