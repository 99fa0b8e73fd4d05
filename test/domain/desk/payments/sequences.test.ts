import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Db, write } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { dueRenewals, renewDue } from "../../../../src/domain/service/activation/auto-renew.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { voidInvoice } from "../../../../src/domain/desk/void/void.ts";
import { runBulk } from "../../../../src/domain/around/bulk/run.ts";
import { startBulk } from "../../../../src/domain/around/bulk/start.ts";
import { checkMoney } from "../../../../src/domain/machine/check/money.ts";
import { closeTill } from "../../../../src/domain/money/closings/close.ts";
import { confirmClosing } from "../../../../src/domain/money/closings/confirm.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { once } from "../../../../src/domain/core/once/once.ts";
import { refundPayment } from "../../../../src/domain/desk/payments/refund.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { archiveOne, restoreSubscriber } from "../../../../src/domain/desk/subscriber-page/archive.ts";
import {
  freezeService,
  thawOverdue,
  thawSubscriber,
} from "../../../../src/domain/desk/subscriber-page/freeze-service.ts";
import { setSubscriberStatus } from "../../../../src/domain/goods/subscribers/status.ts";
import { adjustWallet } from "../../../../src/domain/money/wallets/adjust.ts";
import { by } from "../../../support/isp.ts";
import { boss, cashier, office as copyOfOffice, seller } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

/** What an operation of a sequence has: amounts of 0.01 to 60.00, and one of what there is by `pick`. */
interface Turn {
  db: Db;
  at: { now: number };
  amount: number;
  subscriberId: number;
  /** Of a payment, an invoice, a close: any that there is; 0 without one. */
  paymentId: number;
  invoiceId: number;
  closingId: number;
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
const bulk =
  (operation: "package" | "salesperson" | "archive", value: Record<string, string> = {}) =>
  ({ db, at }: Turn) =>
    startBulk(db, boss, { operation, ids: [3, 2], values: value }, at);

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
  close_own: ({ db, at, amount }) => closeTill(db, boss, { counted: amount }, at),
  confirm: ({ db, at, closingId }) => confirmClosing(db, boss, { closingId }, at),
  change_package: ({ db, at, subscriberId, amount }) =>
    activate(db, boss, { subscriberId, packageId: 1 + (amount % 2), creditUnused: true }, at),
  extend: ({ db, at, subscriberId, amount }) =>
    extend(db, boss, { subscriberId, hours: 1 + (amount % 200), reason, trust: amount % 2 === 1 }, at),
  freeze: ({ db, at, subscriberId }) => write(db, (tx) => freezeService(tx, boss, subscriberId, at.now)),
  thaw: ({ db, at, subscriberId }) => thawSubscriber(db, boss, { subscriberId }, at),
  thaw_overdue: ({ db, at }) => thawOverdue(db, by, at),
  renew_by_itself: ({ db, at }) =>
    renewDue(db, by, { subscriberIds: dueRenewals(db, by, { all: true }, at) }, at),
  archive: ({ db, at }) => write(db, (tx) => archiveOne(tx, boss, { subscriberId: 3 }, at)),
  restore: ({ db, at, amount }) => {
    const named = { subscriberId: 2 + (amount % 2) };
    restoreSubscriber(db, boss, named, at);
    setSubscriberStatus(db, boss, { ...named, enabled: true }, at);
  },
  bulk_package: bulk("package", { package_id: "2" }),
  bulk_salesperson: bulk("salesperson", { salesperson_id: "2" }),
  bulk_archive: bulk("archive"),
  bulk_goes_on: ({ db, at }) => runBulk(db, by, { clock: () => at.now, signal: AbortSignal.abort() }),
} satisfies Record<string, (turn: Turn) => unknown>;

type Name = keyof typeof operations;
const names = Object.keys(operations).filter((name): name is Name => Object.hasOwn(operations, name));

/** By a key it is sent twice; a crash comes before its commit. */
type How = "once" | "by key" | "after a crash";

const turns = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    amount: fc.oneof(fc.integer({ min: 1, max: 6000 }), fc.constantFrom(2000, 2200)),
    pick: fc.nat(),
    passes: fc.oneof(
      { weight: 6, arbitrary: fc.constant(130) },
      { weight: 1, arbitrary: fc.constantFrom(0, 3600, 5 * 86_400, 40 * 86_400) },
    ),
    how: fc.constantFrom<How>("once", "once", "by key", "after a crash"),
  }),
  { minLength: 20, maxLength: 50, size: "max" },
);

/** What a Reseller's limit is asked for. */
const sales = new Set<Name>(["take_by_reseller", "take_and_renew_by_reseller", "take_and_keep"]);
const walletOf = ({ $client }: Db) =>
  $client
    .query<{ balance: number }, []>(
      "SELECT ifnull(sum(amount), 0) AS balance FROM ledger_entries WHERE staff_id = 2",
    )
    .get()?.balance;

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

