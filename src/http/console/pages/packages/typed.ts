import { addFault, type Input } from "../../../../domain/core/fields/fields.ts";
import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { PricedPackage } from "../../../../domain/goods/packages/packages.ts";
import { type Both, rateInputs, rateSent, readRate } from "../../../../domain/goods/packages/rate-limit.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import { hourFields, hoursSent, storedRate, tierFields, tiersSent } from "./fair-typed.ts";

/** What stands in the fields of the editor. */
export type Typed = (name: string) => string;

const BYTES_IN_GB = 1e9;
/** Fields that stand in the form as the package has them. */
const plain = [
  ...[
    "name",
    "price",
    "reseller_price",
    "billing_type",
    "duration",
    "duration_unit",
    "framed_pool",
    "framed_ipv6_pool",
  ],
  ...[
    "delegated_ipv6_pool",
    "address_list",
    "expired_pool",
    "expired_address_list",
    "simultaneous_use",
    "idle_timeout",
    "reply_attributes",
    "address_pool",
    "delegated_ipv6_from",
  ],
  ...["fair_window", "top_up_days"],
] as const;

/** Longer than what the others may be: those that have lines. */
const LONGEST: Readonly<Record<string, number>> = { reply_attributes: 10_000 };

/** The fields of the editor as somebody sent them. */
export const typedIn =
  (input: Input): Typed =>
  (name) => {
    const value = input[name];
    return typeof value === "string" ? value.slice(0, LONGEST[name] ?? 200) : "";
  };

/** The fields of the editor as a package has them. */
export function typedOf(sold: PricedPackage): Typed {
  const text = (value: string | number | null) => String(value ?? "");
  const values: Record<string, string> = {
    name: sold.name,
    price: formatAmount(sold.price),
    reseller_price: sold.resellerPrice === null ? "" : formatAmount(sold.resellerPrice),
    billing_type: sold.billingType,
    duration: text(sold.duration),
    duration_unit: sold.durationUnit,
    framed_pool: text(sold.framedPool),
    framed_ipv6_pool: text(sold.framedIpv6Pool),
    delegated_ipv6_pool: text(sold.delegatedIpv6Pool),
    address_list: text(sold.addressList),
    expired_pool: text(sold.expiredPool),
    expired_address_list: text(sold.expiredAddressList),
    simultaneous_use: text(sold.simultaneousUse),
    idle_timeout: text(sold.idleTimeout),
    reply_attributes: text(sold.replyAttributes),
    ...tierFields(sold.tiers),
    fair_window: sold.fairWindow,
    ...hourFields(sold.hours),
    top_up: sold.topUpBytes === 0 ? "" : text(sold.topUpBytes / BYTES_IN_GB),
    top_up_days: sold.topUpDays === 0 ? "" : text(sold.topUpDays),
    top_up_rolls: text(sold.topUpRolls),
    address_pool: text(sold.addressPool),
    delegated_ipv6_from: text(sold.delegatedIpv6From),
    quota: sold.dataQuotaBytes === 0 ? "" : text(sold.dataQuotaBytes / BYTES_IN_GB),
    quota_then: sold.quotaExceeded === "reject" ? "reject" : "slower",
    ...rateFields(sold.rateLimit),
    ...(sold.quotaExceeded !== "reject" && {
      ...bothFields("slower", readRate(sold.quotaExceeded)?.rate ?? null),
      slower_rate: sold.quotaExceeded,
    }),
  };
  return (name) => values[name] ?? "";
}

const mbit = (bits: number) => String(bits / 1e6);

function bothFields(
  name: string,
  both: Both | null,
  shown: (value: number) => string = mbit,
): Record<string, string> {
  return both === null ? {} : { [`${name}_down`]: shown(both.down), [`${name}_up`]: shown(both.up) };
}

function rateFields(rateLimit: string | null): Record<string, string> {
  const rate = readRate(rateLimit);
  if (!rate) return {};
  return {
    ...bothFields("rate", rate.rate),
    ...bothFields("burst", rate.burst),
    ...bothFields("threshold", rate.threshold),
    ...bothFields("time", rate.time, String),
    ...bothFields("least", rate.least),
    ...(rate.priority !== null && { priority: String(rate.priority) }),
  };
}

/** What the editor asks for, by the names of a package; adds what is wrong with the fields that only the editor has. */
export function packageSent(typed: Typed, faults: FieldErrors): Input {
  const rate = rateSent(Object.fromEntries(rateInputs.map((name) => [name, typed(name)])), faults);
  const bytes = bytesSent("quota", typed, faults);
  return {
    ...Object.fromEntries(plain.map((name) => [name, typed(name).trim()])),
    // one device, where nothing else is said
    simultaneous_use: typed("simultaneous_use").trim() || "1",
    rate_limit: rate,
    data_quota_bytes: bytes,
    tiers: tiersSent(typed, faults),
    hours: hoursSent(typed, faults),
    top_up_bytes: bytesSent("top_up", typed, faults),
    top_up_rolls: typed("top_up_rolls") === "1" ? 1 : 0,
    quota_exceeded: typed("quota_then") === "slower" ? slowerSent(typed, faults) : "reject",
  };
}

/** What is typed as GB; adds what is wrong with it. */
function bytesSent(name: string, typed: Typed, faults: FieldErrors): number {
  const gigabytes = typed(name).trim();
  const bytes = gigabytes === "" ? 0 : Math.round(Number(gigabytes) * BYTES_IN_GB);
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  addFault(faults, name, "must be a number of GB such as 200 or 0.5");
  return 0;
}

function slowerSent(typed: Typed, faults: FieldErrors): string {
  const stored = storedRate("slower", typed);
  if (stored !== undefined) return stored;
  const own: FieldErrors = {};
  const rate = rateSent({ rate_down: typed("slower_down"), rate_up: typed("slower_up") }, own);
  for (const [name, messages] of Object.entries(own))
    for (const message of messages) addFault(faults, name.replace("rate", "slower"), message);
  if (["", "0/0"].includes(rate) && Object.keys(own).length === 0)
    addFault(faults, "slower_down", "is needed: how fast the line is once the data is used up");
  return rate || "reject";
}
