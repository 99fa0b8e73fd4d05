import { phrase } from "../../src/domain/core/errors/phrase.ts";
import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  closeSync,
  mkdirSync,
  openSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config/config.ts";
import { explain } from "../../src/cli/explain.ts";
import { ListenError } from "../../src/listen-error.ts";
import { openReadOnly } from "../../db/read-only.ts";
import { ImportRefused } from "../../src/domain/machine/imports/data-set/import-refused.ts";
import { exportDataSet } from "../../src/domain/machine/imports/data-set/export.ts";
import { by } from "../support/isp.ts";
import { CommandLine, smallIsp } from "./harness.ts";
import { program, shortLived } from "../support/appliance.ts";

const config = readConfig({
  GATEHOUSE_DATA_DIR: "/data",
  GATEHOUSE_HTTP_LISTEN: "203.0.113.5:8080",
  GATEHOUSE_RADIUS_ACCT_LISTEN: "[::1]:1813",
});
const explained = (error: unknown) => explain(error, () => config);
const failed = (code: string, path?: string) => Object.assign(new Error("unhelpful"), { code, path });

describe("one sentence with the path and what to do", () => {
  test.each([
    [
      "SQLITE_NOTADB",
      "/data/gatehouse.db is damaged: it is not a database; bring the last backup back: gatehouse restore FILE",
    ],
    [
      "SQLITE_CORRUPT_VTAB",
      "/data/gatehouse.db is damaged; bring the last backup back: gatehouse restore FILE",
    ],
    ["SQLITE_FULL", "the disk of /data/gatehouse.db is full; nothing was changed, make room and try again"],
    [
      "SQLITE_IOERR_WRITE",
      "the disk of /data/gatehouse.db fails; nothing was changed, look at it (dmesg) and at its free space",
    ],
    [
      "SQLITE_READONLY_DIRECTORY",
      "/data/gatehouse.db cannot be written to; run this as its owner (sudo -u gatehouse), or make its disk and folder writable",
    ],
    [
      "SQLITE_CANTOPEN",
      "/data/gatehouse.db cannot be opened; run this as its owner (sudo -u gatehouse), make its folder accessible, or make room on its disk",
    ],
    ["SQLITE_BUSY_SNAPSHOT", "/data/gatehouse.db is busy with another long write; try again"],
  ])("%s", (code, sentence) => {
    expect(explained(failed(code))).toEqual([sentence]);
  });

  test.each([
    ["ENOENT", "/x does not exist; check the path"],
    ["EISDIR", "/x is a folder; name a file"],
    [
      "EACCES",
      "/x is not accessible to the user who runs this, of an installation always gatehouse; use standard input or output (-) for it, or a place of that user",
    ],
    ["EROFS", "/x is on a disk that is mounted read-only; make it writable"],
    ["ENOSPC", "the disk of /x is full; make room and try again"],
  ])("%s", (code, sentence) => {
    expect(explained(failed(code, "/x"))).toEqual([sentence]);
  });

  test.each([
    [
      "http",
      "203.0.113.5",
      8080,
      "EADDRNOTAVAIL",
      "GATEHOUSE_HTTP_LISTEN 203.0.113.5:8080: this machine does not have that address; take one that `ip address` shows, or 0.0.0.0 for all",
    ],
    [
      "acct",
      "::1",
      1813,
      "EADDRINUSE",
      "GATEHOUSE_RADIUS_ACCT_LISTEN [::1]:1813: is taken by another program (ss -lnp shows which); stop that or choose another port",
    ],
  ] as const)("%s listener, %s", (listener, host, port, code, sentence) => {
    expect(explained(new ListenError(listener, { host, port }, { code, message: "" }))).toEqual([sentence]);
  });
});

/** What a server that cannot start prints; a program of its own, for a server changes the priority of its process. */
async function serveApart(cli: CommandLine, env: Record<string, string>): Promise<string> {
  const child = Bun.spawn([program, "serve"], {
    env: { ...shortLived, PATH: process.env["PATH"] ?? "", GATEHOUSE_DATA_DIR: cli.data, ...env },
    stdout: "ignore",
    stderr: "pipe",
  });
  const [stderr] = await Promise.all([child.stderr.text(), child.exited]);
  return stderr;
}

test("serve names the variable of a listener that cannot be opened", async () => {
  using cli = new CommandLine();
  await cli.import(smallIsp());
  using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const env = {
    GATEHOUSE_HTTP_LISTEN: `127.0.0.1:${taken.port}`,
    GATEHOUSE_RADIUS_AUTH_LISTEN: "127.0.0.1:0",
    GATEHOUSE_RADIUS_ACCT_LISTEN: "127.0.0.1:0",
  };
  expect(await serveApart(cli, env)).toBe(
    `gatehouse: GATEHOUSE_HTTP_LISTEN 127.0.0.1:${taken.port}: is taken by another program (ss -lnp shows which); stop that or choose another port\n`,
  );
  const away = { ...env, GATEHOUSE_RADIUS_AUTH_LISTEN: "203.0.113.5:1812" };
  expect(await serveApart(cli, away)).toBe(
    "gatehouse: GATEHOUSE_RADIUS_AUTH_LISTEN 203.0.113.5:1812: this machine does not have that address; take one that `ip address` shows, or 0.0.0.0 for all\n",
  );
});

