import { type Static, Type } from "@sinclair/typebox";
import { cardKinds, cardStates } from "../../db/schema.ts";
import type { BatchRecord } from "../domain/service/cards/batch-list.ts";
import { cardNumber, printedCode } from "../domain/goods/codes/codes.ts";
import type { CardRecord, CardRow } from "../domain/service/cards/list.ts";
import { paperBatch, paperNumber, type PrintedCard } from "../domain/service/cards/print.ts";
import type { CardStanding } from "../domain/service/cards/standing.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { formatTime, type Seconds } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

const id = nullable(Type.Integer());
const amount = Type.Number();
const oneOf = <V extends string>(values: readonly V[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));
/** What cards are worth now, in the order of their lives. */
export const standings = [
  "new",
  "sold",
  "active",
  "used_up",
  "expired",
  "void",
] as const satisfies CardStanding[];

export const cardBatchSchema = Type.Object({
  id: Type.Integer(),
  number: Type.String(),
  isp_id: Type.Integer(),
  branch_id: Type.Integer(),
  kind: oneOf(cardKinds),
  package_id: id,
  package_name: text,
  quantity: Type.Integer(),
  prefix: Type.String(),
  length: id,
  alphabet: text,
  price: amount,
  reseller_id: id,
  reseller_name: text,
  reseller_price: nullable(amount),
  charge_on: text,
  needs_sale: Type.Integer(),
  sell_by: text,
  use_by: text,
  duration: id,
  duration_unit: text,
  uptime_seconds: id,
  data_quota_bytes: Type.Integer(),
  devices: Type.Integer(),
  lock_first_device: Type.Integer(),
  offline: Type.Integer(),
  note: text,
  origin: text,
  created_at: Type.String(),
  created_by: id,
  created_by_name: text,
  voided_at: text,
  cards_new: Type.Integer(),
  cards_sold: Type.Integer(),
  cards_active: Type.Integer(),
  cards_used_up: Type.Integer(),
  cards_expired: Type.Integer(),
  cards_void: Type.Integer(),
});
type ShownBatch = Static<typeof cardBatchSchema>;

const timeOf = (at: Seconds | null) => (at === null ? null : formatTime(at));

export function shownBatch(row: BatchRecord): ShownBatch {
  const { counts } = row;
  return {
    ...{ id: row.id, number: paperBatch(row), isp_id: row.ispId, branch_id: row.branchId ?? 0 },
    ...{ kind: row.kind, package_id: row.packageId, package_name: row.packageName, quantity: row.quantity },
    ...{ prefix: row.prefix, length: row.length, alphabet: row.alphabet, price: shownAmount(row.price) },
    ...{ reseller_id: row.resellerId, reseller_name: row.resellerName, charge_on: row.chargeOn },
    reseller_price: row.resellerPrice === null ? null : shownAmount(row.resellerPrice),
    ...{ needs_sale: row.needsSale, sell_by: timeOf(row.sellBy), use_by: timeOf(row.useBy) },
    ...{ duration: row.duration, duration_unit: row.durationUnit, uptime_seconds: row.uptimeSeconds },
    ...{ data_quota_bytes: row.quotaTotal, devices: row.simultaneousUse, offline: row.offline },
    ...{ lock_first_device: row.lockFirstDevice, note: row.note, origin: row.origin },
    ...{ created_at: formatTime(row.createdAt), created_by: row.createdBy },
    ...{ created_by_name: row.makerName ?? row.actor, voided_at: timeOf(row.voidedAt) },
    ...{ cards_new: counts.new, cards_sold: counts.sold, cards_active: counts.active },
    ...{ cards_used_up: counts.used_up, cards_expired: counts.expired, cards_void: counts.void },
  };
}

export const exampleBatch: ShownBatch = {
  ...{ id: 117, number: "0117", isp_id: 1, branch_id: 0 },
  ...{ kind: "access", package_id: 7, package_name: "Hotspot 1 day", quantity: 500 },
  ...{ prefix: "", length: 8, alphabet: "23456789ABCDEFGHJKMNPQRSTUVWXYZ", price: 1.5 },
  ...{ reseller_id: 12, reseller_name: "Corner shop", reseller_price: 1.2, charge_on: "use" },
  ...{ needs_sale: 0, sell_by: "2031-01-01 00:00:00", use_by: null },
  ...{ duration: 1, duration_unit: "day", uptime_seconds: null, data_quota_bytes: 2_000_000_000 },
  ...{ devices: 1, lock_first_device: 0, offline: 1, note: "for the summer", origin: null },
  ...{ created_at: "2030-06-01 09:00:00", created_by: 3, created_by_name: "Ada Ray", voided_at: null },
  ...{ cards_new: 320, cards_sold: 40, cards_active: 25, cards_used_up: 12, cards_expired: 101 },
  cards_void: 2,
};

