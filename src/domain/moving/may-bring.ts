import { type Actor, may, requireFlag } from "../staff/actor.ts";
import type { Moved } from "./model.ts";
import type { Tellings } from "./told.ts";

/** What it takes, beside the flag of imports, to give people money and time by one, or codes that are worth some. */
const MONEY = ["wallet_adjust", "subscriber_activate"] as const;
const CARDS = "card_make";

/** What the actor may bring in of what a source gives. */
export function bringable(
  by: Actor,
  moved: Moved,
  { source, told }: { source: string; told: Tellings },
): { readonly moved: Moved; readonly takesMoney: boolean } {
  const takesMoney = MONEY.every((flag) => may(by, flag));
  const takesCards = may(by, CARDS);
  if (!takesMoney)
    told.add(
      "left_out",
      null,
      source,
      "Balances and paid time are left out: they come when somebody runs it who may also correct wallets and activate",
    );
  if (!takesCards && moved.vouchers.length > 0)
    told.add(
      "left_out",
      null,
      source,
      "Prepaid codes are left out: they come when somebody runs it who may also make cards",
    );
  return { moved: takesCards ? moved : { ...moved, vouchers: [], spentCodes: [] }, takesMoney };
}

/** Throws `forbidden` where what a move brought is more than the actor may give, and so take back. */
export function requireUndoable(
  by: Actor,
  brought: { readonly money: boolean; readonly cards: boolean },
): void {
  if (brought.money) for (const flag of MONEY) requireFlag(by, flag);
  if (brought.cards) requireFlag(by, CARDS);
}
