import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { creditNotes, invoices, ledgerEntries, services } from "../../../../db/schema.ts";
import { activate, quote } from "../../../../src/domain/service/activation/activate.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { voidSoldInvoice } from "../../../../src/domain/desk/void/void.ts";
import { importDataSet } from "../../../../src/domain/machine/imports/data-set/import.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { aPackage, by, DAY, undoneIspStores, newSubscriber } from "../../../support/isp.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

const FAMILY = 1;
const HOME = 2;
const VOLUME = 3;

/** Family is 22.00 for 30 days, 18.00 for the reseller; Home 12.00; Volume 20.00 with 1000 bytes. The wallet holds 22.00. */
async function isp(balance = "22.00"): Promise<TemporaryStore> {
  const days = { duration: 30, duration_unit: "day" };
  const store = await ispStore({
    packages: [
      aPackage(HOME, { ...days, price: "12.00" }),
      aPackage(VOLUME, { ...days, price: "20.00", data_quota_bytes: 1000 }),
    ],
    subscribers: [newSubscriber(1, { balance, salesperson_id: 2 })],
  });
  const family = aPackage(FAMILY, { ...days, name: "Family", price: "22.00", reseller_price: "18.00" });
  await importDataSet(store.db, by, { packages: [family] }, { now: NOW });
  return store;
}

const sell = (db: Db, packageId: number, now: number, creditUnused = false) =>
  activate(db, by, { subscriberId: 1, packageId, creditUnused }, { now });
const reseller = (db: Db) => readBalance(db, { staffId: 2 });
const wallet = (db: Db) => readBalance(db, { subscriberId: 1 });
const kinds = (db: Db, from = 0) =>
  db
    .select()
    .from(ledgerEntries)
    .all()
    .filter(({ kind }) => kind !== "opening")
    .slice(from)
    .map(({ kind, amount, staffId }) => [staffId === null ? "S" : "R", kind, amount]);
const voidOne = (db: Db, invoiceId: number, now: number, endService = false) =>
  voidSoldInvoice(db, by, { invoiceId, reason: "mistake", endService }, { now });

describe("Family with 25 of 30 days left to Home", () => {
  const later = NOW + 5 * DAY;

  test("the unused part is credited, and its commission taken back in proportion; then Family is void", async () => {
    using store = await isp();
    const { db } = store;
    sell(db, FAMILY, NOW);
    expect(reseller(db)).toBe(400);
    expect(sell(db, HOME, later, true)).toMatchObject({ charged: 1200, credited: 1833 });
    expect(kinds(db, 2)).toEqual([
      ["S", "unused", 1833],
      ["R", "commission", -333],
      ["S", "activation", -1200],
    ]);
    const before = wallet(db);
    expect(voidOne(db, 1, later)).toMatchObject({ amount: 367 });
    expect(kinds(db, 5)).toEqual([
      ["S", "void", 367],
      ["R", "commission", -67],
    ]);
    expect([wallet(db) - before, reseller(db)]).toEqual([367, 0]);
  });

  test("the credit note has a number of the invoices' series and the tax rate of its invoice; the period ends now", async () => {
    using store = await isp();
    const { db } = store;
    changeSetting(db, by, { key: "tax_percent", value: 18, ispId: 1 }, { now: NOW });
    sell(db, FAMILY, NOW);
    changeSetting(db, by, { key: "tax_percent", value: 0, ispId: 1 }, { now: NOW });
    sell(db, HOME, later, true);
    expect(db.select().from(creditNotes).all()).toMatchObject([
      { number: "I-2030-000002", invoiceId: 1, amount: 1833, tax: 1833 - 1553 },
    ]);
    const [family, home] = db.select().from(invoices).all();
    expect(family).toMatchObject({ amount: 2200, tax: 336, credited: 1833, periodEnd: later });
    expect(home).toMatchObject({ number: "I-2030-000003", tax: 0 });
  });

  test("Home is void with its service: Family goes on, and the credit is taken back", async () => {
    using store = await isp();
    const { db } = store;
    sell(db, FAMILY, NOW);
    db.$client.run("UPDATE services SET quota_used = 77, rate_limit = '7M/7M'");
    const [before] = db.select().from(services).all();
    const [family] = db.select().from(invoices).all();
    sell(db, HOME, later, true);
    voidOne(db, 2, later + 60, true);
    const [after] = db.select().from(services).all();
    const { passwordSealed: _, ntHashSealed: __, ...kept } = before ?? {};
    expect(after).toMatchObject(kept);
    expect(db.select().from(invoices).get()).toEqual({ ...family, credited: 0 } as never);
    expect(kinds(db, 5)).toEqual([
      ["S", "void", 1200],
      ["S", "unused", -1833],
      ["R", "commission", 333],
    ]);
    expect([wallet(db), reseller(db)]).toEqual([0, 400]);
    expect(
      db
        .select()
        .from(creditNotes)
        .all()
        .map(({ amount }) => amount),
    ).toEqual([1833, -1833]);
    expect(db.$client.query("SELECT package_id FROM subscribers").get()).toEqual({ package_id: FAMILY });
  });

  test("the quote says the same beforehand, and changes nothing", async () => {
    using store = await isp();
    const { db } = store;
    sell(db, FAMILY, NOW);
    const count = kinds(db).length;
    const quoted = quote(db, by, { subscriberId: 1, packageId: HOME, creditUnused: true }, { now: later });
    expect(quoted).toMatchObject({
      expiresAt: later + 30 * DAY,
      credited: 1833,
      balance: 0,
      balanceAfter: 633,
      paid: [{ staffId: 2, name: "Rex", amount: -333, isNow: true }],
    });
    expect(kinds(db)).toHaveLength(count);
    const done = sell(db, HOME, later, true);
    expect([done.expiresAt, done.credited, wallet(db)]).toEqual([
      quoted.expiresAt,
      quoted.credited,
      quoted.balanceAfter,
    ]);
  });

  test("without the credit the wallet does not hold the price, and says so", async () => {
    using store = await isp();
    sell(store.db, FAMILY, NOW);
    expect(() => sell(store.db, HOME, later)).toThrow("the wallet holds 0.00; credit");
    expect(() => sell(store.db, HOME, NOW + 29 * DAY, true)).toThrow(
      "the wallet holds 0.00 and 0.73 of what was unused",
    );
  });
});

