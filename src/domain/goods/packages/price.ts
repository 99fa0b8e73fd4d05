import { taxIn } from "../tax/tax.ts";
import { addFault } from "../../core/fields/fields.ts";
import type { FieldErrors } from "../../core/errors/errors.ts";
import { formatAmount, MAX_AMOUNT } from "../../core/amounts/money.ts";

/** What is sold for a price, in minor units: the tax is part of it. */
export interface SplitPrice {
  readonly price: number;
  readonly net: number;
  readonly tax: number;
}

/** A price with the tax that it contains now; `taxPercent` is in hundredths of a percent. */
export function splitPrice(price: number, taxPercent: number): SplitPrice {
  const tax = taxIn(price, taxPercent);
  return { price, net: price - tax, tax };
}

/** The price with tax of a net one, rounded half up: the net of which is that one again. */
export function grossOf(net: number, taxPercent: number): number {
  return Number((BigInt(net) * BigInt(10_000 + taxPercent) * 2n + 10_000n) / 20_000n);
}

/**
 * The price that was sent, with tax or as the net one; undefined where neither was. Adds a fault where both were, and where the
 * price with tax is more than can be booked.
 */
export function priceSent(
  { price, net_price: net }: { readonly price?: number | null; readonly net_price?: number | null },
  taxPercent: number,
  faults: FieldErrors,
): number | undefined {
  if (typeof net !== "number") return price ?? undefined;
  if (typeof price === "number") {
    addFault(faults, "net_price", "was sent beside price; send one of the two");
    return undefined;
  }
  const gross = grossOf(net, taxPercent);
  if (gross <= MAX_AMOUNT) return gross;
  addFault(faults, "net_price", `must not come to more than ${formatAmount(MAX_AMOUNT)} with its tax`);
  return undefined;
}
