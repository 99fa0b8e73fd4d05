import { columnsFromRow } from "../../../../../db/columns.ts";
import { packages } from "../../../../../db/schema.ts";
import {
  addFault,
  type Field,
  fieldNames,
  formText,
  type Input,
  without,
} from "../../../../domain/core/fields/fields.ts";
import type { Faults } from "../../../../domain/core/errors/errors.ts";
import { phrase, verbatim } from "../../../../domain/core/errors/phrase.ts";
import { packageInput, type PricedPackage } from "../../../../domain/goods/packages/packages.ts";
import { type Both, rateInputs, rateSent, readRate } from "../../../../domain/goods/packages/rate-limit.ts";
import {
  durationFault,
  durationSent,
  durationText,
  spanSent,
  unitsText,
  wholeIn,
} from "../../parts/duration.ts";
import type { ConsoleView } from "../../view.ts";
import { hourFields, hoursSent, storedRate, tierFields, tiersSent } from "./fair-values.ts";

export type ReadValue = (name: string) => string;

const BYTES_IN_GB = 1e9;
/** Fields with plain inputs; others have parts or none. */
export const plain = without(packageInput, [
  ...(["rate_limit", "data_quota_bytes", "quota_exceeded", "tiers", "hours"] as const),
  ...(["top_up_bytes", "top_up_rolls", "net_price", "status"] as const),
  ...(["duration", "duration_unit", "idle_timeout", "top_up_days"] as const),
]);

const LONGEST = 10_000;

export const valuesIn =
  (input: Input): ReadValue =>
  (name) => {
    const value = input[name];
    return typeof value === "string" ? value.slice(0, LONGEST) : "";
  };

export function storedValues(view: ConsoleView, sold: PricedPackage): ReadValue {
  const gigabytes = (bytes: number) => (bytes === 0 ? "" : String(bytes / BYTES_IN_GB));
  const stored: Record<string, unknown> = columnsFromRow(packages, sold);
  const asStored = Object.entries<Field<unknown>>(plain);
  const values: Record<string, string> = {
    ...Object.fromEntries(asStored.map(([name, field]) => [name, formText(field, stored[name])])),
    ...tierFields(sold.tiers),
    ...hourFields(sold.hours),
    top_up: gigabytes(sold.topUpBytes),
    top_up_days: sold.topUpDays === 0 ? "" : unitsText(view, sold.topUpDays, "day"),
    duration: view.format.span(sold.duration, sold.durationUnit),
    idle_timeout: sold.idleTimeout === null ? "" : durationText(view, sold.idleTimeout),
    top_up_rolls: String(sold.topUpRolls),
    quota: gigabytes(sold.dataQuotaBytes),
    quota_then: sold.quotaExceeded === "reject" ? "reject" : "slower",
    ...rateFields(view, sold.rateLimit),
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
  format: (value: number) => string = mbit,
): Record<string, string> {
  return both === null ? {} : { [`${name}_down`]: format(both.down), [`${name}_up`]: format(both.up) };
}

function rateFields(view: ConsoleView, rateLimit: string | null): Record<string, string> {
  const rate = readRate(rateLimit);
  if (!rate) return {};
  return {
    ...bothFields("rate", rate.rate),
    ...bothFields("burst", rate.burst),
    ...bothFields("threshold", rate.threshold),
    ...bothFields("time", rate.time, (seconds) => durationText(view, seconds)),
    ...bothFields("least", rate.least),
    ...(rate.priority !== null && { priority: String(rate.priority) }),
  };
}

/** What the editor asks for, by the names of a package; adds what is wrong with the fields that only the editor has. */
export function packageSent(view: ConsoleView, values: ReadValue, faults: Faults): Input {
  const typed = (name: string) =>
    name.startsWith("time_") ? durationSent(view, values(name).trim(), "second") : values(name);
  const rate = rateSent(Object.fromEntries(rateInputs.map((name) => [name, typed(name)])), faults);
  const bytes = bytesSent("quota", values, faults);
  const timeSent = (name: string, unit: "second" | "day") => {
    const text = values(name).trim();
    const isRead = text === "" || wholeIn(view, text, unit) !== undefined;
    if (!isRead) addFault(faults, name, verbatim(durationFault(view, unit)));
    return isRead ? durationSent(view, text, unit) : "";
  };
  return {
    ...Object.fromEntries(fieldNames(plain).map((name) => [name, values(name).trim()])),
    // one device by default
    simultaneous_use: values("simultaneous_use").trim() || "1",
    rate_limit: rate,
    data_quota_bytes: bytes,
    tiers: tiersSent(values, faults),
    hours: hoursSent(values, faults),
    top_up_bytes: bytesSent("top_up", values, faults),
    ...spanSent(view, values("duration"), "day", faults),
    idle_timeout: timeSent("idle_timeout", "second"),
    top_up_days: timeSent("top_up_days", "day"),
    top_up_rolls: values("top_up_rolls") === "1" ? 1 : 0,
    quota_exceeded: values("quota_then") === "slower" ? slowerSent(values, faults) : "reject",
  };
}

/** GB to bytes; adds its fault. */
function bytesSent(name: string, values: ReadValue, faults: Faults): number {
  const gigabytes = values(name).trim();
  const bytes = gigabytes === "" ? 0 : Math.round(Number(gigabytes) * BYTES_IN_GB);
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  addFault(faults, name, phrase`must be a number of GB such as 200 or 0.5`);
  return 0;
}

function slowerSent(values: ReadValue, faults: Faults): string {
  const stored = storedRate("slower", values);
  if (stored !== undefined) return stored;
  const own: Faults = {};
  const rate = rateSent({ rate_down: values("slower_down"), rate_up: values("slower_up") }, own);
  for (const [name, messages] of Object.entries(own))
    for (const message of messages) addFault(faults, name.replace("rate", "slower"), message);
  if (["", "0/0"].includes(rate) && Object.keys(own).length === 0)
    addFault(faults, "slower_down", phrase`is needed: how fast the line is once the data is used up`);
  return rate || "reject";
}
