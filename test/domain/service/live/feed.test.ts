import { expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { append } from "../../../../src/domain/money/billing/ledger.ts";
import { type Counts, LiveFeed } from "../../../../src/domain/service/live/feed.ts";
import { type Reported, ReportTally, unpackReports } from "../../../../src/domain/service/live/reported.ts";
import type { Scope } from "../../../../src/domain/core/actor/actor.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { makeCard } from "../../../support/card-codes.ts";
import { by } from "../../../support/isp.ts";
import { NOW, undoneTemplate } from "../../../support/store.ts";
import { fillTenants } from "../../../support/tenants.ts";

const tenants = undoneTemplate(fillTenants);
const scope = (
  ispId: number | null,
  branchId: number | null = null,
  salespersonId: number | null = null,
): Scope => ({
  ispId,
  branchId,
  salespersonId,
});
/** Subscriber 1 is of ISP 1, branch 11 and the reseller 2; 2 of branch 12 and the Admin; 9 of ISP 2. */
const viewers: Record<string, Scope> = {
  box: everything,
  "ISP 1": scope(1),
  "ISP 2": scope(2),
  "branch 11": scope(1, 11),
  "branch 12": scope(1, 12),
  "reseller 2": scope(1, null, 2),
  "reseller 3": scope(1, null, 3),
};

const saying = (counts: Counts) => Object.entries(counts).map(([topic, count]) => `${topic} ${count}`);

async function opened() {
  const store = await tenants();
  const feed = new LiveFeed(store.db);
  const events: Record<string, string[]> = {};
  const ends = Object.entries(viewers).map(([name, seen]) =>
    feed.watch(seen, (counts) => {
      (events[name] ??= []).push(...saying(counts));
    }),
  );
  const take = () => {
    feed.flush();
    return Object.fromEntries(
      Object.keys(events)
        .map((name) => [name, events[name]?.splice(0)])
        .filter(([, all]) => all?.length),
    );
  };
  return {
    store,
    feed,
    ends,
    take,
    [Symbol.dispose]() {
      feed.stop();
      store[Symbol.dispose]();
    },
  };
}

test("a login is told to who sees its subscriber, one of nobody to who sees the router's ISP as a whole", async () => {
  using it = await opened();
  it.feed.decided([
    { subscriberId: 1, nasId: 1 },
    { subscriberId: 1, nasId: 1 },
    { subscriberId: 9, nasId: 2 },
  ]);
  expect(it.take()).toEqual({
    box: ["logins 3"],
    "ISP 1": ["logins 2"],
    "ISP 2": ["logins 1"],
    "branch 11": ["logins 2"],
    "reseller 2": ["logins 2"],
  });
  it.feed.decided([{ subscriberId: null, nasId: 2 }]);
  expect(it.take()).toEqual({ box: ["logins 1"], "ISP 2": ["logins 1"] });
  expect(it.take()).toEqual({});
});

test("whose sessions were reported comes out of the tally as it went in, once, and of a flood no more than 4096", () => {
  const tally = new ReportTally();
  const reports: Reported[] = [
    { subscriberId: 1, cardId: null, nasId: 1 },
    { subscriberId: null, cardId: 2, nasId: null },
  ];
  for (const one of reports) tally.add(one);
  expect([...unpackReports(tally.take())]).toEqual(reports);
  expect(tally.take()).toHaveLength(0);
  for (let nasId = 0; nasId < 5000; nasId++) tally.add({ subscriberId: null, cardId: null, nasId });
  const kept = [...unpackReports(tally.take())];
  expect([kept.length, kept.at(-1)?.nasId]).toEqual([4096, 4095]);
});

test("reports of sessions, and money whoever books it, are told as well", async () => {
  using it = await opened();
  const reports = new ReportTally();
  reports.add({ subscriberId: 2, cardId: null, nasId: 1 });
  it.feed.reported(reports.take());
  write(it.store.db, (tx) => {
    append(tx, { account: { subscriberId: 2 }, ispId: 1, amount: 5, kind: "adjustment" }, NOW, by);
    append(tx, { account: { staffId: 3 }, ispId: 1, amount: 5, kind: "adjustment" }, NOW, by);
  });
  expect(it.take()).toEqual({
    box: ["sessions 1", "money 2"],
    "ISP 1": ["sessions 1", "money 2"],
    "branch 12": ["sessions 1", "money 1"],
    "reseller 3": ["money 1"],
  });
});

test("what happens to a card is told at once to who sees its batch: its branch, the reseller who holds it", async () => {
  using it = await opened();
  const { db } = it.store;
  const whole = makeCard(db);
  const held = makeCard(db, { reseller_id: 2, reseller_price: "0.50", charge_on: "use" });
  const branch = makeCard(db, { branch_id: 12 });
  it.take(); // that they were made
  const reports = new ReportTally();
  for (const { id: cardId } of [whole, held, held, branch])
    reports.add({ subscriberId: null, cardId, nasId: 1 });
  it.feed.reported(reports.take());
  expect(it.take()).toEqual({
    box: ["sessions 4"],
    "ISP 1": ["sessions 4"],
    "branch 12": ["sessions 1"],
    "reseller 2": ["sessions 2"],
  });
  it.feed.decided([{ subscriberId: null, cardId: held.id, nasId: 1 }]);
  // as the log of logins is seen
  expect(it.take()).toEqual({ box: ["logins 1"], "ISP 1": ["logins 1"] });
});

test("an outage that begins or ends is told to everybody of its ISP", async () => {
  using it = await opened();
  const { $client } = it.store.db;
  $client.run(
    `INSERT INTO outages (isp_id, kind, nas_id, began_at, found_at, lines, evidence) VALUES (2, 'router', 2, ${NOW}, ${NOW}, 3, '{}')`,
  );
  const events = { box: ["findings 1"], "ISP 2": ["findings 1"] };
  expect(it.take()).toEqual(events);
  expect(it.take()).toEqual({});
  $client.run(`UPDATE outages SET ended_at = ${NOW}`);
  expect(it.take()).toEqual(events);
});

test("of a flood no more is kept than two thousand, and of the rest everybody is told", async () => {
  using it = await opened();
  it.feed.decided(Array.from({ length: 5000 }, () => ({ subscriberId: 1, nasId: 1 })));
  const events = it.take();
  expect([events["box"], events["branch 11"], events["ISP 2"]]).toEqual([
    ["logins 5000"],
    ["logins 5000"],
    ["logins 3000"],
  ]);
});

test("while nobody looks nothing is gathered, and what was there before is no news", async () => {
  using it = await opened();
  for (const end of it.ends) end();
  expect(it.feed.viewers).toBe(0);
  it.feed.decided([{ subscriberId: 1 }]);
  write(it.store.db, (tx) =>
    append(tx, { account: { subscriberId: 2 }, ispId: 1, amount: 5, kind: "adjustment" }, NOW, by),
  );
  const events: string[] = [];
  it.feed.watch(everything, (counts) => events.push(...saying(counts)));
  it.feed.flush();
  expect(events).toEqual([]);
  it.feed.decided([{ subscriberId: 1 }]);
  it.feed.flush();
  expect(events).toEqual(["logins 1"]);
});

test("the clock tells once a second", async () => {
  using it = await opened();
  const events: string[] = [];
  it.feed.watch(everything, (counts) => events.push(...saying(counts)));
  it.feed.decided([{ subscriberId: 1 }]);
  it.feed.decided([{ subscriberId: 2 }]);
  expect(events).toEqual([]);
  await Bun.sleep(1100);
  expect(events).toEqual(["logins 2"]);
});

test("twice a minute sessions count as changed by themselves, for their figures grow older", async () => {
  using it = await opened();
  for (let seconds = 1; seconds < 30; seconds++) it.feed.flush();
  expect(it.take()).toEqual(Object.fromEntries(Object.keys(viewers).map((name) => [name, ["sessions 1"]])));
  expect(it.take()).toEqual({});
});

test("what comes from a router is told to its ISP, and what is no router's to everybody", async () => {
  const { store, feed, take } = await opened();
  feed.arrived([{ nasId: 1 }]);
  expect(take()).toEqual({ box: ["routers 1"], "ISP 1": ["routers 1"] });
  feed.arrived([{ nasId: null }, { nasId: null }]);
  expect(Object.keys(take())).toEqual(Object.keys(viewers));
  feed.stop();
  store[Symbol.dispose]();
});
