import type { entryKinds } from "../../../../db/schema.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type ReadSubscriber, subscriberIn } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface StatementEntry {
  readonly id: number;
  readonly createdAt: Seconds;
  readonly kind: (typeof entryKinds)[number];
  /** Minor units; negative debits. */
  readonly amount: number;
  readonly balanceAfter: number;
  readonly invoice: string | null;
  readonly receipt: string | null;
  readonly reason: string | null;
}

export interface OutstandingInvoice {
  readonly id: number;
  readonly number: string | null;
  readonly packageName: string;
  readonly createdAt: Seconds;
  readonly amount: number;
  readonly open: number;
}

export interface Statement {
  readonly subscriberId: number;
  readonly name: string;
  /** Around the entries. */
  readonly opening: number;
  readonly closing: number;
  readonly entries: readonly StatementEntry[];
  readonly openInvoices: readonly OutstandingInvoice[];
  readonly openWithoutInvoice: number;
}

interface Choice {
  readonly subscriber: number | ReadSubscriber;
  /** Inclusive; by default everything. */
  readonly from?: Seconds | undefined;
  readonly to?: Seconds | undefined;
}

/** Throws not_found. */
export function readStatement(db: Db, by: Actor, { subscriber, from, to }: Choice): Statement {
  permit(by, "readStatement");
  const first = from ?? 0;
  const read = db.$client.transaction(() => {
    const { id: subscriberId, name } = subscriberIn(db, by.scope, subscriber);
    const opening = balanceBefore(db, subscriberId, first);
    const entries = entriesBetween(db, subscriberId, first, to ?? Number.MAX_SAFE_INTEGER);
    return {
      subscriberId,
      name,
      opening,
      entries,
      closing: entries.at(-1)?.balanceAfter ?? opening,
      openInvoices: openInvoices(db, subscriberId),
      openWithoutInvoice: openWithoutInvoice(db, subscriberId),
    };
  });
  return read();
}

interface BookedEntry extends StatementEntry {
  readonly invoiceId: number | null;
  readonly paymentId: number | null;
  readonly method: string | null;
  readonly packageName: string | null;
  readonly by: string | null;
}

/** The newest entries before an id. Throws not_found. */
export function statementTail(
  db: Db,
  by: Actor,
  {
    subscriber,
    count,
    before = Number.MAX_SAFE_INTEGER,
  }: { subscriber: number | ReadSubscriber; count: number; before?: number },
): BookedEntry[] {
  permit(by, "statementTail");
  const { id } = subscriberIn(db, by.scope, subscriber);
  return db.$client
    .query<BookedEntry, [number, number, number]>(
      `SELECT e.id, e.created_at AS createdAt, e.kind, e.amount, e.balance_after AS balanceAfter, i.number AS invoice,
         p.number AS receipt, e.reason, e.invoice_id AS invoiceId, e.payment_id AS paymentId, p.method,
         i.package_name AS packageName, coalesce(a.name, e.actor) AS by
       FROM ledger_entries e LEFT JOIN invoices i ON i.id = e.invoice_id LEFT JOIN payments p ON p.id = e.payment_id
         LEFT JOIN staff a ON a.id = e.acting_staff_id
       WHERE e.subscriber_id = ? AND e.id < ? ORDER BY e.id DESC LIMIT ? + 0`,
    )
    .all(id, before, count);
}

/** The balance by order of entries: a clock that was set back leaves later times in older ones. */
function balanceBefore({ $client }: Db, subscriberId: number, from: Seconds): number {
  const entry = $client
    .query<{ balance: number }, [number, number]>(
      `SELECT balance_after - amount AS balance FROM ledger_entries WHERE subscriber_id = ? AND created_at >= ? ORDER BY id LIMIT 1`,
    )
    .get(subscriberId, from);
  return entry?.balance ?? newestBalance($client, subscriberId);
}

function newestBalance($client: Db["$client"], subscriberId: number): number {
  const wallet = $client
    .query<{ balance: number }, [number]>("SELECT balance FROM wallets WHERE subscriber_id = ?")
    .get(subscriberId);
  return wallet?.balance ?? 0;
}

function entriesBetween({ $client }: Db, subscriberId: number, from: Seconds, to: Seconds): StatementEntry[] {
  return $client
    .query<StatementEntry, [number, number, number]>(
      `SELECT e.id, e.created_at AS createdAt, e.kind, e.amount, e.balance_after AS balanceAfter,
         i.number AS invoice, p.number AS receipt, e.reason
       FROM ledger_entries e LEFT JOIN invoices i ON i.id = e.invoice_id LEFT JOIN payments p ON p.id = e.payment_id
       WHERE e.subscriber_id = ? AND e.created_at BETWEEN ? AND ? ORDER BY e.id`,
    )
    .all(subscriberId, from, to);
}

/** Invoices that are not settled, the oldest first; callers check the scope. */
export function openInvoices({ $client }: Db, subscriberId: number): OutstandingInvoice[] {
  return $client
    .query<OutstandingInvoice, [number]>(
      `SELECT id, number, package_name AS packageName, created_at AS createdAt, amount, open FROM invoices
       WHERE subscriber_id = ? AND paid_at IS NULL AND open > 0 ORDER BY id`,
    )
    .all(subscriberId);
}

/** Charges without an invoice. */
export function openWithoutInvoice({ $client }: Db, subscriberId: number): number {
  const sum = $client
    .query<{ open: number }, [number]>(
      "SELECT coalesce(sum(open), 0) AS open FROM open_charges WHERE subscriber_id = ?",
    )
    .get(subscriberId);
  return sum?.open ?? 0;
}
