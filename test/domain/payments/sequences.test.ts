import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Db, write } from "../../../db/open.ts";
import { activate } from "../../../src/domain/activation/activate.ts";
import { voidInvoice } from "../../../src/domain/billing/void.ts";
import { checkMoney } from "../../../src/domain/check/money.ts";
import { closeTill } from "../../../src/domain/closings/close.ts";
import { DomainError } from "../../../src/domain/errors.ts";
import { refundPayment } from "../../../src/domain/payments/refund.ts";
import { reversePayment } from "../../../src/domain/payments/reverse.ts";
import { takePayment } from "../../../src/domain/payments/take.ts";
import type { Actor } from "../../../src/domain/staff/actor.ts";
import { adjustWallet } from "../../../src/domain/wallets/adjust.ts";
import { boss, cashier, office, seller } from "../../support/office.ts";
import { NOW } from "../../support/store.ts";

/** What an operation of a sequence has: amounts of 0.01 to 60.00, and one of what there is by `pick`. */
interface Turn {
  db: Db;
  at: { now: number };
  amount: number;
  subscriberId: number;
  /** Of a payment, an invoice: any that there is; 0 without one. */
  paymentId: number;
  invoiceId: number;
}

const reason = "because";
const cash = { method: "cash" };
const take = (who: Actor, more: object) => (turn: Turn) =>
  takePayment(
    turn.db,
    who,
    { ...cash, subscriberId: turn.subscriberId, amount: turn.amount, ...more },
    turn.at,
  );
const correct =
  (who: object | undefined, sign: 1 | -1) =>
  ({ db, at, amount, subscriberId }: Turn) =>
    adjustWallet(db, boss, { ...(who ?? { subscriberId }), amount: sign * amount, reason }, at);

/** A further operation is a further line. */
const operations = {
  take: take(cashier, {}),
  take_by_reseller: take(seller, {}),
  take_and_renew: take(cashier, { activates: true, packageId: 1 }),
  take_and_renew_by_reseller: take(seller, { activates: true, packageId: 1 }),
  take_and_bill: take(cashier, { activates: true, packageId: 2, keeps: true }),
  take_and_keep: take(seller, { activates: true, packageId: 1, keeps: true }),
  top_up: take(boss, { subscriberId: null, staffId: 2 }),
  renew: ({ db, at, subscriberId }) => activate(db, boss, { subscriberId, packageId: 1 }, at),
  bill: ({ db, at, subscriberId }) => activate(db, boss, { subscriberId, packageId: 2 }, at),
  reverse: ({ db, at, paymentId }) => reversePayment(db, boss, { paymentId, reason }, at),
  reverse_and_void: ({ db, at, paymentId }) =>
    reversePayment(db, boss, { paymentId, reason, voids: true }, at),
  refund: ({ db, at, amount, subscriberId }) =>
    refundPayment(db, cashier, { ...cash, amount, subscriberId }, at),
  refund_by_reseller: ({ db, at, amount, subscriberId }) =>
    refundPayment(db, seller, { ...cash, amount, subscriberId }, at),
  pay_out: ({ db, at, amount }) => refundPayment(db, boss, { ...cash, amount, staffId: 2 }, at),
  correct_up: correct(undefined, 1),
  correct_down: correct(undefined, -1),
  correct_reseller: correct({ staffId: 2 }, -1),
  void: ({ db, at, invoiceId }) =>
    write(db, (tx) => voidInvoice(tx, boss, { invoiceId, reason, endService: false }, at)),
  void_and_end: ({ db, at, invoiceId }) =>
    write(db, (tx) => voidInvoice(tx, boss, { invoiceId, reason, endService: true }, at)),
  close: ({ db, at, amount }) => closeTill(db, cashier, { counted: amount }, at),
} satisfies Record<string, (turn: Turn) => unknown>;

type Name = keyof typeof operations;
const names = Object.keys(operations).filter((name): name is Name => Object.hasOwn(operations, name));

const turns = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    amount: fc.oneof(fc.integer({ min: 1, max: 6000 }), fc.constantFrom(2000, 2200)),
    pick: fc.nat(),
  }),
  { minLength: 20, maxLength: 40, size: "max" },
);

const wrong = (db: Db) =>
  checkMoney(db).flatMap(({ severity, message }) => (severity === "ok" ? [] : [message]));

/** What is open of invoices and without them, and what is owed, of every subscriber; and what sums of reports leave out. */
function totals({ $client }: Db) {
  return $client
    .query<{ open: number; owed: number; kept: number; booked: number }, []>(
      `SELECT (SELECT ifnull(sum(open), 0) FROM invoices) + (SELECT ifnull(sum(open), 0) FROM open_charges) AS open,
         (SELECT ifnull(sum(max(0, -balance)), 0) FROM (SELECT sum(amount) AS balance FROM ledger_entries WHERE subscriber_id IS NOT NULL GROUP BY subscriber_id)) AS owed,
         (SELECT ifnull(sum(amount), 0) FROM ledger_days) AS kept, (SELECT ifnull(sum(amount), 0) FROM ledger_entries) AS booked`,
    )
    .get();
}

const anyOf = ({ $client }: Db, table: "payments" | "invoices", pick: number): number => {
  const count = $client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
  return count === 0 ? 0 : (pick % count) + 1;
};

test("any sequence of what moves money keeps the books: balances, what is open, numbers, commissions, sums", async () => {
  const done = new Set<Name>();
  await fc.assert(
    fc.asyncProperty(turns, async (sequence) => {
      using store = await office();
      const { db } = store;
      db.$client.run("UPDATE staff SET credit_limit = 5000 WHERE id = 2");
      for (const [index, { name, amount, pick }] of sequence.entries()) {
        const turn = {
          ...{ db, amount, at: { now: NOW + index * 130 }, subscriberId: [1, 1, 3, 2][pick % 4] ?? 1 },
          paymentId: anyOf(db, "payments", pick),
          invoiceId: anyOf(db, "invoices", pick),
        };
        const before = db.$client.query("SELECT count(*) AS n FROM ledger_entries").get();
        try {
          operations[name](turn);
          done.add(name);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          expect(db.$client.query("SELECT count(*) AS n FROM ledger_entries").get()).toEqual(before);
        }
        expect(wrong(db)).toEqual([]);
        const { open, owed, kept, booked } = totals(db) ?? {};
        expect({ open, kept }).toEqual({ open: owed, kept: booked });
      }
    }),
    { numRuns: 60 },
  );
  expect([...done].sort()).toEqual([...names].sort()); // none of them is refused always
}, 120_000);
