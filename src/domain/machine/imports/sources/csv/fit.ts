import { sourceTime } from "../../dates.ts";
import { readRateText } from "../../rates.ts";
import type { Target } from "./columns.ts";
import { parseTruth } from "./standing.ts";
import { isNothing, parseAmountText, parseConnection, parseRate } from "./values.ts";

const FORMS: readonly (readonly [Target, RegExp])[] = [
  ["mac_address", /^([0-9a-f]{2}[:\-.]?){5}[0-9a-f]{2}$/i],
  ["static_ip", /^\d{1,3}(\.\d{1,3}){3}(\/32)?$/],
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
];

/** A target that only such values can have. */
export function byTheirForm(values: readonly string[]): Target | undefined {
  return FORMS.find(([, form]) => shareOf(values, (value) => form.test(value.trim())) >= 0.9)?.[0];
}

const isTime = (value: string) =>
  sourceTime(value, "UTC") !== undefined || sourceTime(value, "UTC", { order: "mdy" }) !== undefined;
const isAmount = (value: string) => parseAmountText(value, ".") !== undefined;

/** Forms of targets; others can be anything. */
const tests: Partial<Record<Target, (value: string) => boolean>> = {
  ...Object.fromEntries(
    FORMS.map(([target, form]) => [
      target,
      (value: string) => form.test(value.trim().split(/[,;\s]/)[0] ?? ""),
    ]),
  ),
  expires_at: isTime,
  created_at: isTime,
  balance: isAmount,
  package_price: isAmount,
  price: isAmount,
  latitude: (value) => Math.abs(Number(value.replace(",", "."))) <= 90,
  longitude: (value) => Math.abs(Number(value.replace(",", "."))) <= 180,
  connection: (value) => parseConnection(value) !== undefined,
  status: (value) => parseTruth(value) !== undefined,
  mac_lock: (value) => parseTruth(value) !== undefined,
  auto_renew: (value) => parseTruth(value) !== undefined,
  mobile_number: (value) => /^[+\d][\d\s()./-]{3,}$/.test(value.trim().normalize("NFKC")),
};

/** Fewer mismatches are wrong values, not a wrong column. */
const FEWEST = 5;

/** The share of the values that fit a target; undefined: anything fits it, or the values are too few. */
export function fit(target: Target, values: readonly string[]): number | undefined {
  const test = tests[target];
  return test && values.length >= FEWEST
    ? shareOf(values, (value) => isNothing(value) || test(value))
    : undefined;
}

export const speeds: ReadonlySet<Target> = new Set<Target>(["rate_limit", "download", "upload"]);

/** The share of rates, as opposed to traffic counters. */
export function speedShare(values: readonly string[], header: string): number {
  return shareOf(
    values,
    (value) =>
      isNothing(value) ||
      (!/\d\s*[GTP]i?B(ytes?)?$/.test(value.trim()) &&
        (readRateText(value) ?? value)
          .split("/")
          .every((side) => parseRate(side.split(" ")[0] ?? "", header) !== undefined)),
  );
}

function shareOf(values: readonly string[], test: (value: string) => boolean): number {
  return values.filter(test).length / values.length;
}
