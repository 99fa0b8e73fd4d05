import { expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { createKey } from "../../../../src/domain/people/api-keys/api-keys.ts";
import { recordKeyCalls } from "../../../../src/domain/people/api-keys/calls.ts";
import { insertRole } from "../../../support/people.ts";
import { forgetOldRows } from "../../../../src/domain/machine/retention/forget.ts";
import { storeSetting } from "../../../../src/domain/core/settings/settings.ts";
import { localDay } from "../../../../src/domain/core/time/time.ts";
import { aSubscriber, by, DAY, loadIsp } from "../../../support/isp.ts";
import { deleteEndpoint } from "../../../../src/domain/around/webhooks/endpoints.ts";
import { fillManyMessages, QUIET } from "../../../support/many-messages.ts";
import { addMessages, insertMessage } from "../../../support/messages.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

/** A store with a session that ended, a day of usage and an audit entry at each age in days, and one open session. */
async function storeOfAges(...ages: number[]) {
  const store = temporaryStore();
  await loadIsp(store.db, { subscribers: [aSubscriber(1)] });
  const { $client } = store.db;
  const session = $client.query(
    `INSERT INTO sessions (nas_address, acct_session_id, username, subscriber_id, started_at, updated_at, stopped_at)
     VALUES ('127.0.0.1', ?, 'user1', 1, ?, ?, ?)`,
  );
  write(store.db, () => {
    for (const age of ages) {
      const at = NOW - age * DAY;
      session.run(String(age), at - 3600, at, at);
      $client.run("INSERT OR IGNORE INTO usage_days VALUES (1, ?, 1, 1)", [localDay(at)]);
      $client.run(
        "INSERT INTO audit_entries (at, actor, source, action, entity, entity_id) VALUES (?, 'a', 'cli', 'x.y', 'x', ?)",
        [at, String(age)],
      );
    }
    session.run("open", NOW - 4000 * DAY, NOW - 4000 * DAY, null);
  });
  const values = (sql: string) =>
    $client
      .query(sql)
      .values()
      .map(([value]) => value);
  return {
    ...store,
    sessions: () => values("SELECT acct_session_id FROM sessions ORDER BY id"),
    usage: () => values("SELECT day FROM usage_days ORDER BY day").length,
    audit: () => values("SELECT entity_id FROM audit_entries WHERE action = 'x.y' ORDER BY id"),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

test("what is older than its setting is forgotten, and open sessions are not", async () => {
  using store = await storeOfAges(1, 50, 200, 1000, 1200);
  expect(await forgetOldRows(store.db, by, { now: NOW })).toMatchObject({
    sessions: 3,
    usageDays: 2,
    auditEntries: 1,
  });
  expect(store.sessions()).toEqual(["1", "50", "open"]);
  expect(store.usage()).toBe(3);
  expect(store.audit()).toEqual(["1", "50", "200", "1000"]);
  expect(await forgetOldRows(store.db, by, { now: NOW })).toEqual({
    sessions: 0,
    usageDays: 0,
    auditEntries: 0,
    tokens: 0,
    sums: 0,
    bulkRows: 0,
    outages: 0,
    events: 0,
    sentOfPayments: 0,
    keyCalls: 0,
    messages: 0,
  });
});

test("calls of API keys are forgotten after a week", async () => {
  using store = await storeOfAges();
  insertRole(store.db, 1, 1, "Programs", ["api_access"]);
  const { key } = createKey(store.db, by, { isp_id: 1, name: "books", role_code: 1 }, { now: NOW });
  const proof = new Uint8Array();
  const call = { keyId: key.id, method: "GET", path: "/", status: 200, milliseconds: 1, address: "", proof };
  for (const days of [8, 6]) recordKeyCalls(store.db, by, [{ ...call, at: NOW - days * DAY }]);
  expect(await forgetOldRows(store.db, by, { now: NOW })).toMatchObject({ keyCalls: 1 });
});

test("an outage goes with its lines as a session does, once it is over", async () => {
  using store = await storeOfAges();
  const { $client } = store.db;
  for (const [id, age, isOver] of [
    [1, 200, true],
    [2, 200, false],
    [3, 100, true],
  ] as const) {
    const at = NOW - age * DAY;
    $client.run(
      `INSERT INTO outages (id, isp_id, kind, box_number, began_at, found_at, ended_at, lines, evidence)
       VALUES (${id}, 1, 'box', 'B-1', ${at}, ${at}, ${isOver ? at + 60 : "NULL"}, 1, '{}');
       INSERT INTO outage_lines (outage_id, subscriber_id, dark_at) VALUES (${id}, 1, ${at})`,
    );
  }
  expect(await forgetOldRows(store.db, by, { now: NOW })).toMatchObject({ outages: 1 });
  const left = $client.query<{ id: number }, []>("SELECT outage_id AS id FROM outage_lines ORDER BY id");
  expect(left.all()).toEqual([{ id: 2 }, { id: 3 }]);
});

test("minutes of routers are kept for 8 days, their hours and what is summed by day and month for three years", async () => {
  using store = await storeOfAges();
  const { $client } = store.db;
  for (const age of [1, 7, 9, 1000, 1200]) {
    const at = NOW - age * DAY;
    const day = localDay(at);
    $client.run("INSERT INTO nas_minutes (nas_id, at, isp_id, sessions) VALUES (1, ?, 1, 1)", [at]);
    $client.run(
      "INSERT INTO nas_hours (nas_id, at, isp_id, sessions, sessions_most) VALUES (1, ?, 1, 1, 1)",
      [at],
    );
    $client.run("INSERT INTO login_days VALUES (?, 1, 1, 1, 'accepted', 1)", [day]);
    $client.run("INSERT OR IGNORE INTO usage_months VALUES (?, 1, 1, 1)", [Math.floor(day / 100)]);
    $client.run("INSERT INTO traffic_days VALUES (?, 1, 0, 1, 0, 1, 1, 1)", [day]);
  }
  const months = () => $client.query("SELECT count(*) FROM usage_months").values()[0]?.[0];
  const before = Number(months());
  expect((await forgetOldRows(store.db, by, { now: NOW })).sums).toBe(6);
  const count = (table: string) => $client.query(`SELECT count(*) FROM ${table}`).values()[0]?.[0];
  expect(["nas_minutes", "nas_hours", "login_days", "traffic_days"].map(count)).toEqual([2, 4, 4, 5]);
  expect(months()).toBe(before - 1);
});

test("a setting counts at once", async () => {
  using store = await storeOfAges(1, 50, 200);
  write(store.db, (tx) => storeSetting(tx, "session_days", 30));
  await forgetOldRows(store.db, by, { now: NOW });
  expect(store.sessions()).toEqual(["1", "open"]);
});

test("many rows go in steps between which others write, and it stops when it is told to", async () => {
  using store = await storeOfAges(...Array.from({ length: 2000 }, (_, i) => 400 + i));
  const stopping = new AbortController();
  const forgetting = forgetOldRows(store.db, by, { now: NOW, signal: stopping.signal });
  await Bun.sleep(5);
  const left = store.sessions().length;
  expect(left).toBeWithin(1, 2001);
  stopping.abort();
  expect((await forgetting).sessions).toBeLessThan(2000);
  expect((await forgetOldRows(store.db, by, { now: NOW })).sessions).toBeGreaterThan(0);
  expect(store.sessions()).toEqual(["open"]);
});

test("bulk operations go with their rows when audit_days are over; one that goes on stays", async () => {
  using store = await storeOfAges();
  const { $client } = store.db;
  for (const [id, finished] of [
    [1, NOW - 1200 * DAY],
    [2, NOW - 1000 * DAY],
    [3, null],
  ] as const) {
    $client.run(
      `INSERT INTO bulk_jobs (id, actor, source, operation, input, total, created_at, finished_at)
       VALUES (?, 'ada', 'cli', 'enable', '{}', 600, 0, ?)`,
      [id, finished],
    );
    $client.run(
      `INSERT INTO bulk_rows (job_id, position, subscriber_id, message)
       SELECT ?, key + 1, 1, '' FROM json_each(?)`,
      [id, JSON.stringify(Array(600).fill(0))],
    );
  }
  expect(await forgetOldRows(store.db, by, { now: NOW })).toMatchObject({ bulkRows: 601 });
  expect(
    $client.query("SELECT DISTINCT id, job_id FROM bulk_jobs JOIN bulk_rows ON job_id = id").values(),
  ).toEqual([
    [2, 2],
    [3, 3],
  ]);
  expect(await forgetOldRows(store.db, by, { now: NOW })).toMatchObject({ bulkRows: 0 });
});

test("messages are forgotten after half a year, those too that wait for a channel that is off, and not what is leaving", async () => {
  using store = await storeOfAges();
  addMessages(store.db, NOW - 200 * DAY);
  for (const state of ["sent", "skipped", "sending"]) insertMessage(store.db, NOW - 200 * DAY, state);
  insertMessage(store.db, NOW - 100 * DAY, "sent");
  expect(await forgetOldRows(store.db, by, { now: NOW })).toMatchObject({ messages: 3 });
  const left = store.db.$client.query<{ state: string }, []>("SELECT state FROM messages ORDER BY id").all();
  expect(left.map(({ state }) => state)).toEqual(["sending", "sent"]);
});

test("what was told is bounded: events are kept for a month, with every delivery and attempt of them, messages for half a year, what providers sent for 90 days", async () => {
  using store = await storeOfAges();
  const { $client } = store.db;
  fillManyMessages(store.db, {
    rows: 1200,
    waitingDeliveries: 300,
    incoming: 1200,
    subscribers: 1,
    now: NOW,
  });
  const count = (table: string) => Number($client.query(`SELECT count(*) FROM ${table}`).values()[0]?.[0]);
  const tables = ["events", "webhook_deliveries", "webhook_attempts", "messages"];
  expect(tables.map(count)).toEqual([1200, 1210, 910, 1200]);
  deleteEndpoint(store.db, by, { id: QUIET }, { now: NOW });
  await forgetOldRows(store.db, by, { now: NOW + 15 * DAY });
  expect(count("events")).toBeWithin(550, 650);
  // what waited is told, or lost with what it tells of: none is without its event
  expect(count("webhook_deliveries")).toBe(count("events"));
  expect(count("messages")).toBeWithin(1050, 1150);
  expect(count("incoming_payments WHERE raw_sealed IS NOT NULL")).toBeWithin(200, 300);
  await forgetOldRows(store.db, by, { now: NOW + 200 * DAY });
  expect(tables.map(count)).toEqual([0, 0, 0, 0]);
  expect(count("incoming_payments")).toBe(1200);
  expect(count("incoming_payments WHERE raw_sealed IS NOT NULL")).toBe(0);
});
