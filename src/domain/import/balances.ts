import type { Tx } from "../../../db/open.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";
import type { Row } from "./rows.ts";
import type { Staging } from "./staging.ts";
import { balances } from "./wallets.ts";

type BalanceRow = Row<{ balance?: number | null }>;

export type StagedBalances = ReturnType<typeof stageBalances>;

/** The balances that differ from those of the store. */
export function stageBalances(
  staging: Staging,
  owner: "subscriber_id" | "staff_id",
  rows: readonly BalanceRow[],
) {
  const { table, insert } = staging.inserter(`balances_${owner}`, ["id", "balance"]);
  const balanceOf = balances(staging.db, owner);
  /** Known accounts. */
  const changed = new Set<number>();
  let count = 0;
  for (const { id, known, values } of rows) {
    const { balance } = values;
    if (balance === undefined || balance === null || balance === balanceOf(id)) continue;
    insert.run(id, balance);
    count++;
    if (known) changed.add(id);
  }
  const owners = owner === "staff_id" ? "staff" : "subscribers";
  /**
   * Books opening entries: of a new account the whole, of a known one what it differs by at this moment, for the ledger
   * only ever grows.
   */
  const book = (tx: Tx, { now, by }: { now: Seconds; by: Actor }) => {
    if (count === 0) return;
    tx.$client
      .query(
        `INSERT INTO ledger_entries (${owner}, isp_id, amount, balance_after, kind, acting_staff_id, created_at)
         SELECT id, isp_id, balance - before, balance, 'opening', ?, ? FROM (
           SELECT account.id, account.isp_id, staged.balance, coalesce((
             SELECT balance_after FROM ledger_entries WHERE ${owner} = account.id ORDER BY id DESC LIMIT 1
           ), 0) AS before
           FROM ${table} AS staged JOIN ${owners} AS account ON account.id = staged.id
         ) WHERE balance <> before`,
      )
      .run(by.staffId, now);
  };
  return { changed, book };
}
