import type { Input } from "../../domain/core/fields/fields.ts";

/**
 * An amount as somebody typed it, without commas that part its thousands: `2,000` is 2000. Any other comma stays, and is a fault of
 * the field: `22,50` is not 2,250.
 */
export function ungrouped(amount: string): string {
  return /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(amount) ? amount.replaceAll(",", "") : amount;
}

/** The amounts among the fields of the console's forms. */
export const amountFields: ReadonlySet<string> = new Set([
  ...["amount", "price", "reseller_price", "counted", "credit_limit", "low_balance"],
]);

/** What was sent, with its amounts as programs write them. */
export function ungroupedAmounts(input: Input): Input {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      amountFields.has(name) && typeof value === "string" ? ungrouped(value.trim()) : value,
    ]),
  );
}
