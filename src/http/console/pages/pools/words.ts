import { POOLS } from "../../parts/hrefs.ts";
import type { PoolUse } from "../../../../domain/goods/address-pools/pools.ts";
import { NEARLY } from "../../../../domain/machine/check/addresses.ts";
import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";

export const poolHref = (id: number | string, more = "") => `${POOLS}/${id}${more}`;

/** Throws not_found for what is no number. */
export function readPoolId({ params }: StaffVisit): number {
  return pathId("address pool", params["id"] ?? null);
}

export function freeRoom({ size, used, reserved }: PoolUse): number {
  return Math.max(0, size - used - reserved);
}

/** Whether a pool is as full as `check` warns of. */
export function isNearlyFull(use: PoolUse): boolean {
  return freeRoom(use) <= use.size * (1 - NEARLY);
}
