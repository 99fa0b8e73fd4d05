import type { Tx } from "../../../../db/open.ts";
import type { invoices } from "../../../../db/schema.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";
import { append } from "./ledger.ts";

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

/** The seller's commission now, in minor units: the whole once settled, less the credited share, rounded down. */
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

/** A share rounded down, exact beyond safe integers. */
function shareOf(commission: number, credited: number, amount: number): number {
  return Number((BigInt(commission) * BigInt(credited)) / BigInt(amount));
}

/** Books the difference to what is due, whatever the wallet holds. */
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
