import { SteadyClock } from "./steady-clock.ts";

/** UTC seconds. */
export type Seconds = number;
export type DurationUnit = "hour" | "day" | "month";
/** Where "now" comes from: the system's clock, or a test's. */
export type Clock = () => Seconds;

/** The only reader of the system's clock. */
const steady = new SteadyClock({ wall: () => Date.now(), elapsed: () => performance.now() });

/** The system's time; a leap of it counts only after it has stood for an hour (steady-clock.ts). */
export const systemClock: Clock = () => Math.floor(steady.now() / 1000);

/** Seconds by which the system's clock has leapt away from `systemClock`; 0 while both agree. */
export const clockLeap: Clock = () => Math.round(steady.leap() / 1000);

const zone = () => Temporal.Now.timeZoneId();
const zoned = (seconds: Seconds) =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone());

/** `Y-m-d H:i:s` in the server's zone. */
export function formatTime(seconds: Seconds): string {
  return zoned(seconds).toPlainDateTime().toString({ smallestUnit: "second" }).replace("T", " ");
}

/** Reads `Y-m-d H:i:s` in the server's zone; undefined when it is not a time. */
export function parseTime(text: string): Seconds | undefined {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return undefined;
  try {
    const plain = Temporal.PlainDateTime.from(text.replace(" ", "T"), { overflow: "reject" });
    return Math.floor(plain.toZonedDateTime(zone()).epochMilliseconds / 1000);
  } catch {
    return undefined;
  }
}

/**
 * Adds a package's duration by the calendar of the server's zone: a month is clipped to its last day, a day keeps the hour
 * across a change of daylight saving time, an hour is 3600 s.
 */
export function addDuration(from: Seconds, count: number, unit: DurationUnit): Seconds {
  const end = zoned(from).add({ [`${unit}s`]: count });
  return Math.floor(end.epochMilliseconds / 1000);
}

/** The local date as an integer, 20260131. */
export function localDay(seconds: Seconds): number {
  const { year, month, day } = zoned(seconds);
  return year * 10000 + month * 100 + day;
}
