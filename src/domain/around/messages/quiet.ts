import { localDay, type Seconds, startOfDay } from "../../core/time/time.ts";

/** Minutes of the local day in which nobody is told anything; from after to: over midnight. */
export interface Quiet {
  readonly quietFrom: number | null;
  readonly quietTo: number | null;
}

const DAY = 86_400;

export function afterQuiet({ quietFrom, quietTo }: Quiet, at: Seconds): Seconds {
  if (quietFrom === null || quietTo === null || quietFrom === quietTo) return at;
  const minute = minuteOfDay(at);
  const isQuiet =
    quietFrom < quietTo ? minute >= quietFrom && minute < quietTo : minute >= quietFrom || minute < quietTo;
  if (!isQuiet) return at;
  const isTomorrow = quietFrom > quietTo && minute >= quietFrom;
  return momentOf(isTomorrow ? at + DAY : at, quietTo, at);
}

/** A minute of the wall's clock on the local day of `day`; never before `at`, where a clock was set in between. */
function momentOf(day: Seconds, minute: number, at: Seconds): Seconds {
  const start = startOfDay(localDay(day));
  const guess = start + minute * 60;
  // a day on which the clock is changed is longer or shorter than its minutes
  const off = (minute - minuteOfDay(guess)) * 60;
  return Math.max(at, Math.abs(off) <= 2 * 3600 ? guess + off : guess);
}

function minuteOfDay(at: Seconds): number {
  const date = new Date(at * 1000);
  return date.getHours() * 60 + date.getMinutes();
}

/** `22:30` as minutes of the day; undefined: it is no time of a day. */
export function parseTimeOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

export function formatTimeOfDay(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
