import { taxIn } from "../tax/tax.ts";
import { addFault } from "../../core/fields/fields.ts";
import type { Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount, MAX_AMOUNT } from "../../core/amounts/money.ts";

/** Minor units; the price includes tax. */
export interface SplitPrice {
  readonly price: number;
  readonly net: number;
  readonly tax: number;
}

/** `taxPercent` in hundredths of a percent. */
export function splitPrice(price: number, taxPercent: number): SplitPrice {
  const tax = taxIn(price, taxPercent);
  return { price, net: price - tax, tax };
}

/** The gross rounded half up, so that its net is the given one. */
export function addTax(net: number, taxPercent: number): number {
  return Number((BigInt(net) * BigInt(10_000 + taxPercent) * 2n + 10_000n) / 20_000n);
}

/** undefined: absent. Adds faults for both prices, and for too large a gross. */
export function priceSent(
  { price, net_price: net }: { readonly price?: number | null; readonly net_price?: number | null },
  taxPercent: number,
  faults: Faults,
): number | undefined {
  if (typeof net !== "number") return price ?? undefined;
  if (typeof price === "number") {
    addFault(faults, "net_price", phrase`was sent beside price; send one of the two`);
    return undefined;
  }
  const gross = addTax(net, taxPercent);
  if (gross <= MAX_AMOUNT) return gross;
  addFault(faults, "net_price", phrase`must not come to more than ${formatAmount(MAX_AMOUNT)} with its tax`);
  return undefined;
}
