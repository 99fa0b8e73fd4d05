import type { DomainError } from "../../domain/core/errors/errors.ts";
import type { View } from "./layout.tsx";

/** Why a renewal was refused, in the words of the subscriber; money in minor units. `seen`: the price at which it was asked for. */
export function renewalWords(
  { words: { renew }, format, brand }: View,
  { kind, retryAfter = 1 }: DomainError,
  { price, balance, seen }: { price: number; balance: number; seen: number },
): string {
  if (kind === "too_soon") return renew.tooSoon(retryAfter);
  const costs = format.money(price, brand.currency);
  if (price !== seen) return renew.otherPrice(costs);
  return balance < price ? renew.tooLittle(costs, format.money(balance, brand.currency)) : renew.askProvider;
}

/** The same of a top-up. */
export const topUpWords = ({ words: { topUp } }: View, { kind }: DomainError): string =>
  kind === "conflict" ? topUp.twice : topUp.refused;

/** The same refusal in other words, for whoever reads it. */
export const reworded = (refusal: DomainError, message: string): DomainError =>
  Object.create(refusal, { message: { value: message } });
