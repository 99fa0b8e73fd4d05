import { Type } from "@sinclair/typebox";
import type { Named } from "../../../db/columns.ts";
import type { packages, services } from "../../../db/schema.ts";
import { field, type Field, flag, id, oneOf, price, text, wholeNumber } from "../fields.ts";
import { formatAmount } from "../money.ts";

const rate = "\\d{1,9}[kM]?";
const pair = `${rate}(?:/${rate})?`;
const seconds = "\\d{1,5}(?:/\\d{1,5})?";
/** RouterOS: rx[/tx] [rxBurst/txBurst [rxThr/txThr [rxTime/txTime [priority [rxMin/txMin]]]]], suffix k or M. */
const rateLimitForm = new RegExp(
  `^${pair}(?: ${pair}(?: ${pair}(?: ${seconds}(?: [1-8](?: ${pair})?)?)?)?)?$`,
);

export const rateLimit: Field<string> = field(
  Type.String({ maxLength: 200 }),
  "must be a RouterOS rate limit such as 10M/10M or 2M/10M 4M/20M 1M/5M 16/12",
  (value) => (rateLimitForm.test(value) ? value : undefined),
);

const quotaExceeded: Field<string> = {
  ...rateLimit,
  message: "must be reject, or a slower RouterOS rate limit such as 1M/1M",
  read: (value) => (value === "reject" ? value : rateLimit.read(value)),
};

/** What both tables have. */
type AccessName = keyof Named<typeof packages> & keyof Named<typeof services>;

/**
 * What the holders of a package are given, by the names in the import format: columns of packages, and of the services made from
 * them. Activation, the reading of logins, import and export follow this list; `decide` and the RADIUS grant say what it means.
 */
export const termFields = {
  rate_limit: rateLimit,
  data_quota_bytes: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  quota_exceeded: quotaExceeded,
  framed_pool: text(64),
  framed_ipv6_pool: text(64),
  delegated_ipv6_pool: text(64),
  address_list: text(64),
  expired_pool: text(64),
  expired_address_list: text(64),
  simultaneous_use: wholeNumber(1, 1000),
  idle_timeout: wholeNumber(1, 604_800),
} satisfies Record<AccessName | "data_quota_bytes", Field<unknown>>;

/** A package as the import format takes it. */
export const packageFields = {
  isp_id: id,
  name: text(120),
  price,
  reseller_price: price,
  billing_type: oneOf("prepaid", "postpaid"),
  duration: wholeNumber(1, 10_000),
  duration_unit: oneOf("hour", "day", "month"),
  ...termFields,
  address_pool: text(64),
  delegated_ipv6_from: text(64),
  status: flag,
};
export const requiredPackageFields = [
  "isp_id",
  "name",
  "price",
  "billing_type",
  "duration",
  "duration_unit",
] as const;

/** What is wrong with a reseller_price beside its price, if anything: a reseller would pay for each customer it brings. */
export function resellerPriceFault(price: number, resellerPrice: number | null): string | undefined {
  return resellerPrice !== null && resellerPrice > price
    ? `must not be above the price, which is ${formatAmount(price)}`
    : undefined;
}
