import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Db, write } from "../../../../db/open.ts";
import { creditNotes, invoices, services } from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { commissionDue } from "../../../../src/domain/money/billing/commission.ts";
import { credit } from "../../../../src/domain/money/billing/credit.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { voidSoldInvoice } from "../../../../src/domain/desk/void/void.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { freezeService, thawSubscriber } from "../../../../src/domain/desk/subscriber-page/freeze-service.ts";
import { aPackage, by, DAY, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { runs } from "../../../support/runs.ts";
import { NOW, undoneTemplate } from "../../../support/store.ts";

const one = { subscriberId: 1 };
const store = undoneTemplate(async (db) => {
  await loadIsp(db, {
    packages: [
      aPackage(2, { price: "22.01", reseller_price: "18.00", duration: 30, duration_unit: "day" }),
      aPackage(3, { price: "20.00", reseller_price: "13.33", billing_type: "postpaid" }),
      aPackage(4, { price: "0.00", data_quota_bytes: 1000 }),
    ],
    subscribers: [newSubscriber(1, { salesperson_id: 2 })],
  });
});

/** What may be done; each at a moment of its own, of which some are refused. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant("sell" as const),
    packageId: fc.integer({ min: 1, max: 4 }),
    creditUnused: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("void" as const),
    back: fc.integer({ min: 0, max: 3 }),
    endService: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("credit" as const), amount: fc.integer({ min: 1, max: 4000 }) }),
  fc.record({
    kind: fc.constant("extend" as const),
    hours: fc.integer({ min: 1, max: 100 }),
    trust: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("freeze" as const) }),
  fc.record({ kind: fc.constant("thaw" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function perform(db: Db, done: Step, now: number): void {
  if (done.kind === "sell") activate(db, by, { ...one, ...done }, { now });
  else if (done.kind === "credit") credit(db, by, { ...one, amount: done.amount }, { now });
  else if (done.kind === "extend") extend(db, by, { ...one, ...done, reason: "storm" }, { now });
  else if (done.kind === "freeze") write(db, (tx) => freezeService(tx, by, 1, now));
  else if (done.kind === "thaw") thawSubscriber(db, by, one, { now });
  else {
    const ids = db.select({ id: invoices.id }).from(invoices).all();
    const invoiceId = ids.at(-1 - done.back)?.id ?? 99;
    voidSoldInvoice(db, by, { invoiceId, reason: "mistake", endService: done.endService }, { now });
  }
}

/** What is true of the books whatever was done. */
function expectSound(db: Db): void {
  const all = db.select().from(invoices).all();
  const balance = readBalance(db, one);
  const sum = (sql: string) => db.$client.query<{ sum: number | null }, []>(sql).get()?.sum ?? 0;
  expect(sum("SELECT sum(amount) AS sum FROM ledger_entries WHERE subscriber_id = 1")).toBe(balance);
  const open = all.reduce((total, invoice) => total + invoice.open, 0);
  expect(open + sum("SELECT sum(open) AS sum FROM open_charges")).toBe(Math.max(0, -balance));
  for (const invoice of all) {
    const booked = `SELECT sum(amount) AS sum FROM ledger_entries WHERE kind = 'commission' AND invoice_id = ${invoice.id}`;
    expect(sum(booked)).toBe(commissionDue(invoice));
    expect(invoice.credited).toBeWithin(0, invoice.amount + 1);
    expect(invoice.periodEnd).toBeGreaterThanOrEqual(invoice.periodStart);
    const value = `SELECT sum(amount) AS sum FROM ledger_entries WHERE kind = 'unused' AND invoice_id = ${invoice.id}`;
    expect(sum(value)).toBe(invoice.credited);
  }
  const notes = db.select().from(creditNotes).all();
  const numbers = [...all, ...notes].map(({ number }) => Number(number?.split("-")[2])).sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  const service = db.select().from(services).get();
  if (service?.renewsFrom) expect(service.renewsFrom).toBeLessThan(service.expiresAt);
}

test("property: whatever is sold, credited, void, extended and frozen, the books are sound; what is void with its service leaves it as it was", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.integer({ min: 121, max: 9 * DAY })), { minLength: 4, maxLength: 14 }),
      async (steps) => {
        using opened = await store();
        const { db } = opened;
        let now = NOW;
        for (const [done, later] of steps) {
          now += later;
          try {
            perform(db, done, now);
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
          }
          expectSound(db);
        }
        const before = db.select().from(services).get();
        const balance = readBalance(db, one);
        const sale = { ...one, packageId: 3, creditUnused: true };
        let invoiceId: number;
        try {
          ({ invoiceId } = activate(db, by, sale, { now: now + 200 }));
        } catch (error) {
          expect(error).toMatchObject({ message: expect.stringContaining("thaw first") });
          return;
        }
        voidSoldInvoice(db, by, { invoiceId, reason: "mistake", endService: true }, { now: now + 300 });
        expectSound(db);
        expect(readBalance(db, one)).toBe(balance);
        const after = db.select().from(services).get();
        const known = (row: typeof before) => row && { ...row, passwordSealed: null, ntHashSealed: null };
        expect(known(after)).toEqual(known(before));
      },
    ),
    runs(8, 60),
  );
});
