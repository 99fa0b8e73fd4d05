import { localDay, type Seconds, startOfDay } from "../../core/time/time.ts";

/** Minutes of the day; `from` after `to` crosses midnight. */
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
  return momentAt(isTomorrow ? at + DAY : at, quietTo, at);
}

/** The minute of a day, not before `at`. */
function momentAt(day: Seconds, minute: number, at: Seconds): Seconds {
  const start = startOfDay(localDay(day));
  const guess = start + minute * 60;
  // days with a clock change
  const off = (minute - minuteOfDay(guess)) * 60;
  return Math.max(at, Math.abs(off) <= 2 * 3600 ? guess + off : guess);
}

function minuteOfDay(at: Seconds): number {
  const date = new Date(at * 1000);
  return date.getHours() * 60 + date.getMinutes();
}

/** Minutes after midnight; undefined: no time of day. */
export function parseTimeOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

export function formatTimeOfDay(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
