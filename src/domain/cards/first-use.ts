import { addDuration, type Seconds } from "../time.ts";
import type { CardBatch } from "./standing.ts";

/** When a card that is first used at a moment ends by the clock; null: never by the clock. */
export function endOfCard(
  { duration, durationUnit }: Pick<CardBatch, "duration" | "durationUnit">,
  firstUsedAt: Seconds,
): Seconds | null {
  return duration === null || durationUnit === null
    ? null
    : addDuration(firstUsedAt, { count: duration, unit: durationUnit }).end;
}
