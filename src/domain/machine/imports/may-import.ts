import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, may, requireFlag } from "../../core/actor/actor.ts";
import type { Moved } from "./model.ts";
import type { Notices } from "./notices.ts";

/** Further flags for importing money, time or valuable codes. */
const MONEY = ["wallet_adjust", "subscriber_activate"] as const;
const CARDS = "card_make";

export function bringable(
  by: Actor,
  moved: Moved,
  { source, notices }: { source: string; notices: Notices },
): { readonly moved: Moved; readonly takesMoney: boolean } {
  const takesMoney = MONEY.every((flag) => may(by, flag));
  const takesCards = may(by, CARDS);
  if (!takesMoney)
    notices.add(
      "left_out",
      null,
      source,
      "Balances and paid time are left out: they come when somebody runs it who may also correct wallets and activate",
    );
  if (!takesCards && moved.vouchers.length > 0)
    notices.add(
      "left_out",
      null,
      source,
      "Prepaid codes are left out: they come when somebody runs it who may also make cards",
    );
  return { moved: takesCards ? moved : { ...moved, vouchers: [], spentCodes: [] }, takesMoney };
}

/** Whether numbers may be shared already, and whether the actor may allow it for the whole box. */
export const sharing = (db: Db, by: Actor): { readonly isOn: boolean; readonly may: boolean } => ({
  isOn: setting(db, "unique_contacts") === 0,
  may: by.scope.ispId === null && may(by, "setting_manage"),
});

export function requireMayShare(db: Db, by: Actor): void {
  const { isOn, may: isAllowed } = sharing(db, by);
  if (!isOn && !isAllowed)
    throw new DomainError(
      "forbidden",
      phrase`whether subscribers may share numbers is a setting of the whole box: ask its operator to change it, or bring them in without`,
      { code: "operator_only" },
    );
}

/** Throws `forbidden` for an import beyond the actor's flags. */
export function requireUndoable(
  by: Actor,
  imported: { readonly money: boolean; readonly cards: boolean },
): void {
  if (imported.money) for (const flag of MONEY) requireFlag(by, flag);
  if (imported.cards) requireFlag(by, CARDS);
}
