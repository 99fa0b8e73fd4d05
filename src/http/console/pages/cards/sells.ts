import type { CardBatch } from "../../../../domain/cards/standing.ts";
import { type Actor, may } from "../../../../domain/staff/actor.ts";

/** Whether who looks sells cards of a batch: staff of the ISP what no reseller holds, a reseller its own. */
export function sellsOf(by: Actor, { resellerId }: Pick<CardBatch, "resellerId">): boolean {
  return by.scope.salespersonId === resellerId && may(by, "card_sell");
}

/** Whether the ISP gets money for what is sold so; a reseller keeps what it takes. */
export function isPaid({ scope }: Actor, { price }: Pick<CardBatch, "price">): boolean {
  return scope.salespersonId === null && price > 0;
}
