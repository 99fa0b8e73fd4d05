import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { columnKinds, type Named } from "../../../../db/columns.ts";
import { cardBatches, type packages, type services } from "../../../../db/schema.ts";
import { replyAttributesField } from "../attributes/reply.ts";
import { readHours, writeHours } from "../windows/hours.ts";
import { readTiers, writeTiers } from "../windows/tiers.ts";
import { fairWindows } from "../windows/window.ts";
import {
  field,
  type Field,
  fieldNames,
  flag,
  id,
  oneOf,
  only,
  price,
  text,
  wholeNumber,
} from "../../core/fields/fields.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Reading, ReadingOf, RecordOf } from "../../core/fields/record.ts";

const rate = "\\d{1,9}[kM]?";
const pair = `${rate}(?:/${rate})?`;
const seconds = "\\d{1,5}(?:/\\d{1,5})?";
/** RouterOS: rx[/tx] [rxBurst/txBurst [rxThr/txThr [rxTime/txTime [priority [rxMin/txMin]]]]], suffix k or M. */
const rateLimitForm = new RegExp(
  `^${pair}(?: ${pair}(?: ${pair}(?: ${seconds}(?: [1-8](?: ${pair})?)?)?)?)?$`,
);

export const rateLimit: Field<string> = field(
  Type.String({ maxLength: 200 }),
  phrase`must be a RouterOS rate limit such as 10M/10M or 2M/10M 4M/20M 1M/5M 16/12`,
  (value) => (rateLimitForm.test(value) ? value : undefined),
);

const quotaExceeded: Field<string> = {
  ...rateLimit,
  message: phrase`must be reject, or a slower RouterOS rate limit such as 1M/1M`,
  read: (value) => (value === "reject" ? value : rateLimit.read(value)),
};

const isRate = (value: string) => rateLimitForm.test(value);

const tiers: Field<string> = field(
  Type.String({ maxLength: 1000 }),
  phrase`must be one to five slower rates, each with the bytes of the window after which it begins, such as 50GB 5M/5M; 100GB 1M/1M`,
  (value) => {
    const read = readTiers(value, isRate);
    return read && writeTiers(read);
  },
);

const hours: Field<string> = field(
  Type.String({ maxLength: 1000 }),
  phrase`must be up to ten parts of the week with another rate, or whose bytes do not count (free), such as mon-fri 22:00-06:00 free 20M/20M; daily 01:00-05:00 free`,
  (value) => {
    const read = readHours(value, isRate);
    return read && writeHours(read);
  },
);

const listName = text(64);
/** Routers get the list; `!` negates it. */
const expiredList: Field<string> = {
  ...listName,
  message: phrase`${listName.message}, and not begin with !`,
  read: (value) => {
    const name = listName.read(value);
    return name?.startsWith("!") ? undefined : name;
  },
};

type AccessName = keyof Named<typeof packages> & keyof Named<typeof services>;
/** A package with its tax split. */
type PackageRow = Named<typeof packages> & Record<"net" | "tax", number>;
type TermName = AccessName | "data_quota_bytes";

/**
 * What a package grants, by import names: columns of packages and services. Activation, logins, records, import and export
 * follow this list; `decide` and `grantAttributes` put it into an Accept, the console's editor gives it a place.
 */
