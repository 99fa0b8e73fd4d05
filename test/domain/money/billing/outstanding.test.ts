import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { asc, eq } from "drizzle-orm";
import { type Db, write } from "../../../../db/open.ts";
import { invoices, ledgerEntries, staff } from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { credit } from "../../../../src/domain/money/billing/credit.ts";
import { book } from "../../../../src/domain/money/billing/book.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { checkStore } from "../../../../src/domain/machine/check/check.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { importDataSet } from "../../../../src/domain/machine/imports/data-set/import.ts";
import { aPackage, by, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { runs } from "../../../support/runs.ts";
import { NOW, type TemporaryStore, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

/** Package 1 is prepaid and costs 22.00, 18.00 for the reseller; 2 is postpaid and costs 20.00, 15.00 for the reseller. */
async function isp(balance: string): Promise<TemporaryStore> {
  const store = temporaryStore();
  await loadIsp(store.db, {
    packages: [aPackage(2, { price: "20.00", reseller_price: "15.00", billing_type: "postpaid" })],
    subscribers: [newSubscriber(1, { balance, salesperson_id: 2 })],
  });
  const home = aPackage(1, { price: "22.00", reseller_price: "18.00" });
  await importDataSet(store.db, by, { packages: [home] }, { now: NOW });
  return store;
}

const format = (db: Db) =>
  db
    .select()
    .from(invoices)
    .orderBy(asc(invoices.id))
    .all()
    .map(({ open, paidAt }) => [open, paidAt]);
const commissions = (db: Db) =>
  db
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.staffId, 2))
    .all()
    .map(({ amount, kind, invoiceId }) => [kind, amount, invoiceId]);
const wrong = (db: Db) => checkStore(db, by, { now: NOW * 2 }).filter(({ severity }) => severity === "error");
/** A downward entry that is no invoice, as an import books it. */
const debit = (db: Db, amount: number, now: number) =>
  write(db, (tx) =>
    book(tx, { account: { subscriberId: 1 }, ispId: 1, amount: -amount, kind: "opening" }, now, by),
  );

test("a postpaid activation that the wallet covers is settled, and its commission booked, in the same transaction", async () => {
  using store = await isp("25.00");
  activate(store.db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
  expect(format(store.db)).toEqual([[0, NOW]]);
  expect(commissions(store.db)).toEqual([["commission", 500, 1]]);
  expect(wrong(store.db)).toEqual([]);
});

test("what the wallet covers in part stays open in part", async () => {
  using store = await isp("5.00");
  activate(store.db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
  expect(format(store.db)).toEqual([[1500, null]]);
  expect(commissions(store.db)).toEqual([]);
});

test("postpaid 20 and 20, pays 10: 10 and 20 are open; the commission comes when an invoice is settled as a whole", async () => {
  using store = await isp("0.00");
  const { db } = store;
  activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
  activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW + 120 });
  credit(db, by, { subscriberId: 1, amount: 1000 }, { now: NOW + 200 });
  expect(format(db)).toEqual([
    [1000, null],
    [2000, null],
  ]);
  expect(commissions(db)).toEqual([]);
  credit(db, by, { subscriberId: 1, amount: 1000 }, { now: NOW + 300 });
  expect(format(db)).toEqual([
    [0, NOW + 300],
    [2000, null],
  ]);
  expect(commissions(db)).toEqual([["commission", 500, 1]]);
  credit(db, by, { subscriberId: 1, amount: 9000 }, { now: NOW + 400 });
  expect(format(db)).toEqual([
    [0, NOW + 300],
    [0, NOW + 400],
  ]);
  expect(commissions(db)).toEqual([
    ["commission", 500, 1],
    ["commission", 500, 2],
  ]);
  expect(wrong(db)).toEqual([]);
});

test("what is owed lies on the newest charges: a debt without an invoice that is older than an invoice is paid first", async () => {
  using store = await isp("-50.00");
  const { db } = store;
  activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
  credit(db, by, { subscriberId: 1, amount: 5500 }, { now: NOW + 1 });
  expect(format(db)).toEqual([[1500, null]]);
  debit(db, 1000, NOW + 2);
  expect(format(db)).toEqual([[1500, null]]);
  credit(db, by, { subscriberId: 1, amount: 1500 }, { now: NOW + 3 });
  expect(format(db)).toEqual([[0, NOW + 3]]);
  expect(readBalance(db, { subscriberId: 1 })).toBe(-1000);
  expect(wrong(db)).toEqual([]);
});

