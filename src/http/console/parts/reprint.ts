import type { Actor } from "../../../domain/core/actor/actor.ts";
import type { Seconds } from "../../../domain/core/time/time.ts";

/** Seconds in which a print by the cashier is the original. */
const AT_THE_DESK = 15 * 60;

/** Whether it counts as a copy: any print but the cashier's right after the payment. */
export function isReprint(
  { createdAt, writtenBy }: { createdAt: Seconds; writtenBy: number | null },
  by: Actor,
  now: Seconds,
): boolean {
  return writtenBy === null || writtenBy !== by.staffId || now - createdAt > AT_THE_DESK;
}