describe("what is left", () => {
  test.each<[string, number, string, number]>([
    ["half of the volume and nearly all of the time", NOW + DAY, "500", 1000],
    ["all of the volume and half of the time", NOW + 15 * DAY, "0", 1000],
    ["nothing of the volume", NOW + DAY, "1000", 0],
    ["more used than there was", NOW + DAY, "5000", 0],
    ["a third of the volume, rounded down", NOW + DAY, "667", 666],
  ])("of a quota: %s", async (_, now, used, credited) => {
    using store = await isp("90.00");
    const { db } = store;
    sell(db, VOLUME, NOW);
    db.$client.run(`UPDATE services SET quota_used = ${used}`);
    expect(sell(db, HOME, now, true).credited).toBe(credited);
    expect(db.select().from(creditNotes).all()).toHaveLength(credited === 0 ? 0 : 1);
    expect(db.select().from(invoices).get()?.periodEnd).toBe(now);
  });

  test("of a quota that was used up before a renewal counted anew: nothing", async () => {
    using store = await isp("90.00");
    const { db } = store;
    sell(db, VOLUME, NOW);
    db.$client.run("UPDATE services SET quota_used = 750");
    sell(db, VOLUME, NOW + DAY);
    // a quarter of the first one was left when the count began anew, and the second one has not begun
    expect(sell(db, HOME, NOW + 2 * DAY, true).credited).toBe(500 + 2000);
  });

  test("of a quota that was used up before another package: nothing", async () => {
    using store = await isp("90.00");
    const { db } = store;
    sell(db, VOLUME, NOW);
    db.$client.run("UPDATE services SET quota_used = 1000");
    sell(db, HOME, NOW + 15 * DAY);
    expect(sell(db, FAMILY, NOW + 16 * DAY, true).credited).toBe(1160);
  });

  test("of a period that has not begun: all of it", async () => {
    using store = await isp("90.00");
    const { db } = store;
    sell(db, FAMILY, NOW);
    sell(db, FAMILY, NOW + 200);
    expect(sell(db, HOME, NOW + 15 * DAY, true).credited).toBe(1100 + 2200);
    // they are credited once
    expect(sell(db, FAMILY, NOW + 16 * DAY, true).credited).toBe(1160);
  });

  test.each<[string, number, number]>([
    ["of the same package: nothing, it is renewed", FAMILY, NOW + 5 * DAY],
    ["after its end: nothing", HOME, NOW + 31 * DAY],
  ])("%s", async (_, packageId, now) => {
    using store = await isp("90.00");
    sell(store.db, FAMILY, NOW);
    expect(sell(store.db, packageId, now, true).credited).toBe(0);
  });

  test("of what is void: nothing", async () => {
    using store = await isp("90.00");
    sell(store.db, FAMILY, NOW);
    voidOne(store.db, 1, NOW + 60);
    expect(sell(store.db, HOME, NOW + 200, true).credited).toBe(0);
  });

  test("of days that were given: nothing", async () => {
    using store = await isp("90.00");
    sell(store.db, FAMILY, NOW);
    store.db.$client.run("UPDATE services SET expires_at = expires_at + 864000");
    expect(sell(store.db, HOME, NOW + 15 * DAY, true).credited).toBe(1100);
  });
});
