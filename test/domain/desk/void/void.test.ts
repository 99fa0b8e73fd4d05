import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { invoices, ledgerEntries, services } from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { voidSoldInvoice } from "../../../../src/domain/desk/void/void.ts";
import { importDataSet } from "../../../../src/domain/machine/imports/data-set/import.ts";
import { freezeService, thawSubscriber } from "../../../../src/domain/desk/subscriber-page/freeze-service.ts";
import { write } from "../../../../db/open.ts";
import { formatTime } from "../../../../src/domain/core/time/time.ts";
import { aPackage, by, DAY, undoneIspStores, newSubscriber } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";

const ispStore = undoneIspStores();

/** Package 1 is prepaid and costs 15.00 a month, 2 is postpaid, 20.00. The wallet holds 100.00. */
const isp = () =>
  ispStore({
    packages: [aPackage(2, { price: "20.00", reseller_price: "15.00", billing_type: "postpaid" })],
    subscribers: [newSubscriber(1, { salesperson_id: 2 })],
  });

const sell = (db: Db, packageId: number, now: number) =>
  activate(db, by, { subscriberId: 1, packageId }, { now });
const wallet = (db: Db) => readBalance(db, { subscriberId: 1 });
const reseller = (db: Db) => readBalance(db, { staffId: 2 });
const voidOne = (db: Db, invoiceId: number, now: number, endService = false) =>
  voidSoldInvoice(db, by, { invoiceId, reason: "mistake", endService }, { now });
/** But for the password, which each activation seals anew. */
function theService(db: Db) {
  const found = db.select().from(services).get();
  return found && { ...found, passwordSealed: null, ntHashSealed: null };
}

describe("an invoice that is void", () => {
  test("gives back its price and takes back its commission, and keeps its number", async () => {
    using store = await isp();
    const { db } = store;
    sell(db, 2, NOW);
    expect([wallet(db), reseller(db)]).toEqual([8000, 500]);
    expect(voidOne(db, 1, NOW + 60)).toEqual({
      invoiceId: 1,
      number: "I-2030-000001",
      subscriberId: 1,
      amount: 2000,
    });
    expect([wallet(db), reseller(db)]).toEqual([10_000, 0]);
    expect(db.select().from(invoices).get()).toMatchObject({
      number: "I-2030-000001",
      voidedAt: NOW + 60,
      voidReason: "mistake",
      voidedActor: "root",
      open: 0,
    });
    expect(theService(db)?.expiresAt).toBe(NOW + 31 * DAY);
    const last = db
      .select()
      .from(ledgerEntries)
      .all()
      .find(({ kind }) => kind === "void");
    expect(last).toMatchObject({ amount: 2000, invoiceId: 1, aboutId: 2, reason: "mistake" });
  });

  test("passes on what was paid to the others", async () => {
    using store = await isp();
    const { db } = store;
    for (let count = 0; count < 6; count++) sell(db, 2, NOW + count * 200);
    expect(
      db
        .select()
        .from(invoices)
        .all()
        .map(({ open }) => open),
    ).toEqual([0, 0, 0, 0, 0, 2000]);
    voidOne(db, 1, NOW + 2000);
    expect(
      db
        .select()
        .from(invoices)
        .all()
        .map(({ open }) => open),
    ).toEqual([0, 0, 0, 0, 0, 0]);
    expect(reseller(db)).toBe(5 * 500);
  });

  test("is answered once: 409 with when", async () => {
    using store = await isp();
    sell(store.db, 1, NOW);
    voidOne(store.db, 1, NOW + 60);
    expect(() => voidOne(store.db, 1, NOW + 120)).toThrow(
      `the invoice I-2030-000001 is void since ${formatTime(NOW + 60)}`,
    );
    expect(wallet(store.db)).toBe(10_000);
  });
});

describe("with its service", () => {
  test("the first activation: there is no service any more", async () => {
    using store = await isp();
    sell(store.db, 1, NOW);
    voidOne(store.db, 1, NOW + 60, true);
    expect(theService(store.db)).toBeUndefined();
    sell(store.db, 1, NOW + 61);
    expect(theService(store.db)?.expiresAt).toBe(NOW + 61 + 31 * DAY);
  });

  test("renewals one after the other, each back to what was before: terms, day of renewal, quota, extension", async () => {
    using store = await isp();
    const { db } = store;
    sell(db, 1, NOW);
    extend(db, by, { subscriberId: 1, hours: 24, reason: "storm", trust: true }, { now: NOW + 100 });
    db.$client.run("UPDATE services SET quota_used = 5, quota_total = 9, address_list = 'vip'");
    const states = [theService(db)];
    for (const now of [NOW + 200, NOW + 400]) {
      sell(db, 1, now);
      states.push(theService(db));
    }
    for (const [index, invoiceId] of [3, 2].entries()) {
      voidOne(db, invoiceId, NOW + 900 + index, true);
      expect(theService(db)).toEqual(states[1 - index]);
    }
  });

  const refusals: [string, (db: Db) => unknown, string][] = [
    ["a newer invoice", (db) => sell(db, 1, NOW + 200), "the invoice I-2030-000002 was written after it"],
    [
      "an extension",
      (db) =>
        extend(db, by, { subscriberId: 1, hours: 1, reason: "storm", trust: false }, { now: NOW + 200 }),
      `an extension of ${formatTime(NOW + 200)} by root moved its end`,
    ],
    [
      "an extension in the same second",
      (db) => extend(db, by, { subscriberId: 1, hours: 1, reason: "storm", trust: false }, { now: NOW }),
      `an extension of ${formatTime(NOW)} by root moved its end`,
    ],
    [
      "a freeze",
      (db) => write(db, (tx) => freezeService(tx, by, 1, NOW + 200)),
      `a freeze of ${formatTime(NOW + 200)} by root moved its end`,
    ],
    [
      "a freeze that is over",
      (db) => {
        write(db, (tx) => freezeService(tx, by, 1, NOW + 200));
        thawSubscriber(db, by, { subscriberId: 1 }, { now: NOW + 300 });
      },
      `a freeze of ${formatTime(NOW + 200)} by root moved its end`,
    ],
    [
      "an import",
      (db) =>
        importDataSet(
          db,
          by,
          { subscribers: [{ id: 1, current_expiration_date: "2031-01-01 00:00:00" }] },
          { now: NOW },
        ),
      "an import",
    ],
    [
      "nothing, but it is from before",
      (db) => db.$client.run("UPDATE invoices SET service_before = NULL"),
      "does not say what the service was",
    ],
  ];
  test.each(refusals)("since then %s: 409 names it, and nothing is changed", async (_, move, words) => {
    using store = await isp();
    const { db } = store;
    sell(db, 1, NOW);
    await move(db);
    const before = [db.select().from(invoices).all(), db.select().from(ledgerEntries).all(), theService(db)];
    expect(() => voidOne(db, 1, NOW + 900, true)).toThrow(words);
    const after = [db.select().from(invoices).all(), db.select().from(ledgerEntries).all(), theService(db)];
    expect(after).toEqual(before);
    voidOne(db, 1, NOW + 901); // without its service it goes
  });

  test("an extension before it is none since", async () => {
    using store = await isp();
    const { db } = store;
    sell(db, 1, NOW);
    extend(db, by, { subscriberId: 1, hours: 1, reason: "storm", trust: false }, { now: NOW + 200 });
    sell(db, 1, NOW + 200);
    voidOne(db, 2, NOW + 300, true);
    expect(theService(db)?.expiresAt).toBe(NOW + 31 * DAY + 3600);
  });
});
