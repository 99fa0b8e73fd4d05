import { cardOfNumber } from "../../../../domain/goods/codes/codes.ts";
import { type Actor, may } from "../../../../domain/core/actor/actor.ts";
import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";

export const CARDS = "/console/cards";
export const BATCHES = `${CARDS}/batches`;

export const batchHref = (id: number) => `${BATCHES}/${id}`;
export const cardHref = (id: number) => `${CARDS}/${id}`;

/** The batch that a path names. Throws `not_found`. */
export const batchIdOf = ({ params }: StaffVisit) => pathId("batch", params["id"] ?? null);
/** The card that a path names. Throws `not_found`. */
export const cardIdOf = ({ params }: StaffVisit) => pathId("card", params["id"] ?? null);

/** The page of the card whose number stands in place of a username; undefined: it is none, or not for the actor to see. */
export function cardHrefOf(
  by: Actor,
  { subscriberId, username }: { subscriberId: number | null; username: string },
): string | undefined {
  if (subscriberId !== null || !may(by, "card_view") || !/^C-\d{6,}$/.test(username)) return undefined;
  const id = cardOfNumber(username);
  return id ? cardHref(id) : undefined;
}
