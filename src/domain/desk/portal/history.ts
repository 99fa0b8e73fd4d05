import { selectColumns } from "../../../../db/columns.ts";
import type { Db } from "../../../../db/open.ts";
import { invoices } from "../../../../db/schema.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permitSelf } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

/** The part of a list, the newest first; past the last there are none. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
}

export interface Part<T> {
  readonly items: readonly T[];
  /** How many there are of them in all. */
  readonly total: number;
}

export interface SessionItem {
  readonly startedAt: Seconds;
  readonly stoppedAt: Seconds | null;
  readonly address: string | null;
  readonly prefix: string | null;
  readonly down: number;
  readonly up: number;
  readonly cause: string | null;
}

const selectSessions = `
  SELECT started_at AS startedAt, stopped_at AS stoppedAt, framed_ip AS address, framed_ipv6_prefix AS prefix,
    output_octets AS down, input_octets AS up, terminate_cause AS cause
  FROM sessions WHERE subscriber_id = ? ORDER BY started_at DESC, id DESC LIMIT ? OFFSET ?`;

/** A part of a subscriber's sessions. */
export function sessionHistory(
  db: Db,
  by: Actor,
  { subscriberId, limit, offset }: Window & { subscriberId: number },
): Part<SessionItem> {
  permitSelf(by, "sessionHistory", subscriberId);
  const items = db.$client
    .query<SessionItem, [number, number, number]>(selectSessions)
    .all(subscriberId, limit, offset);
  const total = db.$client
    .query<{ total: number }, [number]>("SELECT count(*) AS total FROM sessions WHERE subscriber_id = ?")
    .get(subscriberId);
  return { items, total: total?.total ?? 0 };
}

export type Invoice = typeof invoices.$inferSelect;

const selectInvoices = `SELECT ${selectColumns(invoices, "i")} FROM invoices i WHERE i.subscriber_id = ?`;

export function invoiceHistory(
  db: Db,
  by: Actor,
  { subscriberId, limit, offset }: Window & { subscriberId: number },
): Part<Invoice> {
  permitSelf(by, "invoiceHistory", subscriberId);
  const items = db.$client
    .query<Invoice, [number, number, number]>(`${selectInvoices} ORDER BY i.id DESC LIMIT ? OFFSET ?`)
    .all(subscriberId, limit, offset);
  const total = db.$client
    .query<{ total: number }, [number]>("SELECT count(*) AS total FROM invoices WHERE subscriber_id = ?")
    .get(subscriberId);
  return { items, total: total?.total ?? 0 };
}

/** A payment into the subscriber's wallet, or a refund out of it; money in minor units. */
export interface PaymentItem {
  readonly number: string;
  readonly kind: "payment" | "refund";
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
  readonly reference: string | null;
  readonly createdAt: Seconds;
  readonly reversedAt: Seconds | null;
}

/** A part of what a subscriber paid. */
export function paymentHistory(
  db: Db,
  by: Actor,
  { subscriberId, limit, offset }: Window & { subscriberId: number },
): Part<PaymentItem> {
  permitSelf(by, "paymentHistory", subscriberId);
  const items = db.$client
    .query<PaymentItem, [number, number, number]>(
      `SELECT number, kind, amount, currency, method, reference, created_at AS createdAt, reversed_at AS reversedAt
       FROM payments WHERE subscriber_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
    )
    .all(subscriberId, limit, offset);
  const total = db.$client
    .query<{ total: number }, [number]>("SELECT count(*) AS total FROM payments WHERE subscriber_id = ?")
    .get(subscriberId);
  return { items, total: total?.total ?? 0 };
}

/** Others' are unknown. */
export function ownInvoice(
  db: Db,
  by: Actor,
  { subscriberId, id }: { subscriberId: number; id: number },
): Invoice | undefined {
  permitSelf(by, "ownInvoice", subscriberId);
  const statement = db.$client.query<Invoice, [number, number]>(`${selectInvoices} AND i.id = ?`);
  return statement.get(subscriberId, id) ?? undefined;
}

export function unpaidInvoices(db: Db, by: Actor, subscriberId: number): { count: number; amount: number } {
  permitSelf(by, "unpaidInvoices", subscriberId);
  const row = db.$client
    .query<{ count: number; amount: number | null }, [number]>(
      "SELECT count(*) AS count, sum(open) AS amount FROM invoices WHERE subscriber_id = ? AND paid_at IS NULL",
    )
    .get(subscriberId);
  return { count: row?.count ?? 0, amount: row?.amount ?? 0 };
}

export function durationOf(
  session: { startedAt: Seconds; stoppedAt: Seconds | null },
  now: Seconds,
): Seconds {
  return Math.max(0, (session.stoppedAt ?? now) - session.startedAt);
}