export const termFields = {
  rate_limit: {
    ...rateLimit,
    kind: "words",
    isNullable: true,
    meaning: "Rate of the line in RouterOS syntax, from the subscriber and to it; null: none.",
    example: "10M/10M",
    placeholder: "rate",
  },
  data_quota_bytes: {
    ...wholeNumber(0, Number.MAX_SAFE_INTEGER),
    kind: "whole",
    meaning: "Volume of a period, up plus down; 0: no limit.",
    example: 100_000_000_000,
    placeholder: "bytes",
  },
  quota_exceeded: {
    ...quotaExceeded,
    kind: "words",
    meaning: "What comes after the volume: `reject`, as if expired, or a slower rate limit.",
    example: "1M/1M",
    placeholder: "what",
  },
  framed_pool: {
    ...text(64),
    kind: "words",
    isNullable: true,
    meaning: "Pool of the router that the address comes from (Framed-Pool).",
    example: null,
    placeholder: "pool",
  },
  framed_ipv6_pool: {
    ...text(64),
    kind: "words",
    isNullable: true,
    meaning: "Pool of the IPv6 prefix of the link (Framed-IPv6-Pool).",
    example: null,
    placeholder: "pool",
  },
  delegated_ipv6_pool: {
    ...text(64),
    kind: "words",
    isNullable: true,
    meaning: "Pool of the prefix for the network behind it (Delegated-IPv6-Prefix-Pool).",
    example: null,
    placeholder: "pool",
  },
  address_list: {
    ...text(64),
    kind: "words",
    isNullable: true,
    meaning: "Address list of the router that the address is put into.",
    example: null,
    placeholder: "list",
  },
  expired_pool: {
    ...text(64),
    kind: "words",
    isNullable: true,
    meaning: "Pool after the end of the service, which then leads to one page.",
    example: null,
    placeholder: "pool",
  },
  expired_address_list: {
    ...expiredList,
    kind: "words",
    isNullable: true,
    meaning: "Address list after the end of the service, which then leads to one page.",
    example: null,
    placeholder: "list",
  },
  simultaneous_use: {
    ...wholeNumber(1, 1000),
    kind: "whole",
    meaning: "How many sessions may be open at once.",
    example: 1,
    placeholder: "count",
  },
  idle_timeout: {
    ...wholeNumber(1, 604_800),
    kind: "whole",
    isNullable: true,
    meaning: "Seconds without traffic after which the router ends a session; null: never.",
    example: null,
    placeholder: "seconds",
  },
  reply_attributes: {
    ...replyAttributesField,
    kind: "words",
    isNullable: true,
    meaning:
      "Further RADIUS attributes of an Access-Accept, a `Name=value` on each line, by the names of the RFCs and vendors; they stand in place of what would be sent under the same name. Null: none. Sessions of the walled garden do not get them.",
    example: null,
    placeholder: "lines",
  },
  tiers: {
    ...tiers,
    kind: "words",
    isNullable: true,
    meaning:
      "Slower rates, each with the bytes of the window after which it begins: `50GB 5M/5M; 100GB 1M/1M`; null: none.",
    example: "50GB 5M/5M; 80GB 2M/2M",
    placeholder: "tiers",
  },
  fair_window: {
    ...oneOf(...fairWindows),
    empty: "period" as const,
    kind: "words",
    meaning:
      "What the volume and the tiers are of: `period`, or by the calendar `month`, `week` (from Monday) or `day`.",
    example: "period",
    placeholder: "window",
  },
  hours: {
    ...hours,
    kind: "words",
    isNullable: true,
    meaning:
      "Other rates by weekday and time of the server's zone, the first that is on: `mon-fri 22:00-06:00 free 20M/20M; daily 01:00-05:00 free`. Of hours that are `free` no byte counts; null: none.",
    example: "daily 01:00-06:00 free 20M/20M",
    placeholder: "hours",
  },
} satisfies { [N in TermName]: Field<unknown> & ReadingOf<PackageRow[N]> };

type CardTermName = Extract<TermName, keyof Named<typeof cardBatches>> | "data_quota_bytes";
const batchNames = new Set(columnKinds(cardBatches).map(({ name }) => name));
/** Terms that cards have: no fair use, and the volume under another name. */
export const cardTermFields = only(
  termFields,
  fieldNames(termFields).filter(
    (name): name is CardTermName => name === "data_quota_bytes" || batchNames.has(name),
  ),
);

