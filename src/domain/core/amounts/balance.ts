import type { Db } from "../../../../db/open.ts";

/** Whose money: a subscriber's wallet, or that of a staff account (a reseller's). */
export type Account = { subscriberId: number } | { staffId: number };

/** The column that says whose an entry is, and the id there. */
export function ownerOf(account: Account): ["staff_id" | "subscriber_id", number] {
  return "staffId" in account ? ["staff_id", account.staffId] : ["subscriber_id", account.subscriberId];
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
