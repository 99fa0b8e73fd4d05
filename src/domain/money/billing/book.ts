import type { Tx } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";
import { append, type Booked, type Entry } from "./ledger.ts";
import { setting } from "../../core/settings/settings.ts";
import { announce } from "../../core/events/announce.ts";
import { parseAmount } from "../../core/amounts/money.ts";
import { placeOwed } from "./outstanding.ts";

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
  tellLowBalance(tx, entry, booked, now);
  if ("subscriberId" in entry.account)
    placeOwed(tx, { ...entry.account, balance: booked.balance }, now, by, touched);
  return booked;
}

/** Tells of a wallet that falls below what the ISP calls low. */
function tellLowBalance(tx: Tx, { account, ispId, amount }: Entry, { balance }: Booked, now: Seconds): void {
  if (!("subscriberId" in account) || amount >= 0 || ispId === null) return;
  const low = parseAmount(setting(tx, "low_balance", ispId));
  if (low === undefined || balance >= low || balance - amount < low) return;
  announce(tx, now, { type: "balance.low", subscriberId: account.subscriberId, beside: {} });
}