/** Import format. */
export const packageFields = {
  isp_id: {
    ...id,
    kind: "whole",
    meaning:
      "The ISP that sells it; the operator of the box names it where a package is made and there are several.",
    example: 1,
  },
  name: {
    ...text(120),
    kind: "words",
    meaning: "Name of the package, as subscribers read it.",
    example: "Home 10",
  },
  price: {
    ...price,
    kind: "money",
    meaning: "What one period costs, tax included.",
    example: 22,
    placeholder: "amount",
  },
  reseller_price: {
    ...price,
    kind: "money",
    isNullable: true,
    meaning:
      "What a Reseller pays of the price; the rest is its commission. Not above the price; null: none.",
    example: 18,
    placeholder: "amount",
  },
  billing_type: {
    ...oneOf("prepaid", "postpaid"),
    kind: "words",
    meaning: "`prepaid`: the wallet has to cover it; `postpaid`: an invoice is written.",
    example: "prepaid",
    placeholder: "type",
  },
  duration: {
    ...wholeNumber(1, 10_000),
    kind: "whole",
    meaning: "How many hours, days or months a period has.",
    example: 1,
    placeholder: "count",
  },
  duration_unit: {
    ...oneOf("hour", "day", "month"),
    kind: "words",
    meaning: "`hour`, `day` or `month`; months are those of the calendar.",
    example: "month",
    placeholder: "unit",
  },
  ...termFields,
  top_up_bytes: {
    ...wholeNumber(0, Number.MAX_SAFE_INTEGER),
    empty: 0,
    kind: "whole",
    meaning: "Bytes that it adds to a service that runs: above 0 it is a top-up and no package of its own.",
    example: 0,
    placeholder: "bytes",
  },
  top_up_days: {
    ...wholeNumber(0, 3650),
    empty: 0,
    kind: "whole",
    meaning: "Days that it adds to a service that runs, in the same way.",
    example: 0,
    placeholder: "days",
  },
  top_up_rolls: {
    ...flag,
    empty: 0 as const,
    kind: "flag",
    meaning: "1: what is left of its bytes at the end of the window stays; 0: it goes.",
    example: 0,
    placeholder: "0|1",
  },
  address_pool: {
    ...text(64),
    kind: "words",
    isNullable: true,
    meaning: "Address pool of the appliance of which each holder has one IPv4 address for good.",
    example: null,
    placeholder: "pool",
  },
  delegated_ipv6_from: {
    ...text(64),
    kind: "words",
    isNullable: true,
    meaning: "Address pool of the appliance of which each holder has one IPv6 prefix for good.",
    example: null,
    placeholder: "pool",
  },
  status: {
    ...flag,
    kind: "flag",
    meaning: "1: can be sold; 0: disabled.",
    example: 1,
  },
} satisfies Record<string, Field<unknown> & Reading>;

export const packageRecord = {
  id: {
    kind: "whole",
    meaning: "Number of the package; other calls name it `package_id`.",
    example: 7,
  },
  ...only(packageFields, ["isp_id", "name", "price"]),
  net: {
    kind: "money",
    meaning: "The price without the tax that it contains now.",
    example: 18.64,
  },
  tax: {
    kind: "money",
    meaning: "The tax in the price, by the ISP's setting tax_percent.",
    example: 3.36,
  },
  ...packageFields,
  created_at: {
    kind: "moment",
    meaning: "When it was made.",
    example: "2030-01-01 09:00:00",
  },
} satisfies RecordOf<PackageRow>;

export const netPrice = {
  ...price,
  kind: "money",
  meaning: "The same without tax, sent in place of `price`.",
  placeholder: "amount",
} as const;

export const requiredPackageFields = [
  "isp_id",
  "name",
  "price",
  "billing_type",
  "duration",
  "duration_unit",
] as const;

/** undefined and null as in a package without it. */
export interface FairPackage {
  readonly rateLimit?: string | null | undefined;
  readonly tiers?: string | null | undefined;
  readonly hours?: string | null | undefined;
  readonly quotaExceeded?: string | null | undefined;
  readonly fairWindow?: string | null | undefined;
}

/** The fault of changing rates without a rate: CoA cannot remove a limit. */
export function fairRateFault({
  rateLimit = null,
  tiers = null,
  hours = null,
  quotaExceeded,
  fairWindow,
}: FairPackage): Phrase | undefined {
  const isSlowed = (quotaExceeded ?? "reject") !== "reject" && (fairWindow ?? "period") !== "period";
  return rateLimit === null && (tiers !== null || hours !== null || isSlowed)
    ? phrase`is needed beside tiers, hours or a slower rate until the next window, so that the line can go back to it; 0/0 is without a limit`
    : undefined;
}

/** Fair use of the values, missing ones as stored. */
export function toFairPackage(values: FairValues, stored?: FairPackage): FairPackage {
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

/** A higher reseller_price would cost a reseller money for each customer. */
export function resellerPriceFault(price: number, resellerPrice: number | null): Phrase | undefined {
  return resellerPrice !== null && resellerPrice > price
    ? phrase`must not be above the price, which is ${formatAmount(price)}`
    : undefined;
}
