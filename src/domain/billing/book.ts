import type { Tx } from "../../../db/open.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";
import { append, type Booked, type Entry } from "./ledger.ts";
import { placeOwed } from "./open.ts";

/**
 * Appends an entry, and places what a subscriber owes then on its charges, which books and takes back commissions. The one way
 * in which money moves, but for the balances of an import. An invoice that was void or credited just now is `touched`.
 */
export function book(
  tx: Tx,
  entry: Entry,
  now: Seconds,
  by: Actor,
  { touched }: { touched?: number } = {},
): Booked {
  const booked = append(tx, entry, now, by);
  if ("subscriberId" in entry.account)
    placeOwed(tx, { ...entry.account, balance: booked.balance }, now, by, touched);
  return booked;
}
