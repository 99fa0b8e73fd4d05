import { Type } from "@sinclair/typebox";
import type { Named } from "../../../../db/columns.ts";
import type { packages, services } from "../../../../db/schema.ts";
import { replyAttributesField } from "../attributes/reply.ts";
import { readHours, writeHours } from "../windows/hours.ts";
import { readTiers, writeTiers } from "../windows/tiers.ts";
import { fairWindows } from "../windows/window.ts";
import { field, type Field, flag, id, oneOf, price, text, wholeNumber } from "../../core/fields/fields.ts";
import { formatAmount } from "../../core/amounts/money.ts";

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

const isRate = (value: string) => rateLimitForm.test(value);

const tiers: Field<string> = field(
  Type.String({ maxLength: 1000 }),
  "must be one to five slower rates, each with the bytes of the window after which it begins, such as 50GB 5M/5M; 100GB 1M/1M",
  (value) => {
    const read = readTiers(value, isRate);
    return read && writeTiers(read);
  },
);

const hours: Field<string> = field(
  Type.String({ maxLength: 1000 }),
  "must be up to ten parts of the week with another rate, or whose bytes do not count (free), such as mon-fri 22:00-06:00 free 20M/20M; daily 01:00-05:00 free",
  (value) => {
    const read = readHours(value, isRate);
    return read && writeHours(read);
  },
);

const listName = text(64);
/** Routers are told who is on the list, and `!` in front is for them who is not. */
const expiredList: Field<string> = {
  ...listName,
  message: `${listName.message}, and not begin with !`,
  read: (value) => {
    const name = listName.read(value);
    return name?.startsWith("!") ? undefined : name;
  },
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
  expired_address_list: expiredList,
  simultaneous_use: wholeNumber(1, 1000),
  idle_timeout: wholeNumber(1, 604_800),
  reply_attributes: replyAttributesField,
  tiers,
  fair_window: { ...oneOf(...fairWindows), empty: "period" as const },
  hours,
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
  top_up_bytes: { ...wholeNumber(0, Number.MAX_SAFE_INTEGER), empty: 0 },
  top_up_days: { ...wholeNumber(0, 3650), empty: 0 },
  top_up_rolls: { ...flag, empty: 0 as const },
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

/** What of a package its fair use has to be in keeping with; undefined and null as in a package that says nothing of it. */
export interface FairPackage {
  readonly rateLimit?: string | null | undefined;
  readonly tiers?: string | null | undefined;
  readonly hours?: string | null | undefined;
  readonly quotaExceeded?: string | null | undefined;
  readonly fairWindow?: string | null | undefined;
}

/** What is wrong with the rate beside what changes it, if anything: a router cannot be told by CoA that a line has none any more. */
export function fairRateFault({
  rateLimit = null,
  tiers = null,
  hours = null,
  quotaExceeded,
  fairWindow,
}: FairPackage): string | undefined {
  const isSlowed = (quotaExceeded ?? "reject") !== "reject" && (fairWindow ?? "period") !== "period";
  return rateLimit === null && (tiers !== null || hours !== null || isSlowed)
    ? "is needed beside tiers, hours or a slower rate until the next window, so that the line can go back to it; 0/0 is without a limit"
    : undefined;
}

/** What the values of a package say of its fair use, those that are not there as they are stored. */
export function fairOf(values: FairValues, stored?: FairPackage): FairPackage {
  const { rate_limit, quota_exceeded, fair_window } = values;
  return {
    rateLimit: rate_limit === undefined ? stored?.rateLimit : rate_limit,
    quotaExceeded: quota_exceeded === undefined ? stored?.quotaExceeded : quota_exceeded,
    fairWindow: fair_window === undefined ? stored?.fairWindow : fair_window,
    tiers: values.tiers === undefined ? stored?.tiers : values.tiers,
    hours: values.hours === undefined ? stored?.hours : values.hours,
  };
}

type FairValues = Partial<
  Record<"rate_limit" | "quota_exceeded" | "fair_window" | "tiers" | "hours", string | null | undefined>
>;

/** What is wrong with a reseller_price beside its price, if anything: a reseller would pay for each customer it brings. */
export function resellerPriceFault(price: number, resellerPrice: number | null): string | undefined {
  return resellerPrice !== null && resellerPrice > price
    ? `must not be above the price, which is ${formatAmount(price)}`
    : undefined;
}
