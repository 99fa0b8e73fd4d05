import { expect, test } from "bun:test";
import { type Db, write } from "../../../../db/open.ts";
import { DueMarks } from "../../../../src/domain/machine/access-boxes/due-marks.ts";
import {
  beginMarking,
  notePublished,
  publications,
} from "../../../../src/domain/machine/access-boxes/publishing.ts";
import { RecordSeal } from "../../../../src/domain/machine/access-boxes/seal.ts";
import { PairCounter } from "../../../../src/domain/machine/access-boxes/state.ts";
import { aSubscriber, loadIsp } from "../../../support/isp.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

/** Books whose boxes have been told everything. */
async function booksOf(subscribers: number) {
  const store = temporaryStore();
  const { db } = store;
  await loadIsp(db, {
    subscribers: Array.from({ length: subscribers }, (_, index) => aSubscriber(index + 1)),
  });
  write(db, (tx) => {
    beginMarking(tx);
    tx.$client.run("DELETE FROM access_marks");
  });
  const due = new DueMarks(db);
  const pairs = new PairCounter(db);
  const seal = new RecordSeal(Buffer.alloc(32, 7), 1);
  const failed = (key: string, error: unknown) => {
    throw new Error(key, { cause: error });
  };
  /** Publishes what is due at a moment, in milliseconds; what was put, and how many records were looked at. */
  const publish = (now: number, { isMinute = false, took = 10 } = {}) => {
    const { marks, isBehind } = due.take({ isMinute, now });
    const made = publications(db, marks, { seal, pairs, failed });
    notePublished(db, made);
    due.published(now + took);
    return {
      looked: marks.length,
      isBehind,
      put: made.flatMap(({ puts }) => puts.map(({ subject }) => subject)),
    };
  };
  return { db, due, publish, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

function begin(db: Db, many: number): void {
  db.$client
    .query<unknown, [number, number]>(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO sessions (acct_session_id, nas_address, username, subscriber_id, started_at, updated_at)
       SELECT printf('%08x', n), '127.0.0.1', 'user1', 1, ?2, ?2 FROM numbers`,
    )
    .run(many, NOW);
}

test("what somebody changes goes out at once, however many sessions wait, which go out so many at a time", async () => {
  using primary = await booksOf(2);
  const { db, due, publish } = primary;
  begin(db, 1200);
  expect(due.waiting).toBe(1200);
  expect(publish(0)).toMatchObject({ looked: 500, isBehind: true });
  db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 2");
  expect(publish(50)).toEqual({ looked: 1, isBehind: true, put: ["1.0.s.2"] });
  expect(publish(100)).toMatchObject({ looked: 0, isBehind: true });
  db.$client.run("UPDATE subscribers SET status = 1 WHERE id = 2");
  const { put } = publish(250);
  expect([put.length, put[0]]).toEqual([501, "1.0.s.2"]);
  expect(publish(500)).toMatchObject({ looked: 200, isBehind: false });
  expect(due.waiting).toBe(0);
  expect(db.$client.query("SELECT count(*) AS n FROM access_keys WHERE key GLOB 'o.*'").get()).toEqual({
    n: 1200,
  });
});

test("sessions take a fifth of the time at the most, however long it takes to publish them", async () => {
  using primary = await booksOf(1);
  const { db, publish } = primary;
  begin(db, 1600);
  expect(publish(0, { took: 200 }).looked).toBe(500);
  expect(publish(999).looked).toBe(0);
  expect(publish(1000, { took: 40 }).looked).toBe(500);
  expect(publish(1249).looked).toBe(0);
  expect(publish(1250).looked).toBe(500);
  // what somebody changes neither waits for them nor makes them wait
  db.$client.run("UPDATE subscribers SET status = 0");
  expect(publish(1300, { took: 5000 }).put).toEqual(["1.0.s.1"]);
  expect(publish(1500).looked).toBe(100);
});

test("a session that changes all the time keeps none of the others waiting", async () => {
  using primary = await booksOf(1);
  const { db, publish } = primary;
  begin(db, 600);
  const keys = db.$client
    .query<{ id: number }, []>("SELECT id FROM sessions ORDER BY 'o.' || id")
    .all()
    .map(({ id }) => id);
  const again = () =>
    db.$client.run(
      `UPDATE sessions SET mac = CASE WHEN mac IS NULL THEN '02:00:00:00:00:01' END WHERE id IN (${keys.slice(0, 500).join()})`,
    );
  expect(publish(0).looked).toBe(500);
  again();
  expect(publish(250).looked).toBe(100);
  expect(publish(500).looked).toBe(500);
});

test("of a session that has begun and ended since the last look nobody is told", async () => {
  using primary = await booksOf(1);
  const { db, publish } = primary;
  begin(db, 10);
  db.$client.run(
    "UPDATE sessions SET stopped_at = started_at, terminate_cause = 'User-Request' WHERE id > 1",
  );
  expect(publish(0)).toEqual({ looked: 10, isBehind: false, put: ["1.0.o.1"] });
  // and of one that they were told of
  db.$client.run(
    "UPDATE sessions SET stopped_at = started_at, terminate_cause = 'User-Request' WHERE id = 1",
  );
  expect(publish(100).put).toEqual([]);
  expect(publish(250).put).toEqual(["1.0.o.1"]);
});

test("in the minute in which bytes used go out, sessions do too", async () => {
  using primary = await booksOf(1);
  begin(primary.db, 3);
  expect(primary.publish(0).looked).toBe(3);
  primary.db.$client.run("UPDATE sessions SET stopped_at = started_at");
  expect(primary.publish(1, { isMinute: true })).toMatchObject({ looked: 3, isBehind: false });
});