test("an invoice that opens again gives its commission back, below zero where the reseller has none left", async () => {
  using store = await isp("0.00");
  const { db } = store;
  activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
  // as after an entry that takes back what had settled it
  const reseller = { account: { staffId: 2 }, ispId: 1 };
  write(db, (tx) => {
    tx.update(invoices).set({ open: 0, paidAt: NOW }).run();
    book(tx, { ...reseller, amount: 500, kind: "commission", invoiceId: 1 }, NOW, by);
    book(tx, { ...reseller, amount: -400, kind: "opening" }, NOW, by);
  });
  credit(db, by, { subscriberId: 1, amount: 1 }, { now: NOW + 1 });
  expect(format(db)).toEqual([[1999, null]]);
  expect(commissions(db).at(-1)).toEqual(["commission", -500, 1]);
  expect(readBalance(db, { staffId: 2 })).toBe(-400);
  credit(db, by, { subscriberId: 1, amount: 1999 }, { now: NOW + 2 });
  expect(readBalance(db, { staffId: 2 })).toBe(100);
  expect(wrong(db)).toEqual([]);
});

test("an import that lifts a balance settles what it covers", async () => {
  using store = await isp("0.00");
  const { db } = store;
  activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
  await importDataSet(db, by, { subscribers: [{ id: 1, balance: "-5.00" }] }, { now: NOW + 1 });
  expect(format(db)).toEqual([[500, null]]);
  await importDataSet(db, by, { subscribers: [{ id: 1, balance: "-8.00" }] }, { now: NOW + 2 });
  expect(format(db)).toEqual([[500, null]]);
  await importDataSet(db, by, { subscribers: [{ id: 1, balance: "3.00" }] }, { now: NOW + 3 });
  expect(format(db)).toEqual([[0, NOW + 3]]);
  expect(commissions(db)).toEqual([["commission", 500, 1]]);
  expect(wrong(db)).toEqual([]);
});

test("a free package is settled at once", async () => {
  using store = await isp("-1.00");
  const { db } = store;
  await importDataSet(
    db,
    by,
    { packages: [aPackage(3, { price: 0, billing_type: "postpaid" })] },
    { now: NOW },
  );
  activate(db, by, { subscriberId: 1, packageId: 3 }, { now: NOW });
  expect(format(db)).toEqual([[0, NOW]]);
  expect(wrong(db)).toEqual([]);
});

type Step = { what: "prepaid" | "postpaid" | "credit" | "debit" | "seller"; amount: number };
const steps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom("prepaid", "postpaid", "credit", "debit", "seller"),
    amount: fc.integer({ min: 1, max: 6000 }),
  }),
  { maxLength: 25 },
);

/** What must be open of each charge, the newest last: counted the slow way, from all entries. */
function expected(db: Db): Map<number, number> {
  let left = Math.max(0, -readBalance(db, { subscriberId: 1 }));
  const open = new Map<number, number>();
  const entries = db.select().from(ledgerEntries).where(eq(ledgerEntries.subscriberId, 1)).all();
  for (const { amount, invoiceId } of entries.toReversed()) {
    if (amount >= 0) continue;
    const part = Math.min(-amount, left);
    left -= part;
    if (invoiceId !== null) open.set(invoiceId, part);
  }
  return open;
}

test("any order of activations, credits and corrections keeps what is open, and commission only for what is settled", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -5000, max: 5000 }), steps, async (opening, taken) => {
      using store = await isp((opening / 100).toFixed(2));
      const { db } = store;
      for (const [index, { what, amount }] of taken.entries()) {
        const now = NOW + index * 200;
        if (what === "credit") credit(db, by, { subscriberId: 1, amount }, { now });
        else if (what === "debit") debit(db, amount, now);
        else if (what === "seller")
          db.update(staff)
            .set({ status: amount % 2 })
            .where(eq(staff.id, 2))
            .run();
        else
          try {
            activate(db, by, { subscriberId: 1, packageId: what === "prepaid" ? 1 : 2 }, { now });
          } catch (error) {
            if (!(error instanceof DomainError && error.kind === "refused")) throw error;
          }
        const open = expected(db);
        let settled = 0;
        for (const invoice of db.select().from(invoices).all()) {
          expect(invoice.open).toBe(open.get(invoice.id) ?? 0);
          expect(invoice.paidAt === null).toBe(invoice.open > 0);
          if (invoice.open === 0) settled += invoice.commission;
        }
        expect(readBalance(db, { staffId: 2 })).toBe(settled);
      }
      expect(wrong(db)).toEqual([]);
    }),
    runs(6, 40),
  );
});
