import type { Input } from "../../domain/core/fields/fields.ts";

/** Removes thousands separators: `2,000` is 2000. Another comma stays and is a fault: `22,50` is not 2,250. */
export function ungrouped(amount: string): string {
  return /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(amount) ? amount.replaceAll(",", "") : amount;
}

export const amountFields: ReadonlySet<string> = new Set([
  ...["amount", "price", "reseller_price", "counted", "credit_limit", "low_balance"],
]);

/** With amounts as programs write them. */
export function ungroupedAmounts(input: Input): Input {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      amountFields.has(name) && typeof value === "string" ? ungrouped(value.trim()) : value,
    ]),
  );
}