/** The closes that say something else than the payments that are in them, and payments that are in none by their order. */
function wrongClosings({ $client }: Db): unknown[] {
  return $client
    .query(
      `SELECT c.id, c.taken, c.returned,
         (SELECT ifnull(sum(amount), 0) FROM payments p WHERE p.closing_id = c.id AND p.method = 'cash' AND p.kind = 'payment') AS cash,
         (SELECT ifnull(sum(amount), 0) FROM payments p WHERE p.closing_id = c.id AND p.method = 'cash' AND p.kind = 'refund')
           + (SELECT ifnull(sum(amount), 0) FROM payments p WHERE p.reversal_closing_id = c.id AND p.method = 'cash') AS back
       FROM closings c WHERE taken <> cash OR returned <> back
       UNION ALL SELECT id, closing_id, reversal_closing_id, 0, 0 FROM payments WHERE reversal_closing_id < ifnull(closing_id, 9e9)`,
    )
    .all();
}

const anyOf = ({ $client }: Db, table: "payments" | "invoices" | "closings", pick: number): number => {
  const count = $client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
  return count === 0 ? 0 : (pick % count) + 1;
};

/** All that there is of money and terms. */
function everything({ $client }: Db): unknown {
  const tables = [
    "ledger_entries",
    "payments",
    "invoices",
    "closings",
    "counters",
    "services",
    "freezes",
    "extensions",
  ];
  return tables.map((table) => $client.query(`SELECT * FROM ${table}`).all());
}

const crash = new Error("the power failed");

/** Does what a turn says, once, however often it is begun. */
async function play(turn: Turn, name: Name, how: How, key: string): Promise<void> {
  const operate = (db: Db): unknown => operations[name]({ ...turn, db });
  if (how === "once" || name === "bulk_goes_on") return void (await operate(turn.db));
  if (how === "by key") {
    const send = () =>
      once(turn.db, boss, { path: "/", key, input: { name } }, turn.at, (tx) => () => {
        operate(tx);
        return { key };
      });
    send();
    const before = everything(turn.db);
    expect(send()).toEqual({ key });
    return expect(everything(turn.db)).toEqual(before);
  }
  const before = everything(turn.db);
  const cut = () =>
    write(turn.db, (tx) => {
      operate(tx);
      throw crash;
    });
  try {
    cut();
  } catch (error) {
    if (error !== crash) throw error;
  }
  expect(everything(turn.db)).toEqual(before);
  await operate(turn.db);
}

const LIMIT = 5000;

/** What comes about by chance in not quite every run. */
const rare = (
  [
    ["take_and_renew", "freeze", "thaw"],
    ["top_up", "pay_out"],
    ["take_and_renew", "reverse_and_void"],
  ] as const
).map((turns) => turns.map((name) => ({ name, amount: 2200, pick: 0, passes: 130, how: "once" as const })));

test("any sequence of what moves money keeps the books: balances, what is open, numbers, commissions, sums, closes", async () => {
  const done = new Set<Name>();
  await fc.assert(
    fc.asyncProperty(turns, async (sequence) => {
      using store = await office();
      const { db } = store;
      db.$client.run(`UPDATE staff SET credit_limit = ${LIMIT} WHERE id = 2`);
      db.$client.run("UPDATE subscribers SET auto_renew = 1 WHERE id <> 2");
      let now = NOW;
      for (const [index, { name, amount, pick, passes, how }] of sequence.entries()) {
        now += passes;
        const turn = {
          db,
          amount,
          at: { now },
          subscriberId: [1, 1, 3, 2][pick % 4] ?? 1,
          paymentId: anyOf(db, "payments", pick),
          invoiceId: anyOf(db, "invoices", pick),
          closingId: anyOf(db, "closings", pick),
        };
        const before = db.$client.query("SELECT count(*) AS n FROM ledger_entries").get();
        try {
          await play(turn, name, how, `${index}`);
          done.add(name);
          if (sales.has(name)) expect(walletOf(db)).toBeGreaterThanOrEqual(-LIMIT);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          expect(db.$client.query("SELECT count(*) AS n FROM ledger_entries").get()).toEqual(before);
        }
        expect(wrong(db)).toEqual([]);
        expect(wrongClosings(db)).toEqual([]);
        const { open, owed, kept, booked } = totals(db) ?? {};
        expect({ open, kept }).toEqual({ open: owed, kept: booked });
      }
    }),
    { numRuns: 50, examples: rare.map((sequence): [typeof sequence] => [sequence]) },
  );
  expect([...done].sort()).toEqual([...names].sort()); // none of them is refused always
});
