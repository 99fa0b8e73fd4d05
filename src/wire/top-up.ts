import { type Static, Type } from "@sinclair/typebox";
import type { ToppedUp, TopUpQuote } from "../domain/service/activation/top-up.ts";
import { declareRecord, constant } from "./record.ts";
import { exampleQuote, quoteSchema, quoteToJson } from "./term.ts";

const done = declareRecord<ToppedUp>()({
  success: constant("Topped up."),
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  package_id: { kind: "whole", example: 9 },
  invoice_id: { kind: "whole", example: 311 },
  bytes: { kind: "whole", example: 10_000_000_000 },
  days: { kind: "whole", example: 0 },
  new_expiration: { kind: "moment", of: "expiresAt", example: "2030-02-15 12:00:00" },
  bytes_left: { kind: "whole", isNullable: true, of: "left", example: 12_500_000_000 },
  amount_charged: { kind: "money", of: "charged", example: 5 },
});
export const topUpToJson = done.toJson;
export const topUpSchema = Type.Object({
  ...done.schema.properties,
  session: Type.Optional(Type.String()),
});
export const exampleTopUp: Static<typeof topUpSchema> = {
  ...done.example,
  session: "The open session has the current rate and end now.",
};

const brought = declareRecord<TopUpQuote>()({
  bytes: { kind: "whole", example: 10_000_000_000 },
  days: { kind: "whole", example: 0 },
  bytes_left: { kind: "whole", isNullable: true, of: "left", example: 12_500_000_000 },
  bytes_until: { kind: "moment", of: "until", example: "2030-02-01 00:00:00" },
  rolls_over: { kind: "flag", of: ({ rolls }) => (rolls ? 1 : 0), example: 1 },
});
export const topUpQuoteSchema = Type.Composite([quoteSchema, brought.schema]);

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
  ...brought.example,
};

export function topUpQuoteToJson(quote: TopUpQuote): Static<typeof topUpQuoteSchema> {
  return { ...quoteToJson(quote), ...brought.toJson(quote) };
}
