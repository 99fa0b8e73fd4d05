import { expect, test } from "bun:test";
import { write } from "../../../db/open.ts";
import { forgetOldRows } from "../../../src/domain/retention/forget.ts";
import { storeSetting } from "../../../src/domain/settings/settings.ts";
import { localDay } from "../../../src/domain/time.ts";
import { aSubscriber, by, DAY, loadIsp } from "../../support/isp.ts";
import { NOW, temporaryStore } from "../../support/store.ts";

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
  });
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
