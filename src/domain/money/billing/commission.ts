import type { Tx } from "../../../../db/open.ts";
import type { invoices } from "../../../../db/schema.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";
import { append } from "./ledger.ts";

/** What of an invoice the commission depends on. */
export type Commissioned = Pick<
  typeof invoices.$inferSelect,
  | "id"
  | "ispId"
  | "amount"
  | "credited"
  | "voidedAt"
  | "paidAt"
  | "sellerId"
  | "commission"
  | "commissionAtSale"
>;

/** What the seller has of an invoice at this moment, in minor units: all of it once it is settled, less the share of what was credited, rounded down. */
export function commissionDue({
  amount,
  credited,
  voidedAt,
  paidAt,
  commission,
  commissionAtSale,
}: Omit<Commissioned, "id" | "ispId" | "sellerId">): number {
  const isDue = voidedAt === null && (paidAt !== null || commissionAtSale === 1);
  if (!isDue) return 0;
  return amount === 0 ? commission : commission - shareOf(commission, credited, amount);
}

/** commission x credited / amount, rounded down; exact beyond what a number holds. */
function shareOf(commission: number, credited: number, amount: number): number {
  return Number((BigInt(commission) * BigInt(credited)) / BigInt(amount));
}

/** Books what the seller's wallet lacks of what is due, or has too much. It never asks how low that wallet is. */
export function bookCommission(tx: Tx, invoice: Commissioned, now: Seconds, by: Actor): void {
  const { id, ispId, sellerId, commission } = invoice;
  if (sellerId === null || commission === 0) return;
  const amount = commissionDue(invoice) - booked(tx, id);
  if (amount === 0) return;
  append(tx, { account: { staffId: sellerId }, ispId, amount, kind: "commission", invoiceId: id }, now, by);
}

function booked({ $client }: Tx, invoiceId: number): number {
  const sum = $client
    .query<{ amount: number }, [number]>(
      "SELECT coalesce(sum(amount), 0) AS amount FROM ledger_entries WHERE invoice_id = ? AND kind = 'commission'",
    )
    .get(invoiceId);
  return sum?.amount ?? 0;
}
