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
