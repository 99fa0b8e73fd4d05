import type { Actor } from "../../../domain/core/actor/actor.ts";
import type { Seconds } from "../../../domain/core/time/time.ts";

/** Seconds for which who took the money hands out the receipt itself. */
const AT_THE_DESK = 15 * 60;

/** Whether a paper was given out before: every print but that of who wrote it, right after it was written. */
export function isReprint(
  { createdAt, writtenBy }: { createdAt: Seconds; writtenBy: number | null },
  by: Actor,
  now: Seconds,
): boolean {
  return writtenBy === null || writtenBy !== by.staffId || now - createdAt > AT_THE_DESK;
}
