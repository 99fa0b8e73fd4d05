import { type Static, Type } from "@sinclair/typebox";
import type { ToppedUp, TopUpQuote } from "../domain/service/activation/top-up.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable } from "./kinds.ts";
import { exampleQuote, quoteSchema, shownQuote } from "./term.ts";

export const topUpSchema = Type.Object({
  success: Type.String(),
  user_id: Type.Integer(),
  package_id: Type.Integer(),
  invoice_id: Type.Integer(),
  bytes: Type.Integer(),
  days: Type.Integer(),
  new_expiration: Type.String(),
  bytes_left: nullable(Type.Integer()),
  amount_charged: Type.Number(),
  session: Type.Optional(Type.String()),
});

export const exampleTopUp: Static<typeof topUpSchema> = {
  success: "Topped up.",
  user_id: 42,
  package_id: 9,
  invoice_id: 311,
  bytes: 10_000_000_000,
  days: 0,
  new_expiration: "2030-02-15 12:00:00",
  bytes_left: 12_500_000_000,
  amount_charged: 5,
  session: "The open session has the current rate and end now.",
};

/** What a top-up did. */
export function shownTopUp(done: ToppedUp): Static<typeof topUpSchema> {
  return {
    success: "Topped up.",
    user_id: done.subscriberId,
    package_id: done.packageId,
    invoice_id: done.invoiceId,
    bytes: done.bytes,
    days: done.days,
    new_expiration: formatTime(done.expiresAt),
    bytes_left: done.left,
    amount_charged: shownAmount(done.charged),
  };
}

export const topUpQuoteSchema = Type.Composite([
  quoteSchema,
  Type.Object({
    bytes: Type.Integer(),
    days: Type.Integer(),
    bytes_left: nullable(Type.Integer()),
    bytes_until: Type.String(),
    rolls_over: Type.Integer(),
  }),
]);

export const exampleTopUpQuote: Static<typeof topUpQuoteSchema> = {
  ...exampleQuote,
  package_id: 9,
  package_name: "10 GB more",
  period_start: "2030-01-15 12:00:00",
  new_expiration: "2030-02-15 12:00:00",
  amount_charged: 5,
  credited: 0,
  balance: 20,
  balance_after: 15,
  paid: [],
  bytes: 10_000_000_000,
  days: 0,
  bytes_left: 12_500_000_000,
  bytes_until: "2030-02-01 00:00:00",
  rolls_over: 1,
};

/** What a top-up would do. */
export function shownTopUpQuote(quote: TopUpQuote): Static<typeof topUpQuoteSchema> {
  const { bytes, days, left, until, rolls } = quote;
  return {
    ...shownQuote(quote),
    bytes,
    days,
    bytes_left: left,
    bytes_until: formatTime(until),
    rolls_over: rolls ? 1 : 0,
  };
}
