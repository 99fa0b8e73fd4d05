import { DomainError } from "../errors/errors.ts";
import { phrase } from "../errors/phrase.ts";

/** Minor units: above any bill, below inexact sums. */
export const MAX_AMOUNT = 1_000_000_000_000;

/** The part of a minor unit by which a sum of floats such as 0.1 + 0.2 may be off a whole one. */
const FLOAT_ERROR = 1e-6;

/** "15", "15.5" or "15.00" (also a JSON number) to minor units; undefined: no amount with at most two decimals. */
export function parseAmount(value: unknown): number | undefined {
  const text = typeof value === "number" ? sumText(value) : value;
  if (typeof text !== "string") return undefined;
  const match = /^(-?)(\d{1,11})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole, decimals = ""] = match;
  const minor = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  if (minor > MAX_AMOUNT) return undefined;
  return sign && minor !== 0 ? -minor : minor;
}

function sumText(value: number): string {
  const minor = Math.round(value * 100);
  const isSum = Math.abs(value * 100 - minor) < FLOAT_ERROR && Math.abs(minor) <= MAX_AMOUNT;
  return isSum ? formatAmount(minor) : String(value);
}

/** Minor units to the API's number. */
export function formatMinor(minor: number): number {
  return minor / 100;
}

export function formatAmount(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, "0");
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Throws `refused` beyond the exact range. */
export function addAmounts(balance: number, amount: number): number {
  const sum = balance + amount;
  if (Math.abs(sum) > MAX_AMOUNT)
    throw new DomainError(
      "refused",
      phrase`the balance would be past what can be booked, ${formatAmount(MAX_AMOUNT)}; take a smaller amount`,
      { code: "amount_too_large" },
    );
  return sum;
}
