import type { CardBatch } from "../../../../domain/cards/standing.ts";
import { type Actor, may } from "../../../../domain/staff/actor.ts";

/** Whether who looks sells cards of a batch: staff of the ISP what no reseller holds, of a branch its own, a reseller what it holds. */
export function sellsOf(
  by: Actor,
  { resellerId, branchId }: Pick<CardBatch, "resellerId" | "branchId">,
): boolean {
  const { scope } = by;
  const isOwn = resellerId !== null || scope.branchId === null || scope.branchId === branchId;
  return scope.salespersonId === resellerId && isOwn && may(by, "card_sell");
}

/** Whether the ISP gets money for what is sold so; a reseller keeps what it takes. */
export function isPaid({ scope }: Actor, { price }: Pick<CardBatch, "price">): boolean {
  return scope.salespersonId === null && price > 0;
}
