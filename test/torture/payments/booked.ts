import { Database } from "bun:sqlite";
import { isBookable, PROGRAM, PROVIDER, type Sent } from "./telling.ts";

/** Minor units of a month, and the first subscriber whose service had ended when the trial began. */
export interface Terms {
  readonly price: number;
  readonly firstEnded: number;
}

interface Row {
  readonly id: number;
  readonly provider: string;
  readonly externalId: string;
  readonly variant: number;
  readonly state: string;
  readonly reason: string | null;
  readonly amount: number;
  readonly subscriberId: number | null;
  readonly paymentId: number | null;
}

interface Payment {
  readonly id: number;
  readonly number: string;
  readonly subscriberId: number;
  readonly amount: number;
}

/** What of the promises was not kept, of what was told and answered; and whose service has to run now. */
export function bookedFaults(
  database: string,
  notices: readonly Sent[],
  terms: Terms,
): { faults: string[]; booked: number; waiting: number; renewed: Set<number> } {
  using db = new Database(database, { readonly: true });
  const rows = db
    .query<Row, []>(
      `SELECT id, provider, external_id AS externalId, variant, state, reason, amount, subscriber_id AS subscriberId,
         payment_id AS paymentId FROM incoming_payments ORDER BY id`,
    )
    .all();
  const payments = db
    .query<Payment, []>(
      "SELECT id, number, subscriber_id AS subscriberId, amount FROM payments WHERE kind = 'payment' ORDER BY id",
    )
    .all();
  const renewed = renewedBy(payments, terms);
  return {
    faults: [
      ...storedFaults(rows, payments, notices),
      ...eventFaults(db, rows, payments),
      ...walletFaults(db, payments, renewed, terms),
    ],
    booked: payments.length,
    waiting: rows.filter(({ state }) => state !== "booked").length,
    renewed,
  };
}

const nameOf = ({ provider, externalId, variant }: Pick<Row, "provider" | "externalId" | "variant">) =>
  `${provider} ${externalId}.${variant}`;

/** Each telling that was answered is there once, as it should be; and nothing else is. */
function storedFaults(
  rows: readonly Row[],
  payments: readonly Payment[],
  notices: readonly Sent[],
): string[] {
  const faults: string[] = [];
  const byName = new Map(rows.map((row) => [nameOf(row), row]));
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  const expected = new Set<string>();
  for (const telling of notices) {
    const { via, id, kind, amount, subscriber, answer } = telling;
    const provider = via === "program" ? PROGRAM : PROVIDER;
    // a refund may have the id of its payment at a provider: it is kept under what it is, too
    const externalId = kind === "refund" ? `refund.processed ${id}` : id;
    const name = nameOf({ provider, externalId, variant: kind === "other" ? 1 : 0 });
    expected.add(name);
    const row = byName.get(name);
    if (answer === undefined) faults.push(`${name} was never answered`);
    if (!row) {
      faults.push(`${name} was answered and is lost`);
      continue;
    }
    const state = isBookable(telling) ? "booked" : kind === "refund" ? "told" : "unmatched";
    if (row.state !== state || row.amount !== amount)
      faults.push(`${name} of ${amount} is ${row.state} of ${row.amount} in place of ${state}`);
    if (state !== "booked" && !row.reason) faults.push(`${name} waits for staff and does not say why`);
    if (state !== "booked") continue;
    const payment = byId.get(row.paymentId ?? 0);
    if (payment?.amount !== amount || payment.subscriberId !== subscriber)
      faults.push(`${name} of ${amount} by ${subscriber} is booked as ${JSON.stringify(payment)}`);
  }
  faults.push(...rows.filter((row) => !expected.has(nameOf(row))).map((row) => `nobody told ${nameOf(row)}`));
  if (byName.size !== rows.length) faults.push("a payment that arrived is there twice");
  const booked = rows.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId]));
  if (new Set(booked).size !== booked.length || booked.length !== payments.length)
    faults.push(`${payments.length} payments are booked of ${booked.length} that arrived`);
  if (new Set(payments.map(({ number }) => number)).size !== payments.length)
    faults.push("two receipts have one number");
  return faults;
}

/** Each was announced once, and nothing else was. */
function eventFaults(db: Database, rows: readonly Row[], payments: readonly Payment[]): string[] {
  const counted = (type: string, at: string) =>
    db
      .query<{ id: number }, [string, string]>(
        "SELECT data ->> ? AS id FROM events WHERE type = ? ORDER BY id",
      )
      .all(at, type)
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  const waiting = rows.filter(({ state }) => state !== "booked").map(({ id }) => id);
  const pairs = [
    ["payment.received", counted("payment.received", "$.payment.id"), payments.map(({ id }) => id)],
    ["payment.unmatched", counted("payment.unmatched", "$.incoming.id"), waiting],
  ] as const;
  return pairs
    .filter(([, is, shouldBe]) => !Bun.deepEquals(is, shouldBe))
    .map(([type, is, shouldBe]) => `${is.length} events ${type} of ${shouldBe.length}`);
}

/** Whoever had ended is renewed by the payment with which the wallet holds the price, and by no other one. */
function renewedBy(payments: readonly Payment[], { price, firstEnded }: Terms): Set<number> {
  const sums = new Map<number, number>();
  for (const { subscriberId, amount } of payments)
    sums.set(subscriberId, (sums.get(subscriberId) ?? 0) + amount);
  return new Set([...sums].filter(([id, sum]) => id >= firstEnded && sum >= price).map(([id]) => id));
}

function walletFaults(
  db: Database,
  payments: readonly Payment[],
  renewed: ReadonlySet<number>,
  { price }: Terms,
): string[] {
  const sums = new Map<number, number>();
  for (const { subscriberId, amount } of payments)
    sums.set(subscriberId, (sums.get(subscriberId) ?? 0) + amount);
  const balances = db
    .query<{ id: number; balance: number; sum: number; invoices: number }, []>(
      `SELECT s.id, ifnull((SELECT balance_after FROM ledger_entries WHERE subscriber_id = s.id ORDER BY id DESC LIMIT 1), 0) AS balance,
         (SELECT ifnull(sum(amount), 0) FROM ledger_entries WHERE subscriber_id = s.id) AS sum,
         (SELECT count(*) FROM invoices WHERE subscriber_id = s.id AND voided_at IS NULL) AS invoices
       FROM subscribers s`,
    )
    .all();
  return balances.flatMap(({ id, balance, sum, invoices }) => {
    const shouldBe = (sums.get(id) ?? 0) - (renewed.has(id) ? price : 0);
    const faults =
      balance === shouldBe && sum === shouldBe
        ? []
        : [`the wallet of ${id} has ${balance} and its lines ${sum} in place of ${shouldBe}`];
    const sold = renewed.has(id) ? 1 : 0;
    if (invoices !== sold) faults.push(`${id} was sold ${invoices} months in place of ${sold}`);
    return faults;
  });
}
