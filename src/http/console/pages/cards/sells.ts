import { type CardRow, listCards } from "../../../../domain/service/cards/list.ts";
import type { CardBatch } from "../../../../domain/service/cards/standing.ts";
import { type Actor, may } from "../../../../domain/core/actor/actor.ts";
import { permissions } from "../../../../domain/core/actor/permissions.ts";
import type { StaffVisit } from "../../guard.ts";

/** Staff sell cards that no reseller holds (a branch its own), a reseller those that it holds. */
export function maySell(
  by: Actor,
  { resellerId, branchId }: Pick<CardBatch, "resellerId" | "branchId">,
): boolean {
  const { scope } = by;
  const isOwn = resellerId !== null || scope.branchId === null || scope.branchId === branchId;
  return scope.salespersonId === resellerId && isOwn && may(by, "card_sell");
}

/** Whether the ISP gets the money; a reseller keeps it. */
export function isPaid({ scope }: Actor, { price }: Pick<CardBatch, "price">): boolean {
  return scope.salespersonId === null && price > 0;
}

/** The next card of the batch that may be sold. */
export function nextToSell(
  { db, by, now }: StaffVisit,
  { serial }: Pick<CardRow, "serial">,
  batch: Pick<CardBatch, "id" | "resellerId" | "branchId">,
): number | undefined {
  if (!maySell(by, batch) || !may(by, permissions.listCards)) return undefined;
  const filters = { batchId: batch.id, standing: "new", fromSerial: serial + 1 } as const;
  return listCards(db, by, filters, { limit: 1, offset: 0, now }).records[0]?.id;
}
