import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { tellMoments } from "../../../../src/domain/core/events/moments.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { by, DAY } from "../../../support/isp.ts";
import { office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const END = NOW + 31 * DAY;

const events = ({ $client }: Db) =>
  $client
    .query<{ type: string; at: number }, []>(
      "SELECT type, at FROM events WHERE due_key IS NOT NULL ORDER BY id",
    )
    .all()
    .map(({ type, at }) => [type, at] as const);

async function activated() {
  const store = await office();
  await tellMoments(store.db, by, { now: NOW });
  activate(store.db, by, { subscriberId: 2, packageId: 2 }, { now: NOW });
  return store;
}

test("the end of a service is told before, when it comes, and of what is unpaid then; each once, dated with its moment", async () => {
  using store = await activated();
  const { db } = store;
  await tellMoments(db, by, { now: END - 3 * DAY - 1 });
  expect(events(db)).toEqual([]);
  await tellMoments(db, by, { now: END - 3 * DAY + 60 });
  expect(events(db)).toEqual([["subscriber.expiring", END - 3 * DAY]]);
  await tellMoments(db, by, { now: END + 7 });
  await tellMoments(db, by, { now: END + 8 });
  expect(events(db)).toEqual([
    ["subscriber.expiring", END - 3 * DAY],
    ["subscriber.expired", END],
    ["invoice.overdue", END],
  ]);
});

test("a stop of days skips none, and a clock that was set back repeats none", async () => {
  using store = await activated();
  const { db } = store;
  await tellMoments(db, by, { now: END + 3 * DAY });
  const all = events(db);
  expect(all.map(([type]) => type)).toEqual(["subscriber.expiring", "subscriber.expired", "invoice.overdue"]);
  for (const now of [END - 5 * DAY, END - DAY, END, END + 4 * DAY]) await tellMoments(db, by, { now });
  expect(events(db)).toEqual(all);
});

test("what was over before anybody told is not told", async () => {
  using store = await office();
  const { db } = store;
  activate(db, by, { subscriberId: 2, packageId: 2 }, { now: NOW });
  await tellMoments(db, by, { now: END + DAY });
  await tellMoments(db, by, { now: END + 2 * DAY });
  expect(events(db)).toEqual([]);
});

test("a longer time before the end skips none of those that it reaches at once, and repeats none", async () => {
  using store = await activated();
  const { db } = store;
  const lead = (value: string) =>
    changeSetting(db, by, { key: "expiring_days", value, ispId: 1 }, { now: NOW });
  const expiring = () => events(db).filter(([type]) => type === "subscriber.expiring");
  await tellMoments(db, by, { now: END - 5 * DAY });
  expect(expiring()).toEqual([]);
  lead("7");
  await tellMoments(db, by, { now: END - 5 * DAY + 10 });
  expect(expiring()).toEqual([["subscriber.expiring", END - 7 * DAY]]);
  lead("3");
  for (const now of [END - 5 * DAY + 20, END - 3 * DAY + 20, END + 20]) await tellMoments(db, by, { now });
  expect(expiring()).toHaveLength(1);
});

test("what ends in the very second in which was told, but after that, is told too", async () => {
  using store = await activated();
  const { db } = store;
  await tellMoments(db, by, { now: NOW + 100 });
  db.$client.run(`UPDATE services SET expires_at = ${NOW + 100} WHERE subscriber_id = 2`);
  const counts = [
    await tellMoments(db, by, { now: NOW + 101 }),
    await tellMoments(db, by, { now: NOW + 102 }),
  ];
  expect(events(db)).toEqual([["subscriber.expired", NOW + 100]]);
  expect(counts).toEqual([1, 0]);
});

test.each(["renewed", "extended"])(
  "an end is told although the service was %s before anybody came to it, once and in its place",
  async (what) => {
    using store = await activated();
    const { db } = store;
    await tellMoments(db, by, { now: END - 10 });
    const now = END + 60;
    if (what === "renewed") activate(db, by, { subscriberId: 2, packageId: 2 }, { now });
    else extend(db, by, { subscriberId: 2, hours: 5, reason: "x", trust: false }, { now });
    await tellMoments(db, by, { now: now + 5 });
    const rows = db.$client
      .query<{ type: string; at: number; seq: number }, []>(
        "SELECT type, at, seq FROM events WHERE subscriber_id = 2 ORDER BY seq",
      )
      .all();
    const expired = rows.filter(({ type }) => type === "subscriber.expired");
    expect(expired).toMatchObject([{ at: END }]);
    const went = rows.findLast(({ type }) => /activated|extended/.test(type));
    expect(went?.seq).toBeGreaterThan(expired[0]?.seq ?? Infinity);
  },
);

test("a service that is frozen, or whose subscriber left, does not end", async () => {
  using store = await activated();
  const { db } = store;
  activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
  db.$client.run(`UPDATE services SET frozen_at = ${NOW} WHERE subscriber_id = 1`);
  db.$client.run(`UPDATE subscribers SET archived_at = ${NOW} WHERE id = 2`);
  await tellMoments(db, by, { now: END + 1 });
  expect(events(db).filter(([type]) => type.startsWith("subscriber"))).toEqual([]);
});

test("more than one transaction holds, all of one second, are told once each, also where one was cut short", async () => {
  using store = await activated();
  const { db } = store;
  const { $client } = db;
  for (let id = 100; id < 600; id++) {
    $client.run(
      `INSERT INTO subscribers (id, isp_id, name, username, username_key, password_sealed, package_id, connection_type_id, created_at, updated_at)
       SELECT ${id}, isp_id, 'n', 'n${id}', 'n${id}', password_sealed, package_id, connection_type_id, created_at, updated_at FROM subscribers WHERE id = 2`,
    );
    $client.run(
      `INSERT INTO services (subscriber_id, package_id, password_sealed, nt_hash_sealed, expires_at)
       SELECT ${id}, package_id, password_sealed, nt_hash_sealed, expires_at FROM services WHERE subscriber_id = 2`,
    );
  }
  const stop = new AbortController();
  stop.abort();
  await tellMoments(db, by, { now: END, signal: stop.signal });
  await tellMoments(db, by, { now: END });
  const expired = events(db).filter(([type]) => type === "subscriber.expired");
  expect(expired.length).toBe(501);
  expect(events(db).filter(([type]) => type === "subscriber.expiring").length).toBe(501);
});
