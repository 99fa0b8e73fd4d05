import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Db } from "../../../../db/open.ts";
import { listBulkRows } from "../../../../src/domain/around/bulk/jobs.ts";
import { runBulk } from "../../../../src/domain/around/bulk/run.ts";
import { startBulk } from "../../../../src/domain/around/bulk/start.ts";
import { loadActor } from "../../../../src/domain/people/staff/sign-in.ts";
import { ada, aPackage, aSubscriber, by, loadIsp, rex } from "../../../support/isp.ts";
import { NOW, templateStore } from "../../../support/store.ts";

const root = join(import.meta.dir, "../../../..");
const COUNT = 1000;
const everybody = Array.from({ length: COUNT }, (_, index) => index + 1);
const clock = () => NOW + 60;

/** 1,000 subscribers of ISP 1; `sal`, account 3, may edit them in bulk. */
const filled = templateStore(async (db) => {
  const permissions = { api_access: 1, subscriber_bulk: 1, subscriber_edit: 1 };
  const sal = { ...ada, id: 3, name: "Sal", username: "sal", email: "sal@isp.example" };
  await loadIsp(db, {
    roles: [{ code: 1, isp_id: 1, name: "Office", permissions }],
    staff: [ada, rex, { ...sal, profile_type: 2, role_code: 1 }],
    packages: [aPackage(2)],
    subscribers: everybody.map((id) => aSubscriber(id)),
  });
});

/** Sal gives all of them another package. */
function start(db: Db, ids: readonly number[] = everybody): number {
  const sal = loadActor(db, 3, "192.0.2.1");
  if (!sal) throw new Error("there is no sal");
  return startBulk(db, sal, { operation: "package", ids, values: { package_id: 2 } }, { now: NOW });
}

const run = (db: Db) => runBulk(db, by, { clock });
/** One batch, as if the appliance were stopped then. */
const runOnce = (db: Db) => runBulk(db, by, { clock, signal: AbortSignal.abort() });

function progress({ $client }: Db) {
  return $client.query("SELECT done, refused, finished_at IS NOT NULL AS finished FROM bulk_jobs").get();
}

