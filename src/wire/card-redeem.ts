import { cardNumber } from "../domain/goods/codes/codes.ts";
import type { Redeemed, RedeemPreview } from "../domain/service/cards/redeem.ts";
import { declareRecord } from "./record.ts";

/** A card to redeem, shown by its number; the code is not returned. */
export const {
  schema: previewSchema,
  example: examplePreview,
  toJson: previewToJson,
} = declareRecord<RedeemPreview>()({
  card: { kind: "words", of: ({ cardId }) => cardNumber(cardId), example: "C-000123" },
  credited: { kind: "money", example: 22 },
  package_name: {
    kind: "words",
    isNullable: true,
    of: ({ activation }) => activation?.packageName ?? null,
    example: "Home 10",
  },
  new_expiration: {
    kind: "moment",
    isNullable: true,
    of: ({ activation }) => activation?.expiresAt ?? null,
    example: "2030-02-28 12:00:00",
  },
  ends: {
    kind: "moment",
    isNullable: true,
    of: ({ activation }) => activation?.cutsShort ?? null,
    example: null,
  },
  balance: { kind: "money", example: 2.5 },
  balance_after: { kind: "money", example: 2.5 },
});

export const {
  schema: redeemedSchema,
  example: exampleRedeemed,
  toJson: redeemedToJson,
} = declareRecord<Redeemed>()({
  card: { kind: "words", of: ({ cardId }) => cardNumber(cardId), example: "C-000123" },
  credited: { kind: "money", example: 22 },
  package_name: {
    kind: "words",
    isNullable: true,
    of: ({ activated }) => activated?.packageName ?? null,
    example: "Home 10",
  },
  new_expiration: {
    kind: "moment",
    isNullable: true,
    of: ({ activated }) => activated?.expiresAt ?? null,
    example: "2030-02-28 12:00:00",
  },
  balance: { kind: "money", example: 2.5 },
});
