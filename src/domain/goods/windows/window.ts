import {
  dayAfter,
  dayBefore,
  localDay,
  type Seconds,
  startOfDay,
  timeZone,
  weekdayOf,
} from "../../core/time/time.ts";

export const fairWindows = ["period", "month", "week", "day"] as const;
export type FairWindow = (typeof fairWindows)[number];

/** Server's zone; weeks begin on Monday. */
export interface Window {
  readonly start: Seconds;
  readonly end: Seconds;
}

const known = new Map<string, Window & { zone: string }>();

/** undefined: the period, from activation. */
export function windowAt(kind: FairWindow, at: Seconds): Window | undefined {
  if (kind === "period") return undefined;
  const zone = timeZone();
  const last = known.get(kind);
  if (last && last.zone === zone && last.start <= at && at < last.end) return last;
  const window = calendarWindow(kind, localDay(at));
  known.set(kind, { ...window, zone });
  return window;
}

function calendarWindow(kind: Exclude<FairWindow, "period">, day: number): Window {
  if (kind === "month") {
    const month = Math.floor(day / 100);
    const next = month % 100 === 12 ? month + 89 : month + 1;
    return { start: startOfDay(month * 100 + 1), end: startOfDay(next * 100 + 1) };
  }
  let first = day;
  const days = kind === "day" ? 1 : 7;
  if (kind === "week") for (let back = weekdayOf(day); back > 0; back--) first = dayBefore(first);
  let next = first;
  for (let count = 0; count < days; count++) next = dayAfter(next);
  return { start: startOfDay(first), end: startOfDay(next) };
}
