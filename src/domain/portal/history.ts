import { and, count, desc, eq, isNull, sum } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { invoices, sessions } from "../../../db/schema.ts";
import type { Actor } from "../staff/actor.ts";
import { permitSelf } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";

export const PAGE_SIZE = 20;

export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly pages: number;
}

/** A page of a subscriber's sessions, the newest first; past the last page there are none. */
export function sessionHistory(
  db: Db,
  by: Actor,
  { subscriberId, page }: { subscriberId: number; page: number },
) {
  permitSelf(by, "sessionHistory", subscriberId);
  const own = eq(sessions.subscriberId, subscriberId);
  const items = db
    .select({
      startedAt: sessions.startedAt,
      stoppedAt: sessions.stoppedAt,
      address: sessions.framedIp,
      prefix: sessions.framedIpv6Prefix,
      down: sessions.outputOctets,
      up: sessions.inputOctets,
      cause: sessions.terminateCause,
    })
    .from(sessions)
    .where(own)
    .orderBy(desc(sessions.startedAt), desc(sessions.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .all();
  const total = db.select({ rows: count() }).from(sessions).where(own).get()?.rows ?? 0;
  return paged(items, page, total);
}

export type SessionItem = ReturnType<typeof sessionHistory>["items"][number];

/** A page of a subscriber's invoices, the newest first. */
export function invoiceHistory(
  db: Db,
  by: Actor,
  { subscriberId, page }: { subscriberId: number; page: number },
) {
  permitSelf(by, "invoiceHistory", subscriberId);
  const own = eq(invoices.subscriberId, subscriberId);
  const items = db
    .select()
    .from(invoices)
    .where(own)
    .orderBy(desc(invoices.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .all();
  const total = db.select({ rows: count() }).from(invoices).where(own).get()?.rows ?? 0;
  return paged(items, page, total);
}

export type Invoice = typeof invoices.$inferSelect;

/** An invoice of this subscriber; another's is as unknown as one that there is not. */
export function ownInvoice(
  db: Db,
  by: Actor,
  { subscriberId, id }: { subscriberId: number; id: number },
): Invoice | undefined {
  permitSelf(by, "ownInvoice", subscriberId);
  return db
    .select()
    .from(invoices)
    .where(and(eq(invoices.id, id), eq(invoices.subscriberId, subscriberId)))
    .get();
}

/** Minor units that are still to pay of a subscriber's unpaid invoices, and how many these are. */
export function unpaidInvoices(db: Db, by: Actor, subscriberId: number): { count: number; amount: number } {
  permitSelf(by, "unpaidInvoices", subscriberId);
  const row = db
    .select({ count: count(), amount: sum(invoices.open) })
    .from(invoices)
    .where(and(eq(invoices.subscriberId, subscriberId), isNull(invoices.paidAt)))
    .get();
  return { count: row?.count ?? 0, amount: Number(row?.amount ?? 0) };
}

/** How long a session lasted, or has so far. */
export function durationOf(
  session: { startedAt: Seconds; stoppedAt: Seconds | null },
  now: Seconds,
): Seconds {
  return Math.max(0, (session.stoppedAt ?? now) - session.startedAt);
}

function paged<T>(items: T[], page: number, total: number): Page<T> {
  return { items, page, pages: Math.max(1, Math.ceil(total / PAGE_SIZE)) };
}
