import { and, asc, eq, isNull } from "drizzle-orm";
import { type Db, type Tx, write } from "../../../db/open.ts";
import { invoices } from "../../../db/schema.ts";
import { audit } from "../audit.ts";
import { DomainError } from "../errors.ts";
import { formatAmount } from "../money.ts";
import { subscriberById } from "../subscribers/find.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";
import { book } from "./ledger.ts";

export interface Credit {
  subscriberId: number;
  /** Minor units, above 0. */
  amount: number;
  now: Seconds;
  by: Actor;
}

/** Adds money to a subscriber's wallet and settles the oldest unpaid invoices. Throws not_found, invalid. Returns the balance. */
export function credit(db: Db, { subscriberId, amount, now, by }: Credit): number {
  if (!Number.isSafeInteger(amount) || amount <= 0) {
    throw new DomainError("invalid", "the amount must be above 0", {
      fields: { amount: ["must be above 0"] },
    });
  }
  return write(db, (tx) => {
    const { ispId } = subscriberById(tx, by.scope, subscriberId);
    const balance = book(tx, { account: { subscriberId }, ispId, amount, kind: "credit" }, now, by);
    settleInvoices(tx, subscriberId, balance, now);
    audit(tx, by, now, {
      action: "subscriber.credit",
      entity: "subscriber",
      entityId: subscriberId,
      ispId,
      before: { balance: formatAmount(balance - amount) },
      after: { balance: formatAmount(balance) },
    });
    return balance;
  });
}

/** Marks invoices as paid, oldest first, as long as what stays unpaid still covers what the subscriber owes. */
function settleInvoices(tx: Tx, subscriberId: number, balance: number, now: Seconds): void {
  const owed = Math.max(0, -balance);
  const unpaid = tx
    .select({ id: invoices.id, amount: invoices.amount })
    .from(invoices)
    .where(and(eq(invoices.subscriberId, subscriberId), isNull(invoices.paidAt)))
    .orderBy(asc(invoices.id))
    .all();
  let open = unpaid.reduce((sum, invoice) => sum + invoice.amount, 0);
  for (const invoice of unpaid) {
    open -= invoice.amount;
    if (open < owed) return;
    tx.update(invoices).set({ paidAt: now }).where(eq(invoices.id, invoice.id)).run();
  }
}
