import type { Db } from "../../../db/open.ts";

/** The balances of every account of a kind in minor units, by its owner's id: what the newest entry says. */
export function balances(db: Db, owner: "subscriber_id" | "staff_id"): (id: number) => number {
  const newest = db.$client
    .query<{ id: number; balance: number }, []>(
      `SELECT ${owner} AS id, balance_after AS balance FROM ledger_entries
       WHERE id IN (SELECT max(id) FROM ledger_entries WHERE ${owner} IS NOT NULL GROUP BY ${owner})`,
    )
    .all();
  const byId = new Map(newest.map(({ id, balance }) => [id, balance]));
  return (id) => byId.get(id) ?? 0;
}
