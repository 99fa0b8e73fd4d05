import type { Db } from "../../../../../db/open.ts";

export type AccountColumn = "subscriber_id" | "staff_id";

export interface Wallet {
  readonly entry: number;
  readonly at: number;
  readonly balance: number;
}

const EMPTY: Wallet = { entry: 0, at: 0, balance: 0 };

export function wallets(db: Db, account: AccountColumn): (id: number) => Wallet {
  const newest = db.$client
    .query<Wallet & { owner: number }, []>(
      `SELECT ${account} AS owner, id AS entry, created_at AS at, balance_after AS balance FROM ledger_entries
       WHERE id IN (SELECT max(id) FROM ledger_entries WHERE ${account} IS NOT NULL GROUP BY ${account})`,
    )
    .all();
  const byOwner = new Map(newest.map((wallet) => [wallet.owner, wallet]));
  return (id) => byOwner.get(id) ?? EMPTY;
}
