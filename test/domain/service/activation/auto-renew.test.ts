import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import {
  auditEntries,
  autoRenewals,
  invoices,
  ledgerEntries,
  services,
  sessions,
} from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { listRenewals } from "../../../../src/domain/service/activation/renewals.ts";
import { credit } from "../../../../src/domain/money/billing/credit.ts";
import { voidSoldInvoice } from "../../../../src/domain/desk/void/void.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { AutoRenewer } from "../../../../src/domain/service/control/auto-renewer.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { formatTime, parseTime } from "../../../../src/domain/core/time/time.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aPackage, aSubscriber, by, DAY, undoneIspStores, newSubscriber } from "../../../support/isp.ts";
import { grantedAt, insertSessions } from "../../../support/sessions.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

const HOUR = 3600;
const END = NOW + 10 * DAY;
let store: TemporaryStore;
let db: Db;
let now: number;
let routers: RecordedRouters;
let failed: string[];
let renewer: AutoRenewer;

/** As at a start of the appliance. */
function start(): void {
  renewer = new AutoRenewer(db, { clock: () => now, routers, failed: (reason) => failed.push(reason) });
}

/** Subscriber 1 ends in ten days, has 100.00, package 1 (15.00 a month), and renews by itself; 2 does not. */
beforeEach(async () => {
  now = NOW;
  routers = new RecordedRouters();
  failed = [];
  store = await ispStore({
    packages: [
      aPackage(2, { billing_type: "postpaid", price: "20.00" }),
      aPackage(3, { duration: 1, duration_unit: "hour", price: "1.00" }),
      aPackage(4, { price: "30.00" }),
    ],
    subscribers: [aSubscriber(1, { auto_renew: 1 }), aSubscriber(2), newSubscriber(3, { auto_renew: 1 })],
  });
  db = store.db;
  start();
});
afterEach(() => store[Symbol.dispose]());

const run = (at: number) => {
  now = at;
  return renewer.run();
};
const end = () => db.select().from(services).get()?.expiresAt ?? 0;
const tries = () =>
  db
    .select()
    .from(autoRenewals)
    .all()
    .map(({ expiresAt, renewedAt, reason }) => [expiresAt, renewedAt, reason]);
const pay = (amount: number) => credit(db, by, { subscriberId: 1, amount }, { now });
/** Takes all that the wallet holds. */
function spend(): void {
  const amount = -readBalance(db, { subscriberId: 1 });
  db.insert(ledgerEntries)
    .values({
      ispId: 1,
      subscriberId: 1,
      amount,
      balanceAfter: 0,
      kind: "refund",
      createdAt: now,
      day: 20300115,
    })
    .run();
}

