import { type Static, Type } from "@sinclair/typebox";
import type { Quote } from "../domain/service/activation/activate.ts";
import type { Extended } from "../domain/service/activation/extend.ts";
import type { DueRenewal } from "../domain/service/activation/renewals.ts";
import type { Voided } from "../domain/desk/void/void.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import type { Frozen, Thawed } from "../domain/desk/subscriber-page/freeze-service.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable } from "./kinds.ts";

export const quoteSchema = Type.Object({
  user_id: Type.Integer(),
  package_id: Type.Integer(),
  package_name: Type.String(),
  period_start: Type.String(),
  new_expiration: Type.String(),
  amount_charged: Type.Number(),
  credited: Type.Number(),
  balance: Type.Number(),
  balance_after: Type.Number(),
  paid: Type.Array(
    Type.Object({
      staff_id: Type.Integer(),
      name: Type.String(),
      amount: Type.Number(),
      when: Type.String({ enum: ["now", "settled"] }),
    }),
  ),
});

export const exampleQuote: Static<typeof quoteSchema> = {
  user_id: 42,
  package_id: 7,
  package_name: "Home 12",
  period_start: "2030-01-15 12:00:00",
  new_expiration: "2030-02-15 12:00:00",
  amount_charged: 12,
  credited: 18.33,
  balance: 0,
  balance_after: 6.33,
  paid: [{ staff_id: 2, name: "Rex", amount: -3.33, when: "now" }],
};

/** What an activation would do. */
export function shownQuote(quote: Quote): Static<typeof quoteSchema> {
  const { subscriber, sold, start, expiresAt, credited, balance, balanceAfter, paid } = quote;
  return {
    user_id: subscriber.id,
    package_id: sold.id,
    package_name: sold.name,
    period_start: formatTime(start),
    new_expiration: formatTime(expiresAt),
    amount_charged: shownAmount(sold.price),
    credited: shownAmount(credited),
    balance: shownAmount(balance),
    balance_after: shownAmount(balanceAfter),
    paid: paid.map(({ staffId, name, amount, isNow }) => ({
      staff_id: staffId,
      name,
      amount: shownAmount(amount),
      when: isNow ? "now" : "settled",
    })),
  };
}

/** What became of the session that was open. */
const session = Type.Optional(Type.String());

export const extensionSchema = Type.Object({
  success: Type.String(),
  user_id: Type.Integer(),
  new_expiration: Type.String(),
  paid_until: Type.String(),
  session,
});

export const exampleExtension: Static<typeof extensionSchema> = {
  success: "Subscriber extended.",
  user_id: 42,
  new_expiration: "2030-02-02 12:00:00",
  paid_until: "2030-01-31 12:00:00",
  session: "The subscriber is offline; the next login gets the current service.",
};

export function shownExtension({
  subscriberId,
  expiresAt,
  paidUntil,
}: Extended): Static<typeof extensionSchema> {
  return {
    success: "Subscriber extended.",
    user_id: subscriberId,
    new_expiration: formatTime(expiresAt),
    paid_until: formatTime(paidUntil),
  };
}

export const freezeSchema = Type.Object({
  success: Type.String(),
  user_id: Type.Integer(),
  frozen_since: Type.String(),
  thaws_at: Type.String(),
  sessions_ended: Type.Integer(),
  failures: Type.Array(Type.String()),
});

export const exampleFreeze: Static<typeof freezeSchema> = {
  success: "Subscriber frozen.",
  user_id: 42,
  frozen_since: "2030-01-15 12:00:00",
  thaws_at: "2030-04-15 12:00:00",
  sessions_ended: 1,
  failures: [],
};

export function shownFreeze({
  subscriberId,
  frozenAt,
  until,
  ended,
  failures,
}: Frozen & { ended: number; failures: string[] }): Static<typeof freezeSchema> {
  return {
    success: "Subscriber frozen.",
    user_id: subscriberId,
    frozen_since: formatTime(frozenAt),
    thaws_at: formatTime(until),
    sessions_ended: ended,
    failures,
  };
}

export const thawSchema = Type.Object({
  success: Type.String(),
  user_id: Type.Integer(),
  new_expiration: Type.String(),
});

export const exampleThaw: Static<typeof thawSchema> = {
  success: "Subscriber thawed.",
  user_id: 42,
  new_expiration: "2030-02-10 12:00:00",
};

export function shownThaw({ subscriberId, expiresAt }: Thawed): Static<typeof thawSchema> {
  return { success: "Subscriber thawed.", user_id: subscriberId, new_expiration: formatTime(expiresAt) };
}

export const dueRenewalSchema = Type.Object({
  user_id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  package_id: Type.Integer(),
  package_name: Type.String(),
  price: Type.Number(),
  current_expiration_date: Type.String(),
  renews_at: Type.String(),
  reason: nullable(Type.String()),
});

export const exampleDueRenewal: Static<typeof dueRenewalSchema> = {
  user_id: 42,
  username: "sam",
  name: "Sam",
  package_id: 7,
  package_name: "Home 12",
  price: 12,
  current_expiration_date: "2030-01-31 12:00:00",
  renews_at: "2030-01-31 11:00:00",
  reason: "insufficient balance: the package costs 12.00, the wallet holds 6.33; credit the subscriber first",
};

export function shownDueRenewal(due: DueRenewal): Static<typeof dueRenewalSchema> {
  const { id, username, name, packageId, packageName, price, expiresAt, renewsAt, reason } = due;
  return {
    user_id: id,
    username,
    name,
    package_id: packageId,
    package_name: packageName,
    price: shownAmount(price),
    current_expiration_date: formatTime(expiresAt),
    renews_at: formatTime(renewsAt),
    reason,
  };
}

export const voidSchema = Type.Object({
  success: Type.String(),
  invoice_id: Type.Integer(),
  number: Type.String(),
  user_id: Type.Integer(),
  given_back: Type.Number(),
  session,
});

export const exampleVoid: Static<typeof voidSchema> = {
  success: "Invoice void.",
  invoice_id: 123,
  number: "I-2030-000123",
  user_id: 42,
  given_back: 12,
  session: "The session was ended, so that the next login gets the current service.",
};

export function shownVoid({ invoiceId, number, subscriberId, amount }: Voided): Static<typeof voidSchema> {
  return {
    success: "Invoice void.",
    invoice_id: invoiceId,
    number,
    user_id: subscriberId,
    given_back: shownAmount(amount),
  };
}
