import type { Tx } from "../../../db/open.ts";
import { type Account, book } from "../billing/ledger.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";
import type { IspsById } from "./directory.ts";
import type { Row } from "./rows.ts";
import { balances } from "./wallets.ts";
import { RowWriter } from "./row-writer.ts";

type BalanceRow = Row<{ balance?: number | null }>;

/**
 * Books the balances of the file as opening entries: of a new account the whole, of a known one what it differs by, for the
 * ledger only ever grows.
 */
export function writeBalances(
  tx: Tx,
  owner: "subscriber_id" | "staff_id",
  rows: readonly BalanceRow[],
  isps: IspsById,
  { now, by }: { now: Seconds; by: Actor },
): void {
  const ledger = new RowWriter(tx, "ledger_entries");
  const balanceOf = balances(tx, owner);
  for (const { id, known, values } of rows) {
    const { balance } = values;
    if (balance === undefined || balance === null) continue;
    const ispId = isps.get(id) ?? null;
    if (known) {
      const account: Account = owner === "staff_id" ? { staffId: id } : { subscriberId: id };
      const amount = balance - balanceOf(id);
      if (amount !== 0) book(tx, { account, ispId, amount, kind: "opening" }, now, by);
    } else if (balance !== 0) {
      ledger.insert({
        [owner]: id,
        isp_id: ispId,
        amount: balance,
        balance_after: balance, // a new account has no entries to add to
        kind: "opening",
        acting_staff_id: by.staffId,
        created_at: now,
      });
    }
  }
}