describe("a service renews by itself", () => {
  test("an hour before its end, once, from its end on, and the audit trail says that the appliance did", async () => {
    expect(await run(END - HOUR - 1)).toMatchObject({ renewed: 0, refused: 0 });
    expect(await run(END - HOUR + 15)).toMatchObject({ renewed: 1, refused: 0, messages: [] });
    expect(formatTime(end())).toBe("2030-02-25 12:00:00");
    expect(tries()).toEqual([[END, END - HOUR + 15, null]]);
    expect(await run(END - HOUR + 300)).toMatchObject({ renewed: 0 });
    expect(db.select().from(auditEntries).all().at(-1)).toMatchObject({
      action: "subscriber.activate",
      actor: "gatehouse",
      source: "system",
    });
    expect(db.select().from(invoices).all()).toHaveLength(1);
  });

  test.each<[string, (db: Db) => void, number]>([
    [
      "by the setting",
      (db) => void changeSetting(db, by, { key: "auto_renew_lead", value: 120, ispId: 1 }, { now }),
      2 * HOUR,
    ],
    [
      "at most a tenth of the period",
      (db) => void db.$client.run("UPDATE packages SET duration = 5, duration_unit = 'hour'"),
      HOUR / 2,
    ],
    [
      "with another package at the end",
      (db) => void db.$client.run("UPDATE subscribers SET package_id = 4"),
      0,
    ],
  ])("so long before: %s", async (_, change, lead) => {
    change(db);
    expect(await run(END - lead - 1)).toMatchObject({ renewed: 0, refused: 0 });
    expect(await run(END - lead + 15)).toMatchObject({ renewed: 1 });
  });

  test("without money not; at once when it arrives, before the end and after it", async () => {
    spend();
    expect(await run(END - HOUR)).toMatchObject({ renewed: 0, refused: 1 });
    expect(tries()).toEqual([[END, null, expect.stringContaining("the wallet holds 0.00")]]);
    pay(1400);
    expect(await run(END - HOUR + 1)).toMatchObject({ refused: 1 });
    now = END + DAY;
    expect(await run(now)).toMatchObject({ refused: 1 }); // an hour has passed
    expect(await run(now + 1)).toMatchObject({ refused: 0 });
    pay(100);
    expect(await run(now + 1)).toMatchObject({ renewed: 1 });
    expect(formatTime(end())).toBe("2030-02-26 12:00:02");
    expect(tries()).toEqual([[END, END + DAY + 2, null]]);
  });

  test("after the appliance was down, whoever ended meanwhile, with money that came meanwhile", async () => {
    spend();
    await run(END - HOUR);
    now = END + 2 * DAY;
    pay(1500);
    start();
    expect(await run(END + 3 * DAY)).toMatchObject({ renewed: 1 });
    expect(end()).toBe(END + 3 * DAY + 31 * DAY);
  });

  test("when what stood in the way is gone: the profile was changed", async () => {
    db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 1");
    expect(await run(END - HOUR)).toMatchObject({ refused: 1 });
    expect(tries()).toEqual([[END, null, "the subscriber is disabled; enable it first"]]);
    expect(await run(END - HOUR + 60)).toMatchObject({ refused: 0 });
    db.$client.run(`UPDATE subscribers SET status = 1, updated_at = ${END - HOUR + 70} WHERE id = 1`);
    expect(await run(END - HOUR + 120)).toMatchObject({ renewed: 1 });
  });

  test("a salesperson who is missing or disabled stops nothing: no commission, and it is told", async () => {
    db.$client.run("UPDATE packages SET reseller_price = 100");
    db.$client.run("UPDATE subscribers SET salesperson_id = 2 WHERE id = 1");
    db.$client.run("UPDATE staff SET status = 0 WHERE id = 2");
    const { messages: result } = await run(END - HOUR);
    expect(result).toEqual([
      expect.stringContaining("user1 renewed with no commission: the subscriber's reseller is disabled"),
    ]);
    expect(tries()).toEqual([[END, END - HOUR, expect.stringContaining("no commission")]]);
    expect(db.select().from(invoices).get()).toMatchObject({ commission: 0, sellerId: null });
    expect(readBalance(db, { staffId: 2 })).toBe(0);
  });

  test("an activation a moment ago postpones it", async () => {
    db.$client.run(`UPDATE services SET activated_at = ${END - HOUR - 60} WHERE subscriber_id = 1`);
    expect(await run(END - HOUR)).toMatchObject({ refused: 1 });
    expect(await run(END - HOUR + 30)).toMatchObject({ renewed: 0, refused: 0 });
    expect(await run(END - HOUR + 61)).toMatchObject({ renewed: 1 });
  });

  test("what is frozen waits; an extension moves it", async () => {
    db.$client.run(`UPDATE services SET frozen_at = ${NOW} WHERE subscriber_id = 1`);
    expect(await run(END + DAY)).toMatchObject({ renewed: 0, refused: 0 });
    db.$client.run("UPDATE services SET frozen_at = NULL");
    extend(db, by, { subscriberId: 1, until: END + 2 * DAY, reason: "storm", trust: false }, { now: END });
    expect(await run(END + DAY)).toMatchObject({ renewed: 0 });
    expect(await run(END + 2 * DAY - HOUR)).toMatchObject({ renewed: 1 });
  });

  test("a renewal that is void is not made again by itself", async () => {
    await run(END - HOUR);
    voidSoldInvoice(db, by, { invoiceId: 1, reason: "left", endService: true }, { now: END - 60 });
    expect(end()).toBe(END);
    start();
    expect(await run(END + DAY)).toMatchObject({ renewed: 0, refused: 0 });
    // nor one that staff had made
    activate(db, by, { subscriberId: 1, packageId: 1 }, { now });
    voidSoldInvoice(db, by, { invoiceId: 2, reason: "left", endService: true }, { now });
    expect(await run(END + 2 * DAY)).toMatchObject({ renewed: 0, refused: 0 });
  });
});

