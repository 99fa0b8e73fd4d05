import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadResult, loadNotices } from "../../../../src/domain/machine/imports/runs/result.ts";
import {
  type Run,
  runFolder,
  runsFolder,
  saveRun,
  uploadedFile,
} from "../../../../src/domain/machine/imports/runs/run.ts";
import { MovingRuns } from "../../../../src/domain/machine/imports/runs/runs.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import type { SpawnMove } from "../../../../src/domain/machine/imports/runs/process.ts";
import { movingProcesses } from "../../../../src/jobs/import-process.ts";
import { program } from "../../../support/appliance.ts";
import { by, loadIsp } from "../../../support/isp.ts";
import { NOW, type TemporaryStore, temporaryStore } from "../../../support/store.ts";

let store: TemporaryStore;
let now = NOW;
let failures: string[] = [];
let runs: MovingRuns;

const processes = movingProcesses([program]);
const opened = (spawn: SpawnMove = processes) =>
  new MovingRuns({
    db: store.db,
    clock: () => now,
    folder: store.folder,
    spawn,
    limit: 1e9,
    failed: (message) => failures.push(message),
  });

beforeEach(async () => {
  store = temporaryStore();
  now = NOW;
  failures = [];
  await loadIsp(store.db);
  runs = opened();
});
afterEach(async () => {
  await runs.close();
  store[Symbol.dispose]();
});

/** Uploads a table as the page does. */
function upload(table: string, source = "csv"): Run {
  const { id, folder } = runs.prepare(by, 1);
  writeFileSync(join(folder, "file-0"), table, { mode: 0o600 });
  return runs.add(by, { id, ispId: 1, source, files: [{ name: "list.csv", bytes: table.length }] });
}

/** When nothing is done with it any more. */
async function settled({ id }: Run): Promise<Run> {
  for (;;) {
    const run = runs.get(by, id);
    if (!runs.progress(id)) return run;
    await Bun.sleep(10);
  }
}

const table = (rows: number) =>
  `Login,Password,Name,Package,Expiry\n${Array.from({ length: rows }, (_, row) => `user-${row},${row % 10 === 0 ? "" : "pw"},N ${row},Home,2030-05-01`).join("\n")}\n`;

const people = () =>
  store.db.$client
    .query<{ n: number }, []>("SELECT count(*) AS n FROM subscribers WHERE username LIKE 'user-%'")
    .get()?.n;

test("files are looked at, tried, brought in; the list of passwords is had once", async () => {
  const looked = await settled(upload(table(300)));
  expect(looked.state).toBe("columns");
  const tried = await settled(runs.start(by, looked.id, "try"));
  expect(tried).toMatchObject({ state: "tried", problem: null });
  expect(people()).toBe(0);
  expect(loadResult(store.folder, tried.id)?.report.counts.subscribers).toMatchObject({
    found: 300,
    new: 300,
  });
  expect(loadNotices(store.folder, tried.id, "new_password", 1)).toHaveLength(30);
  const moved = await settled(runs.start(by, tried.id, "move"));
  expect(moved).toMatchObject({ state: "moved", passwords: 30 });
  expect(people()).toBe(300);
  expect(existsSync(uploadedFile(store.folder, moved.id, 0))).toBe(false);
  const lines = (await runs.takePasswords(by, moved.id)).trim().split("\r\n");
  expect(lines).toHaveLength(31);
  expect(runs.takePasswords(by, moved.id)).rejects.toThrow("was fetched already");
  expect(readdirSync(runFolder(store.folder, moved.id))).not.toContain("passwords.csv");
  expect(() => runs.start(by, moved.id, "move")).toThrow("brought in already");
});

test("the next file of the same columns is read as the last was, but for its letters, and no secret is kept", async () => {
  const map = {
    files: { "list.csv": { columns: { Name: null }, encoding: "windows-1252", delimiter: "," } },
    nas: { "3": { name: "Core", address: "192.0.2.1", secret: "s3cret" } },
  };
  const first = await settled(upload(table(10)));
  await settled(runs.start(by, first.id, "try", { map }));
  await settled(runs.start(by, first.id, "move"));
  const kept = readFileSync(join(runsFolder(store.folder), "map-1-csv.json"), "utf8");
  expect(kept).not.toContain("s3cret");
  const second = await settled(upload(table(10)));
  expect(second.map).toEqual({
    files: { "list.csv": { columns: { Name: null } } },
    nas: { "3": { name: "Core", address: "192.0.2.1" } },
  });
  expect(second.state).toBe("columns");
});

