import type { Seconds } from "../../core/time/time.ts";
import { hoursOf } from "../../goods/windows/hours.ts";
import { type FairWindow, windowAt } from "../../goods/windows/window.ts";

/** A part of what a report adds: of which window (null: of the period), and whether it counts. */
export interface Part {
  readonly windowStart: Seconds | null;
  readonly counts: boolean;
  readonly octets: number;
}

/** Seconds that are looked at: of what is said to have lasted longer, all is of this time. */
const LONGEST = 400 * 86_400;

/**
 * What a report adds, by windows and hours. A router says how much went by between two reports and not when, so bytes are taken as even over
 * that time, by whole seconds; parts are rounded down from the beginning on, so that they add up to the byte.
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
    const on = hours === null ? undefined : hoursOf(hours, at);
    const end = Math.min(on?.until ?? Infinity, window?.end ?? Infinity);
    // what ends at a boundary to the second is of before it
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