describe("what is paid later", () => {
  test.each<[string, owed: number, limit: number | null, renewed: number]>([
    ["nothing is owed", 0, null, 1],
    ["one price is owed", 2000, null, 1],
    ["more than one price is owed", 2001, null, 0],
    ["within the limit", 5000, 5000, 1],
    ["above the limit", 5001, 5000, 0],
    ["a limit of nothing", 1, 0, 0],
  ])("%s", async (_, owed, limit, renewed) => {
    spend();
    db.$client.run("UPDATE subscribers SET package_id = 2, credit_limit = ? WHERE id = 1", [limit]);
    db.$client.run("UPDATE services SET package_id = 2");
    if (owed > 0)
      db.insert(ledgerEntries)
        .values({
          ispId: 1,
          subscriberId: 1,
          amount: -owed,
          balanceAfter: -owed,
          kind: "adjustment",
          createdAt: now,
          day: 20300115,
        })
        .run();
    expect(await run(END - HOUR)).toMatchObject({ renewed, refused: 1 - renewed });
    // by hand there is no limit
    if (renewed === 0) activate(db, by, { subscriberId: 1, packageId: 2 }, { now });
  });
});

describe("an open session", () => {
  test("is told its new end by CoA, and that once", async () => {
    insertSessions(db, grantedAt(db));
    await run(END - HOUR);
    await renewer.stop();
    expect(routers.take()).toEqual([`timeout 81000001 ${end() - (NOW - HOUR)}`]);
    start();
    await run(END - HOUR + 60);
    await renewer.stop();
    expect(routers.take()).toEqual([]);
  });

  test("whose router does not take it goes on, and that is told", async () => {
    insertSessions(db, grantedAt(db));
    routers.answer = { kind: "failed", reason: "the router core is not asked over RADIUS" };
    await run(END - HOUR);
    await renewer.stop();
    expect(failed).toEqual(["user1: the router core is not asked over RADIUS"]);
    expect(db.select().from(sessions).get()?.stoppedAt).toBeNull();
  });
});

describe("a week ahead", () => {
  const listed = (at: number, descending = false) =>
    listRenewals(db, by, { limit: 9, offset: 0, descending }, { now: at }).renewals;
  test("nothing is due in eight days", () => {
    expect(listed(END - 8 * DAY)).toEqual([]);
  });

  test("each with the time at which it renews, and nothing against it", () => {
    expect(listed(END - 7 * DAY)).toMatchObject([
      { id: 1, price: 1500, expiresAt: END, renewsAt: END - HOUR, reason: null },
    ]);
  });

  test("the first or the last of them first", () => {
    now = NOW + HOUR;
    activate(db, by, { subscriberId: 3, packageId: 1 }, { now });
    const ids = (descending: boolean) => listed(END - DAY, descending).map(({ id }) => id);
    db.$client.run("UPDATE services SET expires_at = ? WHERE subscriber_id = 3", [END + HOUR]);
    expect([ids(false), ids(true)]).toEqual([
      [1, 3],
      [3, 1],
    ]);
  });

  test.each<[string, string, string]>([
    ["money", "UPDATE packages SET price = 99999999", "insufficient balance"],
    ["a disabled subscriber", "UPDATE subscribers SET status = 0", "enable it first"],
    ["a disabled package", "UPDATE packages SET status = 0", "choose another one"],
    ["a connection type", "UPDATE subscribers SET connection_type_id = 5", "connection type 5"],
    ["a freeze", `UPDATE services SET frozen_at = ${NOW}`, "thaw first"],
  ])("why it will fail: %s", (_, change, reason) => {
    db.$client.run(change);
    const [found] = listed(END - DAY);
    expect(found?.reason ?? "").toContain(reason);
  });
});