test("what is brought in is booked on the day of the server's zone", async () => {
  const was = process.env["TZ"];
  process.env["TZ"] = "Pacific/Kiritimati"; // 14 hours ahead: there it is tomorrow
  try {
    const run = await settled(upload("Login,Password,Name,Package,Balance\nada,pw,Ada,Home,5\n"));
    await settled(runs.start(by, run.id, "try"));
    await settled(runs.start(by, run.id, "move"));
  } finally {
    if (was === undefined) delete process.env["TZ"];
    else process.env["TZ"] = was;
  }
  const opening = store.db.$client.query("SELECT created_at, day FROM ledger_entries WHERE kind = 'opening'");
  expect(opening.values()).toEqual([[NOW, 20300116]]);
});

test("nobody but the program's user reads what was uploaded, and it goes after a day; passwords stay a month", async () => {
  const run = await settled(upload(table(10)));
  const folder = runFolder(store.folder, run.id);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  now += 86_399;
  expect(runs.list(by)).toHaveLength(1);
  now += 2;
  expect(runs.list(by)).toEqual([]);
  expect(readdirSync(runsFolder(store.folder))).toEqual([]);
  const moved = await settled(upload(table(10)));
  await settled(runs.start(by, moved.id, "try"));
  await settled(runs.start(by, moved.id, "move"));
  now += 20 * 86_400;
  expect(runs.list(by)).toHaveLength(1);
});

test("what can be nothing fails in words, and what is stopped writes nothing", async () => {
  const failed = await settled(upload('Login,Name\nsam,"x\n'));
  expect(failed.state).toBe("failed");
  expect(failed.problem).toContain("list.csv, line 2: a quotation mark is opened there");
  expect(failures).toEqual([]);
  const large = upload(table(50_000));
  const stopped = await runs.stop(by, large.id);
  expect((await settled(stopped)).state).toBe("stopped");
  const looked = await settled(runs.start(by, large.id, "look"));
  expect(looked.state).toBe("columns");
});

test("one at a time: others wait, and are told", async () => {
  const first = upload(table(20_000));
  const second = upload(table(10));
  expect(second.state).toBe("waiting");
  expect(() => runs.start(by, second.id, "look")).toThrow("another move is under way");
  expect(() => runs.discard(by, first.id)).toThrow("stop it first");
  expect(runs.isQueued(second.id)).toBe(true);
  await settled(first);
  expect((await settled(second)).state).toBe("columns"); // it began by itself
});

test("a process that dies is told, and the next run begins anew", async () => {
  await runs.close();
  runs = opened(movingProcesses(["false"]));
  const run = await settled(upload(table(10)));
  expect(run.state).toBe("failed");
  expect(run.problem).toContain("nothing was brought in");
  expect(failures).toHaveLength(1);
  expect(() => runs.discard(by, run.id)).not.toThrow();
});

test("after a start of the program, what was under way is interrupted, unless its move stands in the store", async () => {
  const reading = await settled(upload(table(10)));
  saveRun(store.folder, { ...reading, state: "reading" });
  const moving = await settled(upload(table(20)));
  await settled(runs.start(by, moving.id, "try"));
  const moved = await settled(runs.start(by, moving.id, "move"));
  saveRun(store.folder, { ...moved, state: "moving", moveId: null, passwords: 0 });
  runs = opened();
  expect(runs.get(by, reading.id).state).toBe("interrupted");
  expect(runs.get(by, moved.id)).toMatchObject({ state: "moved", moveId: moved.moveId, passwords: 2 });
});

