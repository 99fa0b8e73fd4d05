import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { ledgerEntries } from "../../../../db/schema.ts";
import { requireOnePayer, staffInWalletScope, type WalletName } from "../payments/payer.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";

export type WalletEntry = typeof ledgerEntries.$inferSelect & {
  readonly invoiceNumber: string | null;
  readonly paymentNumber: string | null;
  readonly actingName: string | null;
};

const select = `
  SELECT ${selectColumns(ledgerEntries, "e")}, i.number AS invoiceNumber, p.number AS paymentNumber, t.name AS actingName
  FROM ledger_entries e LEFT JOIN invoices i ON i.id = e.invoice_id LEFT JOIN payments p ON p.id = e.payment_id
    LEFT JOIN staff t ON t.id = e.acting_staff_id`;

/** Old credits are called adjustments. */
export const visibleKinds = [
  "opening",
  "payment",
  "transfer",
  "activation",
  "unused",
  "commission",
  "void",
  "reversal",
  "refund",
  "adjustment",
  "history",
  "card",
] as const;
type VisibleKind = (typeof visibleKinds)[number];

export function visibleKind({ kind }: Pick<WalletEntry, "kind">): VisibleKind {
  return kind === "credit" ? "adjustment" : kind;
}

export interface EntryFilters extends WalletName {
  readonly kind?: VisibleKind | null | undefined;
  readonly from?: Seconds | null | undefined;
  readonly to?: Seconds | null | undefined;
}

/** Throws `invalid` unless one is named, `not_found` outside the scope. */
export function walletEntries(
  db: Db,
  by: Actor,
  filters: EntryFilters,
  { before, limit }: { before: number; limit: number },
): WalletEntry[] {
  permit(by, "walletEntries");
  const { text, values } = all(
    walletCondition(db, by, filters),
    { text: "e.id < ?", values: [before] },
    filters.kind === "adjustment"
      ? { text: "e.kind IN ('adjustment', 'credit')", values: [] }
      : equal("e.kind", filters.kind),
    filters.from ? { text: "e.created_at >= ?", values: [filters.from] } : undefined,
    filters.to ? { text: "e.created_at <= ?", values: [filters.to] } : undefined,
  );
  return db.$client
    .query<WalletEntry, Value[]>(`${select} WHERE ${text} ORDER BY e.id DESC LIMIT ? + 0`)
    .all(...values, limit);
}

function walletCondition(db: Db, { scope }: Actor, named: WalletName): Condition | undefined {
  const { subscriberId, staffId } = requireOnePayer(named);
  if (subscriberId === null) return equal("e.staff_id", staffInWalletScope(db, scope, staffId).id);
  return equal("e.subscriber_id", subscriberById(db, scope, subscriberId).id);
}
