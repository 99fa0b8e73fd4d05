import type { Tx } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";
import { append, type Booked, type Entry } from "./ledger.ts";
import { setting } from "../../core/settings/settings.ts";
import { announce } from "../../core/events/announce.ts";
import { parseAmount } from "../../core/amounts/money.ts";
import { placeOwed } from "./outstanding.ts";

/**
 * Appends an entry and places the debt on charges, which books commissions. The only way for money to move, except import
 * balances. `touched`: an invoice just voided or credited.
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

/** Announces a low balance. */
function tellLowBalance(tx: Tx, { account, ispId, amount }: Entry, { balance }: Booked, now: Seconds): void {
  if (!("subscriberId" in account) || amount >= 0 || ispId === null) return;
  const low = parseAmount(setting(tx, "low_balance", ispId));
  if (low === undefined || balance >= low || balance - amount < low) return;
  announce(tx, now, { type: "balance.low", subscriberId: account.subscriberId, beside: {} });
}