test("after a start of the program, files that had not all arrived are gone, and nothing else", async () => {
  const whole = await settled(upload(table(10)));
  const { folder } = runs.prepare(by, 1);
  writeFileSync(join(folder, "file-0"), "Login,Pass");
  runs.list(by);
  expect(existsSync(folder)).toBe(true); // they may be on their way
  const broken = runs.prepare(by, 1);
  writeFileSync(join(broken.folder, "run.json"), '{"id":');
  runs = opened();
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(broken.folder)).toBe(false);
  expect(runs.list(by).map(({ id }) => id)).toEqual([whole.id]);
});

test("a disk that takes nothing keeps no program from starting, and is told", async () => {
  const run = await settled(upload(table(10)));
  saveRun(store.folder, { ...run, state: "reading" });
  mkdirSync(join(runFolder(store.folder, run.id), "run.json.new"));
  runs = opened();
  expect(failures).toEqual([expect.stringContaining("EISDIR")]);
});

test("another ISP, an account of a branch and a role without the flag have none of it", async () => {
  const run = await settled(upload(table(10)));
  const other: Actor = { ...by, staffId: 7, scope: { ...by.scope, ispId: 2 } };
  expect(runs.list(other)).toEqual([]);
  expect(() => runs.get(other, run.id)).toThrow("there is no such upload");
  expect(() => runs.prepare(other, 1)).toThrow("not yours");
  expect(() => runs.list({ ...by, scope: { ...by.scope, ispId: 1, branchId: 3 } })).toThrow("whole ISP");
  expect(() => runs.list({ ...by, admin: false })).toThrow("data_import");
  for (const id of ["..", "../..", "x", `${run.id}/..`])
    expect(() => runs.get(by, id)).toThrow("no such upload");
});

test("what was brought in is said to be, and its passwords are had, where the disk is full right after", async () => {
  const looked = await settled(upload(table(20)));
  const tried = await settled(runs.start(by, looked.id, "try"));
  // a folder in the place of a file stands for a disk without room
  const full = join(runFolder(store.folder, tried.id), "run.json.new");
  const started = runs.start(by, tried.id, "move");
  mkdirSync(full);
  const blocked = await settled(started);
  expect(blocked).toMatchObject({ state: "moved", passwords: 2 });
  expect(people()).toBe(20);
  rmSync(full, { recursive: true });
  expect(runs.get(by, tried.id)).toMatchObject({ state: "moved", passwords: 2 });
  expect(loadResult(store.folder, tried.id)?.report.counts.subscribers).toMatchObject({ new: 20 });
  expect((await runs.takePasswords(by, tried.id)).trim().split("\r\n")).toHaveLength(3);
});

test("of an upload that the end of the program broke off nothing stays", async () => {
  const { folder } = runs.prepare(by, 1);
  writeFileSync(join(folder, "file-0"), "half of a li");
  runs.cleanUp();
  expect(existsSync(folder)).toBe(true);
  const kept = await settled(upload(table(10)));
  runs = opened();
  expect(existsSync(folder)).toBe(false);
  expect(runs.list(by).map(({ id }) => id)).toEqual([kept.id]);
});

test("a file that takes more memory than there is ends its process, and is told; the server goes on as before", async () => {
  await runs.close();
  runs = opened(movingProcesses([program], { memory: 1 }));
  const run = await settled(upload(table(20_000)));
  expect(run).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("more memory than there is"),
  });
  expect(failures).toEqual([]);
});

test("a process that is deaf to a stop is ended, and has brought nothing in", async () => {
  await runs.close();
  // it hears the order, and nothing after it
  runs = opened(movingProcesses(["tail", "-f", "/dev/null"]));
  const run = upload(table(10));
  expect(await runs.stop(by, run.id)).toMatchObject({ state: "stopped" });
  expect(people()).toBe(0);
});

test("a process that dies once all is written has brought it in", async () => {
  const looked = await settled(upload(table(20)));
  const tried = await settled(runs.start(by, looked.id, "try"));
  const dying: SpawnMove = (order, { notice, ended }) =>
    processes(order, { notice: (one) => one.kind === "moved" || notice(one), ended });
  await runs.close();
  runs = opened(dying);
  const moved = await settled(runs.start(by, tried.id, "move"));
  expect(moved).toMatchObject({ state: "moved", passwords: 2 });
  expect(people()).toBe(20);
});
