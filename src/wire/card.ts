import { type Static, Type } from "@sinclair/typebox";
import { cardKinds, cardStates } from "../../db/schema.ts";
import type { BatchRecord } from "../domain/service/cards/batch-list.ts";
import { cardNumber, printedCode } from "../domain/goods/codes/codes.ts";
import type { CardRecord, CardRow } from "../domain/service/cards/list.ts";
import { printedBatch, printedNumber, type PrintedCard } from "../domain/service/cards/print.ts";
import type { CardStanding } from "../domain/service/cards/standing.ts";
import { oneOf } from "./kinds.ts";
import { declareRecord } from "./record.ts";

/** States of a card, in the order of its life. */
export const standings = [
  "new",
  "sold",
  "active",
  "used_up",
  "expired",
  "void",
] as const satisfies CardStanding[];

const counted =
  (standing: CardStanding) =>
  ({ counts }: BatchRecord) =>
    counts[standing];

export const {
  schema: cardBatchSchema,
  example: exampleBatch,
  toJson: batchToJson,
} = declareRecord<BatchRecord>()({
  id: { kind: "whole", example: 117 },
  number: { kind: "words", of: printedBatch, example: "0117" },
  isp_id: { kind: "whole", example: 1 },
  branch_id: { kind: "whole", of: ({ branchId }) => branchId ?? 0, example: 0 },
  kind: { shape: oneOf(...cardKinds), example: "access" },
  package_id: { kind: "whole", isNullable: true, example: 7 },
  package_name: { kind: "words", isNullable: true, example: "Hotspot 1 day" },
  quantity: { kind: "whole", example: 500 },
  prefix: { kind: "words", example: "" },
  length: { kind: "whole", isNullable: true, example: 8 },
  alphabet: { kind: "words", isNullable: true, example: "23456789ABCDEFGHJKMNPQRSTUVWXYZ" },
  price: { kind: "money", example: 1.5 },
  reseller_id: { kind: "whole", isNullable: true, example: 12 },
  reseller_name: { kind: "words", isNullable: true, example: "Corner shop" },
  reseller_price: { kind: "money", isNullable: true, example: 1.2 },
  charge_on: { kind: "words", isNullable: true, example: "use" },
  needs_sale: { kind: "flag", example: 0 },
  sell_by: { kind: "moment", isNullable: true, example: "2031-01-01 00:00:00" },
  use_by: { kind: "moment", isNullable: true, example: null },
  duration: { kind: "whole", isNullable: true, example: 1 },
  duration_unit: { kind: "words", isNullable: true, example: "day" },
  uptime_seconds: { kind: "whole", isNullable: true, example: null },
  data_quota_bytes: { kind: "whole", of: "quotaTotal", example: 2_000_000_000 },
  devices: { kind: "whole", of: "simultaneousUse", example: 1 },
  lock_first_device: { kind: "flag", example: 0 },
  offline: { kind: "flag", example: 1 },
  note: { kind: "words", isNullable: true, example: "for the summer" },
  origin: { kind: "words", isNullable: true, example: null },
  created_at: { kind: "moment", example: "2030-06-01 09:00:00" },
  created_by: { kind: "whole", isNullable: true, example: 3 },
  created_by_name: {
    kind: "words",
    isNullable: true,
    of: ({ makerName, actor }) => makerName ?? actor,
    example: "Ada Ray",
  },
  voided_at: { kind: "moment", isNullable: true, example: null },
  cards_new: { kind: "whole", of: counted("new"), example: 320 },
  cards_sold: { kind: "whole", of: counted("sold"), example: 40 },
  cards_active: { kind: "whole", of: counted("active"), example: 25 },
  cards_used_up: { kind: "whole", of: counted("used_up"), example: 12 },
  cards_expired: { kind: "whole", of: counted("expired"), example: 101 },
  cards_void: { kind: "whole", of: counted("void"), example: 2 },
});

export const {
  schema: cardSchema,
  example: exampleCard,
  toJson: cardToJson,
} = declareRecord<CardRow>()({
  id: { kind: "whole", example: 51_234 },
  number: { kind: "words", of: ({ id }) => cardNumber(id), example: "C-051234" },
  paper_number: {
    kind: "words",
    of: ({ batchId, serial }) => printedNumber({ id: batchId }, serial),
    example: "0117-034",
  },
  batch_id: { kind: "whole", example: 117 },
  serial: { kind: "whole", example: 34 },
  isp_id: { kind: "whole", example: 1 },
  branch_id: { kind: "whole", of: ({ branchId }) => branchId ?? 0, example: 0 },
  kind: { shape: oneOf(...cardKinds), example: "access" },
  package_id: { kind: "whole", isNullable: true, example: 7 },
  package_name: { kind: "words", isNullable: true, example: "Hotspot 1 day" },
  price: { kind: "money", example: 1.5 },
  standing: { shape: oneOf(...standings), example: "sold" },
  state: { shape: oneOf(...cardStates), example: "sold" },
  reseller_id: { kind: "whole", isNullable: true, example: null },
  reseller_name: { kind: "words", isNullable: true, example: null },
  sold_at: { kind: "moment", isNullable: true, example: "2030-06-02 10:30:00" },
  sold_by: { kind: "whole", isNullable: true, example: 3 },
  sold_by_name: { kind: "words", isNullable: true, of: "sellerName", example: "Ada Ray" },
  receipt_number: { kind: "words", isNullable: true, of: "receipt", example: "R-2030-000124" },
  first_used_at: { kind: "moment", isNullable: true, example: null },
  ends_at: { kind: "moment", isNullable: true, example: null },
  used_seconds: { kind: "whole", example: 0 },
  used_bytes: { kind: "whole", of: "usedOctets", example: 0 },
  used_up_at: { kind: "moment", isNullable: true, example: null },
  mac_address: { kind: "words", isNullable: true, of: "lockedMac", example: null },
  redeemed_by: { kind: "whole", isNullable: true, example: null },
  redeemed_by_name: { kind: "words", isNullable: true, of: "redeemerName", example: null },
  charged_at: { kind: "moment", isNullable: true, example: null },
  voided_at: { kind: "moment", isNullable: true, example: null },
  void_reason: { kind: "words", isNullable: true, example: null },
});

export const cardRecordSchema = Type.Object({
  ...cardSchema.properties,
  sessions: Type.Integer(),
  online: Type.Integer(),
});
export const exampleCardRecord: Static<typeof cardRecordSchema> = { ...exampleCard, sessions: 0, online: 0 };

export function cardRecordToJson(row: CardRecord): Static<typeof cardRecordSchema> {
  return { ...cardToJson(row), sessions: row.sessions, online: row.online };
}

/** A card with its code, for printing only. */
export const printedCardSchema = Type.Object({
  number: Type.String(),
  paper_number: Type.String(),
  code: Type.String(),
  code_printed: Type.String(),
});

export function printedCardToJson(
  batch: { readonly id: number },
  { number, serial, code }: PrintedCard,
): Static<typeof printedCardSchema> {
  return { number, paper_number: printedNumber(batch, serial), code, code_printed: printedCode(code) };
}
