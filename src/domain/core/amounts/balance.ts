import type { Db } from "../../../../db/open.ts";

/** A wallet's owner. */
export type Account = { subscriberId: number } | { staffId: number };

/** Column and id of the owner. */
export function ownerColumn(account: Account): ["staff_id" | "subscriber_id", number] {
  return "staffId" in account ? ["staff_id", account.staffId] : ["subscriber_id", account.subscriberId];
}

/** Minor units; 0 without an entry. */
export function readBalance({ $client }: Db, account: Account): number {
  const [owner, id] = ownerColumn(account);
  const newest = $client
    .query<{ balance: number }, [number]>(
      `SELECT balance_after AS balance FROM ledger_entries WHERE ${owner} = ? ORDER BY id DESC LIMIT 1`,
    )
    .get(id);
  return newest?.balance ?? 0;
}
