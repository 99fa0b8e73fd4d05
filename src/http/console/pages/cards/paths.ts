import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";

/** The batch that a path names. Throws `not_found`. */
export const batchIdOf = ({ params }: StaffVisit) => pathId("batch", params["id"] ?? null);
/** The card that a path names. Throws `not_found`. */
export const cardIdOf = ({ params }: StaffVisit) => pathId("card", params["id"] ?? null);