const fields = {
  id: Type.Integer(),
  number: Type.String(),
  paper_number: Type.String(),
  batch_id: Type.Integer(),
  serial: Type.Integer(),
  isp_id: Type.Integer(),
  branch_id: Type.Integer(),
  kind: oneOf(cardKinds),
  package_id: id,
  package_name: text,
  price: amount,
  standing: oneOf(standings),
  state: oneOf(cardStates),
  reseller_id: id,
  reseller_name: text,
  sold_at: text,
  sold_by: id,
  sold_by_name: text,
  receipt_number: text,
  first_used_at: text,
  ends_at: text,
  used_seconds: Type.Integer(),
  used_bytes: Type.Integer(),
  used_up_at: text,
  mac_address: text,
  redeemed_by: id,
  redeemed_by_name: text,
  charged_at: text,
  voided_at: text,
  void_reason: text,
};
export const cardSchema = Type.Object(fields);
export const cardRecordSchema = Type.Object({
  ...fields,
  sessions: Type.Integer(),
  online: Type.Integer(),
});

export function shownCard(row: CardRow): Static<typeof cardSchema> {
  return {
    ...{ id: row.id, number: cardNumber(row.id), paper_number: paperNumber({ id: row.batchId }, row.serial) },
    ...{ batch_id: row.batchId, serial: row.serial, isp_id: row.ispId, branch_id: row.branchId ?? 0 },
    ...{ kind: row.kind, package_id: row.packageId, package_name: row.packageName },
    ...{ price: shownAmount(row.price), standing: row.standing, state: row.state },
    ...{ reseller_id: row.resellerId, reseller_name: row.resellerName, sold_at: timeOf(row.soldAt) },
    ...{ sold_by: row.soldBy, sold_by_name: row.sellerName, receipt_number: row.receipt },
    ...{ first_used_at: timeOf(row.firstUsedAt), ends_at: timeOf(row.endsAt) },
    ...{ used_seconds: row.usedSeconds, used_bytes: row.usedOctets, used_up_at: timeOf(row.usedUpAt) },
    ...{ mac_address: row.lockedMac, redeemed_by: row.redeemedBy, redeemed_by_name: row.redeemerName },
    ...{ charged_at: timeOf(row.chargedAt), voided_at: timeOf(row.voidedAt), void_reason: row.voidReason },
  };
}

export function shownCardRecord(row: CardRecord): Static<typeof cardRecordSchema> {
  return { ...shownCard(row), sessions: row.sessions, online: row.online };
}

export const exampleCard: Static<typeof cardSchema> = {
  ...{ id: 51_234, number: "C-051234", paper_number: "0117-034", batch_id: 117, serial: 34 },
  ...{ isp_id: 1, branch_id: 0, kind: "access", package_id: 7, package_name: "Hotspot 1 day" },
  ...{ price: 1.5, standing: "sold", state: "sold", reseller_id: null, reseller_name: null },
  ...{ sold_at: "2030-06-02 10:30:00", sold_by: 3, sold_by_name: "Ada Ray" },
  ...{ receipt_number: "R-2030-000124", first_used_at: null, ends_at: null, used_seconds: 0 },
  ...{ used_bytes: 0, used_up_at: null, mac_address: null, redeemed_by: null, redeemed_by_name: null },
  ...{ charged_at: null, voided_at: null, void_reason: null },
};
export const exampleCardRecord: Static<typeof cardRecordSchema> = { ...exampleCard, sessions: 0, online: 0 };

/** A card with its code, for paper alone. */
export const printedCardSchema = Type.Object({
  number: Type.String(),
  paper_number: Type.String(),
  code: Type.String(),
  code_printed: Type.String(),
});

export function shownPrintedCard(
  batch: { readonly id: number },
  { number, serial, code }: PrintedCard,
): Static<typeof printedCardSchema> {
  return { number, paper_number: paperNumber(batch, serial), code, code_printed: printedCode(code) };
}
