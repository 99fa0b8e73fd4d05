import type { Seconds } from "../../core/time/time.ts";
import { cachedHoursAt } from "../../goods/windows/hours.ts";
import { type FairWindow, windowAt } from "../../goods/windows/window.ts";

/** A part of a report: its window (null: the period), and whether it counts. */
export interface Part {
  readonly windowStart: Seconds | null;
  readonly counts: boolean;
  readonly octets: number;
}

/** Longest span that is split; of a longer one all counts now. */
const LONGEST = 400 * 86_400;

/**
 * Splits a report's bytes by window and hours. A router does not say when they were used, so they are spread evenly by whole
 * seconds; cumulative rounding makes the parts add up exactly.
 */
export function splitOctets(
  { fairWindow, hours }: { fairWindow: FairWindow; hours: string | null },
  { from: interval, to, octets }: { from: Seconds; to: Seconds; octets: number },
): Part[] {
  const parts: Part[] = [];
  const from = Math.max(interval, to - LONGEST);
  const whole = to - from;
  let [at, done] = [whole > 0 ? from : to, 0];
  for (;;) {
    const window = windowAt(fairWindow, at);
    const on = hours === null ? undefined : cachedHoursAt(hours, at);
    const end = Math.min(on?.until ?? Infinity, window?.end ?? Infinity);
    // the second of a boundary belongs to what ends there
    const isLast = whole <= 0 || end >= to;
    const upTo = isLast ? octets : Number((BigInt(octets) * BigInt(end - from)) / BigInt(whole));
    const part = {
      windowStart: window?.start ?? null,
      counts: on?.hours?.isFree !== true,
      octets: upTo - done,
    };
    if (part.octets > 0) parts.push(part);
    if (isLast) return parts;
    [at, done] = [end, upTo];
  }
}
