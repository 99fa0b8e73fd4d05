import type { Tx } from "../../../../../db/open.ts";
import { actingColumns } from "../../../money/billing/ledger.ts";
import { placeOwed } from "../../../money/billing/outstanding.ts";
import { formatAmount } from "../../../core/amounts/money.ts";
import type { Actor } from "../../../core/actor/actor.ts";
import { localDay, type Seconds } from "../../../core/time/time.ts";
import type { Row } from "./rows.ts";
import { StaleError } from "./stale.ts";
import type { Staging } from "./staging.ts";
import { type AccountColumn, wallets } from "./wallets.ts";

interface Booking {
  readonly now: Seconds;
  readonly by: Actor;
  readonly reason?: string | null | undefined;
}

type BalanceRow = Row<{ balance?: number | null }>;

/** Balances that differ from the store. */
export function stageBalances(staging: Staging, owner: AccountColumn, rows: readonly BalanceRow[]) {
  const owners = owner === "staff_id" ? "staff" : "subscribers";
  const { table, insert } = staging.inserter(`balances_${owner}`, ["id", "balance", "known", "entry"]);
  const readWallet = wallets(staging.db, owner);
  const stored = staging.prepare<{ username: string }>(`SELECT username FROM ${owners} WHERE id = ?`);
  const changed = new Set<number>();
  let count = 0;
  for (const { id, known, values } of rows) {
    const { balance } = values;
    const { balance: before, entry } = readWallet(id);
    if (balance === undefined || balance === null || balance === before) continue;
    insert.run(id, balance, known ? 1 : 0, entry);
    count++;
    if (!known) continue;
    changed.add(id);
    const change = { before: formatAmount(before), after: formatAmount(balance) };
    staging.changes.add(owners, id, stored.get(id)?.username, "balance", change);
  }
  /** Books a new account's opening, and a known one's difference. Throws StaleError where an account moved since the comparison. */
  const book = (tx: Tx, { now, by, reason }: Booking) => {
    if (count === 0) return;
    const { actingStaffId, actor } = actingColumns(by);
    const { changes } = tx.$client
      .query(
        `INSERT INTO ledger_entries (${owner}, isp_id, amount, balance_after, kind, acting_staff_id, actor, created_at,
           day, reason, branch_id, ${owner === "staff_id" ? "seller_id" : "area_id, package_id, seller_id"})
         SELECT account.id, account.isp_id, staged.balance - coalesce(newest.balance_after, 0), staged.balance,
                iif(staged.known, 'adjustment', 'opening'), ?, ?, ?, ?, iif(staged.known, ?, NULL), account.branch_id,
                ${owner === "staff_id" ? "account.id" : "account.area_id, account.package_id, account.salesperson_id"}
         FROM ${table} AS staged JOIN ${owners} AS account ON account.id = staged.id
         LEFT JOIN ledger_entries AS newest
           ON newest.id = (SELECT max(id) FROM ledger_entries WHERE ${owner} = staged.id)
         WHERE NOT staged.known OR coalesce(newest.id, 0) = staged.entry`,
      )
      .run(actingStaffId, actor, now, localDay(now), reason ?? null);
    if (changes !== count) throw new StaleError();
    if (owner === "subscriber_id") settle(tx, table, { now, by });
  };
  return { changed, book };
}

/** Accounts without debt before and after need no settling. */
function settle(tx: Tx, table: string, { now, by }: { now: Seconds; by: Actor }): void {
  const wallets = tx.$client
    .query<{ subscriberId: number; balance: number }, []>(
      `SELECT w.subscriber_id AS subscriberId, w.balance
       FROM ${table} AS staged JOIN wallets AS w ON w.subscriber_id = staged.id
       WHERE w.balance < 0
         OR EXISTS (SELECT 1 FROM invoices WHERE subscriber_id = staged.id AND paid_at IS NULL)
         OR EXISTS (SELECT 1 FROM open_charges WHERE subscriber_id = staged.id)`,
    )
    .all();
  for (const wallet of wallets) placeOwed(tx, wallet, now, by);
}
