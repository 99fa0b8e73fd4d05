import { insert } from "../../../../db/insert.ts";
import type { Tx } from "../../../../db/open.ts";
import { type entryKinds, ledgerEntries } from "../../../../db/schema.ts";
import { addAmounts } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";
import { type Account, ownerColumn, readBalance } from "../../core/amounts/balance.ts";

export interface Entry {
  account: Account;
  ispId: number | null;
  /** Minor units; negative debits. */
  amount: number;
  kind: (typeof entryKinds)[number];
  invoiceId?: number | undefined;
  aboutId?: number | undefined;
  paymentId?: number | undefined;
  reason?: string | undefined;
  batchId?: number | undefined;
  cardId?: number | undefined;
}

export interface Booked {
  readonly id: number;
  /** Of the account after it, in minor units. */
  readonly balance: number;
}

/** Appends an entry without placing debt, for resellers' wallets. See `book`. */
export function append(
  tx: Tx,
  { account, ispId, amount, kind, invoiceId, aboutId, paymentId, reason, batchId, cardId }: Entry,
  now: Seconds,
  by: Actor,
): Booked {
  const balanceAfter = addAmounts(readBalance(tx, account), amount);
  const id = insert(tx, ledgerEntries, {
    ...account,
    ...findPlace(tx, account, invoiceId),
    ...actingColumns(by),
    ispId,
    amount,
    balanceAfter,
    kind,
    invoiceId,
    aboutId,
    paymentId,
    reason,
    batchId,
    cardId,
    createdAt: now,
    day: localDay(now),
  });
  return { id, balance: balanceAfter };
}

type Place = Pick<typeof ledgerEntries.$inferSelect, "branchId" | "areaId" | "packageId" | "sellerId">;

const places = {
  invoice:
    "SELECT branch_id AS branchId, area_id AS areaId, package_id AS packageId, seller_id AS sellerId FROM invoices WHERE id = ?",
  subscriber: `SELECT branch_id AS branchId, area_id AS areaId, package_id AS packageId, salesperson_id AS sellerId
    FROM subscribers WHERE id = ?`,
  staff:
    "SELECT branch_id AS branchId, NULL AS areaId, NULL AS packageId, id AS sellerId FROM staff WHERE id = ?",
};

/** The place of an entry: that of its invoice, else of its account as it is now. */
function findPlace({ $client }: Tx, account: Account, invoiceId: number | undefined): Place | null {
  const [owner, id] = ownerColumn(account);
  const sql =
    invoiceId !== undefined ? places.invoice : owner === "staff_id" ? places.staff : places.subscriber;
  return $client.query<Place, [number]>(sql).get(invoiceId ?? id);
}

/** A staff account, or a name. */
export function actingColumns({ staffId, name }: Actor) {
  return { actingStaffId: staffId, actor: staffId === null ? name : null };
}
