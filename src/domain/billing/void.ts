import type { Tx } from "../../../db/open.ts";
import { invoices, services } from "../../../db/schema.ts";
import { update } from "../../../db/update.ts";
import { DomainError } from "../errors.ts";
import type { Actor } from "../staff/actor.ts";
import { formatTime, type Seconds } from "../time.ts";
import { book } from "./book.ts";
import { actingColumns } from "./ledger.ts";

type Invoice = Pick<
  typeof invoices.$inferSelect,
  "id" | "ispId" | "subscriberId" | "amount" | "credited" | "voidedAt" | "number" | "serviceBefore"
>;

/** Gives back what was not yet credited of an invoice, and where `endService` the service as it was before. Throws `conflict`. */
export function voidInvoice(
  tx: Tx,
  by: Actor,
  { invoiceId, reason, endService }: { invoiceId: number; reason: string; endService: boolean },
  { now }: { now: Seconds },
): void {
  const invoice = tx.$client
    .query<Invoice, [number]>(
      `SELECT id, isp_id AS ispId, subscriber_id AS subscriberId, amount, credited, voided_at AS voidedAt, number,
         service_before AS serviceBefore FROM invoices WHERE id = ?`,
    )
    .get(invoiceId);
  if (!invoice) throw new DomainError("not_found", `there is no invoice ${invoiceId}`);
  const { ispId, subscriberId, amount, credited, voidedAt, number } = invoice;
  if (voidedAt !== null)
    throw new DomainError("conflict", `the invoice ${number} is void since ${formatTime(voidedAt)}`);
  const charge = tx.$client
    .query<{ id: number }, [number]>(
      "SELECT id FROM ledger_entries WHERE invoice_id = ? AND kind = 'activation'",
    )
    .get(invoiceId);
  const { actingStaffId: voidedBy, actor: voidedActor } = actingColumns(by);
  update(tx, invoices, { voidedAt: now, voidReason: reason, voidedBy, voidedActor }, { id: invoiceId });
  const entry = { account: { subscriberId }, ispId, amount: amount - credited, kind: "void" } as const;
  book(tx, { ...entry, invoiceId, aboutId: charge?.id, reason }, now, by, { touched: invoiceId });
  if (endService) endServiceOf(tx, invoice);
}

function endServiceOf(tx: Tx, { id, subscriberId, serviceBefore }: Invoice): void {
  const newer = tx.$client
    .query<{ number: string }, [number, number]>(
      "SELECT number FROM invoices WHERE subscriber_id = ? AND id > ? AND voided_at IS NULL ORDER BY id LIMIT 1",
    )
    .get(subscriberId, id);
  if (newer) throw new DomainError("conflict", `the invoice ${newer.number} is newer; void that one first`);
  const before: typeof services.$inferInsert | null = JSON.parse(serviceBefore ?? "null");
  if (before) update(tx, services, before, { subscriberId });
  else tx.$client.query("DELETE FROM services WHERE subscriber_id = ?").run(subscriberId);
}