const damages: [name: string, damage: (file: string) => void][] = [
  [
    "text",
    (file) => writeFileSync(file, "no database at all, but long enough to be taken for one".repeat(20)),
  ],
  [
    "an empty header",
    (file) => {
      const open = openSync(file, "r+");
      writeSync(open, Buffer.alloc(100), 0, 100, 0);
      closeSync(open);
    },
  ],
  ["half of it", (file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)],
];

describe.each(damages)("a database that is %s", (_, damage) => {
  test("is named by every command, and is a finding of check", async () => {
    using cli = new CommandLine();
    const env = await atRest(cli);
    damage(join(env.GATEHOUSE_DATA_DIR, "gatehouse.db"));
    const { code, stderr } = await cli.run("import -", {
      env,
      stdin: JSON.stringify({ isps: [{ id: 5, name: "x" }] }),
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^gatehouse: \S+gatehouse\.db is damaged[^\n]*gatehouse restore FILE\n$/);
    const checked = await cli.run("check", { env });
    expect(checked.code).toBe(1);
    expect(checked.stdout).toMatch(/^error +database: [^\n]*damaged/m);
    expect(checked.stdout).toMatch(/^ok +files: /m);
  });
});

test("check warns of a key and a database that others can read", async () => {
  using cli = new CommandLine();
  await cli.import(smallIsp());
  for (const name of ["secret.key", "gatehouse.db"]) chmodSync(join(cli.data, name), 0o640);
  const { stdout } = await cli.run("check");
  for (const name of ["secret.key", "gatehouse.db"]) {
    const file = join(cli.data, name);
    expect(stdout).toContain(
      `warning  files: ${file} is accessible to others than its owner; run: chmod 600 ${file}\n`,
    );
  }
});

test("of many kinds of fault in a file the first are said, and how many there are besides", () => {
  const faults = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `/settings/${"x".repeat(index + 1)}`,
      [phrase`is not a known setting`],
    ]),
  );
  const lines = explained(new ImportRefused(faults, {}));
  expect(lines).toHaveLength(52);
  expect(lines.slice(49)).toEqual([
    `settings: ${"x".repeat(50)} is not a known setting`,
    "and 10 other kinds of fault",
    "nothing was imported; correct these 60 places and try again; --json names each of them",
  ]);
});

test.each([
  ["import /nope.json", "/nope.json does not exist; check the path"],
  ["import /etc", "/etc is a folder; name a file"],
  ["export /nope/x.json", "cannot write /nope/x.json: /nope does not exist; check the path"],
  ["export /etc", "cannot write /etc: /etc is a folder; name a file"],
])("%s", async (argv, sentence) => {
  using cli = new CommandLine();
  await cli.import(smallIsp());
  expect(await cli.run(argv)).toMatchObject({ code: 1, stderr: `gatehouse: ${sentence}\n` });
  expect(existsSync("/etc.unfinished")).toBe(false);
});

test.each([false, true])("a store that can only be read is read, with a log: %p", async (isUsed) => {
  using cli = new CommandLine();
  const { GATEHOUSE_DATA_DIR: folder } = await atRest(cli);
  using other = new Database(join(folder, "gatehouse.db"));
  other.run("PRAGMA journal_mode = WAL");
  if (isUsed) other.run("UPDATE isps SET name = 'Southlink'");
  const db = openReadOnly(folder);
  expect(exportDataSet(db, by, { secrets: true })).toMatchObject({
    isps: [{ name: isUsed ? "Southlink" : "Northlink" }],
    subscribers: [{ password: "pw-sam" }, { password: "pw-tom" }],
  });
  expect(() => db.$client.run("DELETE FROM staff_notes")).toThrow("readonly");
  db.$client.close();
});

/** The small ISP in a folder that nobody has open, without a log. */
async function atRest(cli: CommandLine) {
  await cli.import(smallIsp());
  const folder = join(cli.folder, "at-rest");
  mkdirSync(folder, { mode: 0o700 });
  using client = new Database(join(cli.data, "gatehouse.db"));
  client.query("VACUUM INTO ?").run(join(folder, "gatehouse.db"));
  chmodSync(join(folder, "gatehouse.db"), 0o600);
  copyFileSync(join(cli.data, "secret.key"), join(folder, "secret.key"));
  return { GATEHOUSE_DATA_DIR: folder };
}
