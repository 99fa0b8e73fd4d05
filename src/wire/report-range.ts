import type { Range } from "../domain/around/reports/range.ts";
import { localDay, type Seconds, startOfDay } from "../domain/core/time/time.ts";

const DAY = 86_400;

/** The default range: this month, the twelve months up to it, or the last 24 hours. */
export type UsualRange = "month" | "year" | "day";

/** The requested range, completed from the default. */
export function completeRange(
  { from, to }: { from?: Seconds | null | undefined; to?: Seconds | null | undefined },
  now: Seconds,
  usual: UsualRange,
): Range {
  const until = to ?? Math.max(now, from ?? now);
  return { from: from ?? usualBegin(until, usual), to: until };
}

function usualBegin(until: Seconds, usual: UsualRange): Seconds {
  if (usual === "day") return until - DAY + 1;
  const month = Math.floor(localDay(until) / 100);
  if (usual === "month") return startOfDay(month * 100 + 1);
  const eleven = month % 100 === 12 ? month - 11 : month - 99;
  return startOfDay(eleven * 100 + 1);
}
