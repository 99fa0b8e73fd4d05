import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { shownAmount } from "../domain/core/amounts/money.ts";
import type { termFields } from "../domain/goods/packages/fields.ts";
import type { PricedPackage } from "../domain/goods/packages/packages.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

const number = nullable(Type.Integer());
const amount = Type.Number();

const terms = {
  rate_limit: text,
  data_quota_bytes: Type.Integer(),
  quota_exceeded: Type.String(),
  framed_pool: text,
  framed_ipv6_pool: text,
  delegated_ipv6_pool: text,
  address_list: text,
  expired_pool: text,
  expired_address_list: text,
  simultaneous_use: Type.Integer(),
  idle_timeout: number,
  reply_attributes: text,
  tiers: text,
  fair_window: Type.String(),
  hours: text,
} satisfies Record<keyof typeof termFields, TSchema>;

export const packageSchema = Type.Object({
  id: Type.Integer(),
  isp_id: Type.Integer(),
  name: Type.String(),
  price: amount,
  net: amount,
  tax: amount,
  reseller_price: nullable(amount),
  billing_type: Type.String(),
  duration: Type.Integer(),
  duration_unit: Type.String(),
  ...terms,
  top_up_bytes: Type.Integer(),
  top_up_days: Type.Integer(),
  top_up_rolls: Type.Integer(),
  address_pool: text,
  delegated_ipv6_from: text,
  status: Type.Integer(),
  created_at: Type.String(),
});
export type ShownPackage = Static<typeof packageSchema>;

export const examplePackage: ShownPackage = {
  id: 7,
  isp_id: 1,
  name: "Home 10",
  price: 22,
  net: 18.64,
  tax: 3.36,
  reseller_price: 18,
  billing_type: "prepaid",
  duration: 1,
  duration_unit: "month",
  rate_limit: "10M/10M",
  data_quota_bytes: 100_000_000_000,
  quota_exceeded: "1M/1M",
  framed_pool: null,
  framed_ipv6_pool: null,
  delegated_ipv6_pool: null,
  address_list: null,
  expired_pool: null,
  expired_address_list: null,
  simultaneous_use: 1,
  idle_timeout: null,
  reply_attributes: null,
  tiers: "50GB 5M/5M; 80GB 2M/2M",
  fair_window: "period",
  hours: "daily 01:00-06:00 free 20M/20M",
  top_up_bytes: 0,
  top_up_days: 0,
  top_up_rolls: 0,
  address_pool: null,
  delegated_ipv6_from: null,
  status: 1,
  created_at: "2030-01-01 09:00:00",
};

export function shownPackage(row: PricedPackage): ShownPackage {
  return {
    id: row.id,
    isp_id: row.ispId,
    name: row.name,
    price: shownAmount(row.price),
    net: shownAmount(row.net),
    tax: shownAmount(row.tax),
    reseller_price: row.resellerPrice === null ? null : shownAmount(row.resellerPrice),
    billing_type: row.billingType,
    duration: row.duration,
    duration_unit: row.durationUnit,
    rate_limit: row.rateLimit,
    data_quota_bytes: row.dataQuotaBytes,
    quota_exceeded: row.quotaExceeded,
    framed_pool: row.framedPool,
    framed_ipv6_pool: row.framedIpv6Pool,
    delegated_ipv6_pool: row.delegatedIpv6Pool,
    address_list: row.addressList,
    expired_pool: row.expiredPool,
    expired_address_list: row.expiredAddressList,
    simultaneous_use: row.simultaneousUse,
    idle_timeout: row.idleTimeout,
    reply_attributes: row.replyAttributes,
    tiers: row.tiers,
    fair_window: row.fairWindow,
    hours: row.hours,
    top_up_bytes: row.topUpBytes,
    top_up_days: row.topUpDays,
    top_up_rolls: row.topUpRolls,
    address_pool: row.addressPool,
    delegated_ipv6_from: row.delegatedIpv6From,
    status: row.status,
    created_at: formatTime(row.createdAt),
  };
}
