import { selectColumns } from "../../../../db/columns.ts";
import { all, among, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type creditNotes, invoices } from "../../../../db/schema.ts";
import { type Changed, changedRecords, type Position } from "../../core/changes/changes.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, type Scope, scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

export type Invoice = typeof invoices.$inferSelect & { readonly name: string; readonly username: string };
export type CreditNote = Pick<typeof creditNotes.$inferSelect, "number" | "amount" | "tax" | "createdAt">;

const COLUMNS = selectColumns(invoices, "i", ["serviceBefore"]);
const select = `
  SELECT ${COLUMNS}, NULL AS serviceBefore, s.name, s.username
  FROM invoices i JOIN subscribers s ON s.id = i.subscriber_id`;

export const invoiceStates = ["paid", "open", "void", "credited"] as const;

export interface InvoiceFilters {
  readonly subscriberId?: number | null | undefined;
  readonly number?: string | null | undefined;
  readonly packageId?: number | null | undefined;
  readonly sellerId?: number | null | undefined;
  readonly state?: (typeof invoiceStates)[number] | null | undefined;
  /** Whose period was over by then. */
  readonly endedBy?: Seconds | null | undefined;
  readonly from?: Seconds | null | undefined;
  readonly to?: Seconds | null | undefined;
}

export function listInvoices(
  db: Db,
  by: Actor,
  filters: InvoiceFilters,
  { before, limit }: { before: number; limit: number },
): Invoice[] {
  permit(by, "listInvoices");
  const { text, values } = all({ text: "i.id < ?", values: [before] }, inScope(by.scope), matches(filters));
  return db.$client
    .query<Invoice, Value[]>(`${select} WHERE ${text} ORDER BY i.id DESC LIMIT ? + 0`)
    .all(...values, limit);
}

/** Void ones too. */
export function changedInvoices(db: Db, by: Actor, position: Position): Changed<Invoice> {
  permit(by, "changedInvoices");
  return changedRecords(db, "invoice", position, {
    visible: (ids) => {
      const { text, values } = all(among("i.id", ids), inScope(by.scope));
      return db.$client.query<Invoice, Value[]>(`${select} WHERE ${text}`).all(...values);
    },
    idOf: ({ id }) => id,
  });
}

/** An invoice with its credit notes. Throws `not_found`. */
export function invoiceById(
  db: Db,
  by: Actor,
  id: number,
): { invoice: Invoice; notes: readonly CreditNote[] } {
  permit(by, "invoiceById");
  const { text, values } = all({ text: "i.id = ?", values: [id] }, inScope(by.scope));
  const invoice = db.$client.query<Invoice, Value[]>(`${select} WHERE ${text}`).get(...values);
  if (!invoice) throw new DomainError("not_found", phrase`there is no invoice ${id}`);
  const notes = db.$client
    .query<CreditNote, [number]>(
      "SELECT number, amount, tax, created_at AS createdAt FROM credit_notes WHERE invoice_id = ? ORDER BY id",
    )
    .all(id);
  return { invoice, notes };
}

/** The plus avoids sorting a whole ISP. */
function inScope(scope: Scope): Condition {
  return seesWholeIsp(scope) ? all(equal("+i.isp_id", scope.ispId)) : scopeEver(scope);
}

const inState = {
  paid: "i.voided_at IS NULL AND i.paid_at IS NOT NULL",
  open: "i.voided_at IS NULL AND i.paid_at IS NULL",
  void: "i.voided_at IS NOT NULL",
  credited: "i.voided_at IS NULL AND i.credited > 0",
};

function matches(filters: InvoiceFilters): Condition {
  const { subscriberId, number, packageId, sellerId, state, endedBy, from, to } = filters;
  return all(
    equal("i.subscriber_id", subscriberId),
    equal("i.number", number),
    equal("i.package_id", packageId),
    equal("i.seller_id", sellerId),
    state ? { text: inState[state], values: [] } : undefined,
    endedBy ? { text: "i.period_end <= ?", values: [endedBy] } : undefined,
    from ? { text: "i.created_at >= ?", values: [from] } : undefined,
    to ? { text: "i.created_at <= ?", values: [to] } : undefined,
  );
}
