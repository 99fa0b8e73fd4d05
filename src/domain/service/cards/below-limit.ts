import type { Db } from "../../../../db/open.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { RESELLER } from "../../core/actor/profile-types.ts";

/** A reseller below its credit limit, because cards are charged anyway; minor units. */
export interface BelowLimit {
  readonly resellerId: number;
  readonly name: string;
  readonly username: string;
  readonly balance: number;
  readonly creditLimit: number;
}

type Store = Pick<Db, "$client">;

const SELECT = `SELECT s.id AS resellerId, s.name, s.username, e.balance_after AS balance, s.credit_limit AS creditLimit
  FROM staff s JOIN ledger_entries e ON e.id = (SELECT max(id) FROM ledger_entries WHERE staff_id = s.id)
  WHERE s.profile_type = ${RESELLER} AND e.balance_after < -s.credit_limit`;

/** Resellers below their limit who were charged for cards after a ledger entry. */
export function belowLimitSince(db: Store, since: number): { below: readonly BelowLimit[]; newest: number } {
  const newest = newestEntry(db);
  if (newest === since) return { below: [], newest };
  const below = db.$client
    .query<BelowLimit, [number]>(
      `${SELECT} AND s.id IN (SELECT staff_id FROM ledger_entries WHERE id > ? AND kind = 'card' AND amount < 0) ORDER BY s.id`,
    )
    .all(since);
  return { below, newest };
}

/** Holders of cards that are below their limit now. */
export function belowLimitNow({ $client }: Store): BelowLimit[] {
  return $client
    .query<BelowLimit, []>(
      `${SELECT} AND EXISTS (SELECT 1 FROM card_batches b WHERE b.reseller_id = s.id) ORDER BY s.id`,
    )
    .all();
}

export function newestEntry({ $client }: Store): number {
  const row = $client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM ledger_entries").get();
  return row?.id ?? 0;
}

export function belowLimitWords({ name, balance, creditLimit }: BelowLimit): string {
  return `the wallet of the reseller ${name} stands at ${formatAmount(balance)}, below its credit limit of ${formatAmount(creditLimit)}: cards that were used are charged all the same, and more are not sold before a payment`;
}