describe("a year in Berlin", () => {
  const zone = process.env["TZ"];
  beforeEach(() => {
    process.env["TZ"] = "Europe/Berlin";
  });
  afterEach(() => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });
  const at = (text: string) => parseTime(text) ?? 0;

  test.each([
    ["the 31st", "2030-01-31 02:30:00", 1],
    ["the 15th", "2030-01-15 12:00:00", 1],
    ["every 30 days", "2030-01-10 23:59:59", 30],
  ])("from %s: every period once, none of them free or lost", async (_, first, count) => {
    db.$client.run("UPDATE packages SET duration = ?, duration_unit = ? WHERE id = 1", [
      count,
      count === 1 ? "month" : "day",
    ]);
    db.$client.run("DELETE FROM services WHERE subscriber_id = 1");
    now = at(first);
    activate(db, by, { subscriberId: 1, packageId: 1 }, { now });
    pay(1_000_000);
    const begin = now;
    // every hour; every three weeks the appliance starts anew, and is down for half an hour
    for (let tick = 0; now < begin + 365 * DAY; tick++) {
      now += tick % 500 === 499 ? 5400 : 3600;
      if (tick % 500 === 499) start();
      await renewer.run();
    }
    const periods = db.select().from(invoices).all();
    expect(periods).toHaveLength(13);
    for (const [index, { periodStart, periodEnd }] of periods.entries()) {
      expect(periodStart).toBe(periods[index - 1]?.periodEnd ?? begin);
      // the same hour on the wall, whatever the clocks did, but where they leapt over it
      const hour = formatTime(periodEnd).slice(11);
      if (hour !== first.slice(11)) expect([hour, first.slice(11)]).toEqual(["03:30:00", "02:30:00"]);
      expect(periodEnd - periodStart).toBeGreaterThanOrEqual(28 * DAY - HOUR);
      expect(periodEnd - periodStart).toBeLessThanOrEqual(31 * DAY + HOUR);
    }
    if (first.startsWith("2030-01-31"))
      expect(periods.map(({ periodEnd }) => formatTime(periodEnd).slice(5, 10))).toEqual([
        "02-28",
        "03-31",
        "04-30",
        "05-31",
        "06-30",
        "07-31",
        "08-31",
        "09-30",
        "10-31",
        "11-30",
        "12-31",
        "01-31",
        "02-28",
      ]);
    expect(tries().every(([, renewedAt, reason]) => renewedAt !== null && reason === null)).toBe(true);
    expect(end()).toBe(periods.at(-1)?.periodEnd ?? 0);
  });

  test("with wallets that are empty in between: it goes on from the end, or from the money, and pays for each period", async () => {
    db.$client.run("DELETE FROM services WHERE subscriber_id = 1");
    now = at("2030-01-31 12:00:00");
    activate(db, by, { subscriberId: 1, packageId: 1 }, { now });
    spend();
    const begin = now;
    let gap = 0;
    for (let tick = 0; now < begin + 330 * DAY; tick++) {
      now += 3600;
      const last = end();
      // in the first half money comes before the end, then five days after it
      const wait = now < begin + 150 * DAY ? -2 * DAY : 5 * DAY;
      if (now >= last + wait && readBalance(db, { subscriberId: 1 }) === 0) pay(1500);
      const { renewed } = await renewer.run();
      if (renewed > 0 && now > last) gap += now - last;
    }
    const periods = db.select().from(invoices).all();
    expect(periods.length).toBeGreaterThan(9);
    let lost = 0;
    for (const [index, { periodStart }] of periods.entries()) {
      const before = periods[index - 1]?.periodEnd ?? begin;
      expect(periodStart).toBeGreaterThanOrEqual(before);
      lost += periodStart - before;
    }
    expect(lost).toBe(gap);
    expect(readBalance(db, { subscriberId: 1 })).toBeGreaterThanOrEqual(0);
    expect(new Set(tries().map(([expiresAt]) => expiresAt)).size).toBe(tries().length);
  });
});
