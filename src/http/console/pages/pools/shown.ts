import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";

export const POOLS = "/console/routers/pools";

export const hrefOf = (id: number, more = "") => `${POOLS}/${id}${more}`;

/** Which pool a page is about. Throws not_found for what is no number. */
export function idOf({ params }: StaffVisit): number {
  return pathId("address pool", params["id"] ?? null);
}
