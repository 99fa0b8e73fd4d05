import { type Static, Type } from "@sinclair/typebox";
import { cardNumber } from "../domain/goods/codes/codes.ts";
import type { Redeemed, RedeemPreview } from "../domain/service/cards/redeem.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { formatTime } from "../domain/core/time/time.ts";

const what = {
  card: Type.String(),
  credited: Type.Number(),
  package_name: Type.Union([Type.String(), Type.Null()]),
  new_expiration: Type.Union([Type.String(), Type.Null()]),
};

/** What a card would do; its number stands for it, the code does not come back. */
export const previewFields = {
  ...what,
  ends: Type.Union([Type.String(), Type.Null()]),
  balance: Type.Number(),
  balance_after: Type.Number(),
};
/** What a card did. */
export const redeemedFields = { ...what, balance: Type.Number() };

const previewObject = Type.Object(previewFields);
const redeemedObject = Type.Object(redeemedFields);

export const examplePreview: Static<typeof previewObject> = {
  card: "C-000123",
  credited: 22,
  package_name: "Home 10",
  new_expiration: "2030-02-28 12:00:00",
  ends: null,
  balance: 2.5,
  balance_after: 2.5,
};
export const exampleRedeemed: Static<typeof redeemedObject> = {
  card: "C-000123",
  credited: 22,
  package_name: "Home 10",
  new_expiration: "2030-02-28 12:00:00",
  balance: 2.5,
};

export function shownPreview(preview: RedeemPreview): Static<typeof previewObject> {
  const { cardId, credited, activation, balance, balanceAfter } = preview;
  return {
    card: cardNumber(cardId),
    credited: shownAmount(credited),
    package_name: activation?.packageName ?? null,
    new_expiration: activation ? formatTime(activation.expiresAt) : null,
    ends: activation && activation.cutsShort !== null ? formatTime(activation.cutsShort) : null,
    balance: shownAmount(balance),
    balance_after: shownAmount(balanceAfter),
  };
}

export function shownRedeemed({
  cardId,
  credited,
  activated,
  balance,
}: Redeemed): Static<typeof redeemedObject> {
  return {
    card: cardNumber(cardId),
    credited: shownAmount(credited),
    package_name: activated?.packageName ?? null,
    new_expiration: activated ? formatTime(activated.expiresAt) : null,
    balance: shownAmount(balance),
  };
}
