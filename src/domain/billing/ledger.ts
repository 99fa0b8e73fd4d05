import type { Db, Tx } from "../../../db/open.ts";
import type { invoices, ledgerEntries } from "../../../db/schema.ts";
import { addAmounts } from "../money.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";

/** Whose money: a subscriber's wallet, or that of a staff account (a reseller's commissions). */
export type Account = { subscriberId: number } | { staffId: number };

export interface Entry {
  account: Account;
  ispId: number | null;
  /** Minor units; negative debits. */
  amount: number;
  kind: (typeof ledgerEntries.$inferInsert)["kind"];
  invoiceId?: number;
}

/**
 * Appends an entry, places what a subscriber owes then on its invoices, and returns the account's new balance in minor
 * units.
 */
export function book(tx: Tx, entry: Entry, now: Seconds, by: Actor): number {
  const balance = append(tx, entry, now, by);
  if ("subscriberId" in entry.account) placeOwed(tx, { ...entry.account, balance }, now, by);
  return balance;
}

/** By prepared statements, because an import may book as many as there are subscribers. */
function append(tx: Tx, { account, ispId, amount, kind, invoiceId }: Entry, now: Seconds, by: Actor): number {
  const balanceAfter = addAmounts(balanceOf(tx, account), amount);
  const [owner, id] = ownerOf(account);
  const { actingStaffId, actor } = actingColumns(by);
  tx.$client
    .query(
      `INSERT INTO ledger_entries
         (${owner}, isp_id, amount, balance_after, kind, invoice_id, acting_staff_id, actor, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(id, ispId, amount, balanceAfter, kind, invoiceId ?? null, actingStaffId, actor, now);
  return balanceAfter;
}

function ownerOf(account: Account): ["staff_id" | "subscriber_id", number] {
  return "staffId" in account ? ["staff_id", account.staffId] : ["subscriber_id", account.subscriberId];
}

/** A subscriber's, with the balance of its newest entry. */
interface Wallet {
  subscriberId: number;
  balance: number;
}

type Placed = Pick<
  typeof invoices.$inferSelect,
  "id" | "ispId" | "open" | "paidAt" | "sellerId" | "commission" | "commissionAtSale"
>;

/**
 * What a subscriber owes lies on its newest charges: from the newest back, each has open what is still to place, at most its
 * amount. Writes that to the invoices after every entry of the account; one that is settled by it gets its time and books its
 * seller's commission, one that opens again gives both back. Reads no further back than what is owed reaches.
 */
export function placeOwed(tx: Tx, wallet: Wallet, now: Seconds, by: Actor): void {
  const open = openByInvoice(tx, wallet);
  const write = tx.$client.query("UPDATE invoices SET open = ?, paid_at = ? WHERE id = ?");
  for (const invoice of unpaidOf(tx, wallet, open).toSorted((a, b) => a.id - b.id)) {
    const left = open.get(invoice.id) ?? 0;
    const isSettled = left === 0;
    const wasSettled = invoice.paidAt !== null;
    if (left === invoice.open && isSettled === wasSettled) continue;
    const paidAt = isSettled ? (invoice.paidAt ?? now) : null;
    write.run(left, paidAt, invoice.id);
    if (isSettled !== wasSettled) bookCommission(tx, invoice, isSettled, { now, by });
  }
}

/** The invoices that were unpaid so far, and those that are `open` now: each once. */
function unpaidOf({ $client }: Tx, { subscriberId }: Wallet, open: ReadonlyMap<number, number>): Placed[] {
  // two queries, for one of both kinds would look at every invoice that the subscriber ever had
  const select = `SELECT id, isp_id AS ispId, open, paid_at AS paidAt, seller_id AS sellerId, commission,
    commission_at_sale AS commissionAtSale FROM invoices`;
  const unpaid = $client
    .query<Placed, [number]>(`${select} WHERE subscriber_id = ? AND paid_at IS NULL`)
    .all(subscriberId);
  const known = new Set(unpaid.map(({ id }) => id));
  const byId = $client.query<Placed, [number]>(`${select} WHERE id = ?`);
  const others = [...open.keys()].filter((id) => !known.has(id));
  return [...unpaid, ...others.flatMap((id) => byId.all(id))];
}

/** The invoices on which the debt of a subscriber lies now, and how much of it on each. */
function openByInvoice(tx: Tx, { subscriberId, balance }: Wallet): Map<number, number> {
  const open = new Map<number, number>();
  let left = Math.max(0, -balance);
  if (left === 0) return open;
  const charges = tx.$client.query<
    { id: number; charge: number; invoiceId: number | null },
    [number, number]
  >(
    `SELECT id, -amount AS charge, invoice_id AS invoiceId FROM ledger_entries
     WHERE subscriber_id = ? AND id < ? AND amount < 0 ORDER BY id DESC LIMIT 1`,
  );
  let newest = charges.get(subscriberId, Number.MAX_SAFE_INTEGER);
  while (newest && left > 0) {
    const { id, charge, invoiceId } = newest;
    const part = Math.min(charge, left);
    if (invoiceId !== null) open.set(invoiceId, part);
    left -= part;
    newest = charges.get(subscriberId, id);
  }
  return open;
}

function bookCommission(
  tx: Tx,
  { id, ispId, sellerId, commission, commissionAtSale }: Placed,
  isSettled: boolean,
  { now, by }: { now: Seconds; by: Actor },
): void {
  if (sellerId === null || commission === 0 || commissionAtSale === 1) return;
  const amount = isSettled ? commission : -commission;
  append(tx, { account: { staffId: sellerId }, ispId, amount, kind: "commission", invoiceId: id }, now, by);
}

/** Who acts, as an entry says it: a staff account, or a name where there is none. */
export function actingColumns({ staffId, name }: Actor) {
  return { actingStaffId: staffId, actor: staffId === null ? name : null };
}

/** The balance of an account in minor units: what its newest entry says, 0 without one. */
export function balanceOf({ $client }: Db, account: Account): number {
  const [owner, id] = ownerOf(account);
  const newest = $client
    .query<{ balance: number }, [number]>(
      `SELECT balance_after AS balance FROM ledger_entries WHERE ${owner} = ? ORDER BY id DESC LIMIT 1`,
    )
    .get(id);
  return newest?.balance ?? 0;
}