/** How many subscribers were changed how often: by what they are, by the audit trail, and by the rows. */
function changes({ $client }: Db) {
  const count = (sql: string) =>
    $client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${sql}`).get()?.n;
  const entries = "audit_entries WHERE action = 'subscriber.update'";
  return {
    changed: count("subscribers WHERE package_id = 2"),
    entries: count(entries),
    entriesOf: count(`(SELECT DISTINCT entity_id FROM ${entries} AND source = '192.0.2.1' AND staff_id = 3)`),
    rows: count("bulk_rows WHERE message = ''"),
  };
}
const all = (n: number) => ({ changed: n, entries: n, entriesOf: n, rows: n });

const messages = (db: Db) => {
  const page = { result: null, descending: false, limit: COUNT, offset: 0 };
  return [...new Set(listBulkRows(db, by, 1, page).rows.map(({ message }) => message))];
};

test("killed again and again it goes on, and does nothing twice and leaves nobody out", async () => {
  using store = await filled();
  start(store.db);
  const program = `
    const { openStore } = await import("${root}/db/open.ts");
    const { runBulk } = await import("${root}/src/domain/around/bulk/run.ts");
    const { operator } = await import("${root}/src/domain/core/actor/operator.ts");
    const db = openStore("${store.folder}", { now: ${NOW} });
    console.log("open");
    await runBulk(db, operator("gatehouse", "system"), { clock: () => ${NOW + 60} });`;
  let kills = 0;
  for (;;) {
    const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", cwd: root });
    const reader = child.stdout.getReader();
    await reader.read();
    // longer each time, so that it comes to its end on a busy machine too
    const patience = (60 + Math.random() * 120) * 2 ** kills;
    const hasEnded = await Promise.race([child.exited, Bun.sleep(patience)]);
    child.kill("SIGKILL");
    await child.exited;
    const { changed, ...rest } = changes(store.db);
    expect({ changed, ...rest }).toEqual(all(changed ?? 0));
    if (hasEnded === 0) break;
    kills++;
  }
  expect(kills).toBeGreaterThan(0);
  expect(changes(store.db)).toEqual(all(COUNT));
  expect(progress(store.db)).toEqual({ done: COUNT, refused: 0, finished: 1 });
});

test("a full disk undoes the batch in which it comes, which is tried again", async () => {
  using store = await filled();
  const { db } = store;
  start(db);
  const pages = db.$client.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
  db.$client.run(`PRAGMA max_page_count = ${pages + 20}`);
  await expect(run(db)).rejects.toThrow("full");
  const { changed = 0 } = changes(db);
  expect([changed % 200, changed < COUNT]).toEqual([0, true]);
  expect(changes(db)).toEqual(all(changed));
  db.$client.run(`PRAGMA max_page_count = ${pages * 10}`);
  await run(db);
  expect(changes(db)).toEqual(all(COUNT));
});

test.each([
  [
    "the permission of the single operation",
    "UPDATE role_permissions SET value = 0 WHERE flag = 'subscriber_edit'",
    "the permission subscriber_edit is missing; ask an administrator to set it in your role",
  ],
  [
    "subscriber_bulk",
    "UPDATE role_permissions SET value = 0 WHERE flag = 'subscriber_bulk'",
    "the permission subscriber_bulk is missing; ask an administrator to set it in your role",
  ],
  [
    "the account",
    "UPDATE staff SET status = 0 WHERE id = 3",
    "the account sal, which started this, is disabled",
  ],
])("who loses %s meanwhile is refused the rest", async (_, sql, message) => {
  using store = await filled();
  const { db } = store;
  start(db);
  await runOnce(db);
  expect(progress(db)).toEqual({ done: 200, refused: 0, finished: 0 });
  db.$client.run(sql);
  await run(db);
  expect(progress(db)).toEqual({ done: 200, refused: 800, finished: 1 });
  expect(changes(db)).toEqual(all(200));
  expect(messages(db)).toEqual([null, message]);
});

test("who sees less meanwhile reaches no more than that", async () => {
  using store = await filled();
  const { db } = store;
  start(db);
  await runOnce(db);
  db.$client.run("UPDATE staff SET branch_id = 11 WHERE id = 3");
  db.$client.run("UPDATE subscribers SET branch_id = 11 WHERE id > 999");
  await run(db);
  expect(progress(db)).toEqual({ done: 201, refused: 799, finished: 1 });
  expect(messages(db)).toContain("there is no subscriber 999");
});

test("what fails for no reason of the subscriber leaves it as it was, is reported, and stops nobody else", async () => {
  using store = await filled();
  const { db } = store;
  start(db, [4, 5, 6]);
  db.$client.run(`CREATE TRIGGER broken BEFORE INSERT ON audit_entries WHEN NEW.entity_id = '5'
    BEGIN SELECT RAISE(ABORT, 'broken'); END`);
  const failures = await run(db);
  expect(failures.map(String)).toEqual(["SQLiteError: broken"]);
  expect(changes(db)).toEqual(all(2));
  expect(messages(db)).toEqual([null, "internal error; its cause is in the log"]);
});

test("an operation that an older version does not know is refused, and the next one done", async () => {
  using store = await filled();
  const { db } = store;
  start(db, [4]);
  db.$client.run("UPDATE bulk_jobs SET operation = 'teleport'");
  start(db, [5]);
  await run(db);
  expect(messages(db)).toEqual(["this version of gatehouse does not know the operation teleport"]);
  expect(changes(db)).toEqual(all(1));
});

test("an area takes the subarea of the old one away, unless another one is sent", async () => {
  using store = await filled();
  const { db } = store;
  db.$client.run("INSERT INTO areas (id, isp_id, name) VALUES (1, 1, 'East'), (2, 1, 'West')");
  db.$client.run(
    "INSERT INTO subareas (id, isp_id, area_id, name) VALUES (1, 1, 1, 'Block 4'), (2, 1, 2, 'Block 9')",
  );
  db.$client.run("UPDATE subscribers SET area_id = 1, subarea_id = 1 WHERE id IN (4, 5)");
  startBulk(db, by, { operation: "area", ids: [4], values: { area_id: 2 } }, { now: NOW });
  startBulk(db, by, { operation: "area", ids: [5], values: { area_id: "2", subarea_id: "2" } }, { now: NOW });
  await run(db);
  expect(db.$client.query("SELECT area_id, subarea_id FROM subscribers WHERE id IN (4, 5)").values()).toEqual(
    [
      [2, null],
      [2, 2],
    ],
  );
});

test("time is given to each once, and what one may not have is said in its row", async () => {
  using store = await filled();
  const { db } = store;
  const ends = () =>
    db.$client
      .query("SELECT expires_at FROM services WHERE subscriber_id IN (4, 5) ORDER BY subscriber_id")
      .values()
      .flat();
  const [end = 0] = ends() as number[];
  db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 5");
  startBulk(
    db,
    by,
    { operation: "extend", ids: [4, 5], values: { hours: "48", reason: "storm" } },
    { now: NOW },
  );
  await run(db);
  expect(ends()).toEqual([end + 48 * 3600, end]);
  expect(messages(db)).toEqual([null, "the subscriber is disabled; enable it first"]);
});

test("others hear of each that was changed, and of none that was not", async () => {
  using store = await filled();
  const { db } = store;
  start(db, [1, 2, 3]);
  await run(db);
  expect(
    db.$client.query("SELECT type, subscriber_id AS id, data ->> 'changed' AS changed FROM events").all(),
  ).toEqual(
    [1, 2, 3].map((id) => ({ type: "subscriber.updated", id, changed: expect.stringContaining("package") })),
  );
});
