import { FollowingClock, SteadyClock, type TimeSignal } from "./steady-clock.ts";

/** UTC seconds. */
export type Seconds = number;
export type DurationUnit = "hour" | "day" | "month";
/** The system's, or a test's. */
export type Clock = () => Seconds;

/** The only reader of the system's clock. */
const steady = new SteadyClock({ wall: () => Date.now(), elapsed: () => performance.now() });

const clock = new FollowingClock({ wall: () => steady.now(), elapsed: () => performance.now() });

/** The clock with leaps delayed (steady-clock.ts); on an access box the primary's. */
export const systemClock: Clock = () => Math.floor(clock.now() / 1000);

/** The unfiltered clock. */
export const machineTime: Clock = () => Math.floor(Date.now() / 1000);

/** Has the clock of an access box follow the primary's. */
export const followSignal = (signal: TimeSignal): void => clock.follow(signal);

/** Seconds of an uncounted leap; 0 without one. */
export const clockLeap: Clock = () => Math.round(steady.leap() / 1000);

const zone = () => Temporal.Now.timeZoneId();
export const timeZone = (): string => zone();
const zoned = (seconds: Seconds) =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone());

/** `Y-m-d H:i:s` in the server's zone. By Date: Temporal takes ten times as long, and lists format thousands. */
export function formatTime(seconds: Seconds): string {
  const at = new Date(seconds * 1000);
  const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** ISO 8601 in the server's zone, with the offset that it has then: two moments an hour apart in autumn differ. */
export function formatOffsetTime(seconds: Seconds): string {
  const minutes = -new Date(seconds * 1000).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${formatTime(seconds).replace(" ", "T")}${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}

export function formatNear(seconds: Seconds, now: Seconds): string {
  const [at, today] = [formatTime(seconds), formatTime(now)];
  return at.slice(0, 10) === today.slice(0, 10) ? at.slice(11, 16) : at.slice(0, 16);
}

const two = (number: number) => (number < 10 ? `0${number}` : String(number));

/** `Y-m-d H:i:s` in the server's zone; undefined: invalid. */
export function parseTime(text: string): Seconds | undefined {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return undefined;
  try {
    const plain = Temporal.PlainDateTime.from(text.replace(" ", "T"), { overflow: "reject" });
    return Math.floor(plain.toZonedDateTime(zone()).epochMilliseconds / 1000);
  } catch {
    return undefined;
  }
}

const OFFSET_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** ISO 8601 with offset or Z, with fractions; undefined: invalid. */
export function parseOffsetTime(text: string): number | undefined {
  if (!OFFSET_TIME.test(text)) return undefined;
  try {
    return Temporal.Instant.from(text).epochMilliseconds / 1000;
  } catch {
    return undefined;
  }
}

/** Day of the month and second of the day that renewals keep where possible. */
export interface Anchor {
  readonly day: number;
  readonly time: number;
}

/**
 * Adds a duration by the server's calendar. A month ends on the anchor's day, clipped; a day keeps the anchor's time; an hour
 * is 3600 s. Without an anchor that leads to `from`, day and time are those of `from`.
 */
export function addDuration(
  from: Seconds,
  { count, unit }: { count: number; unit: DurationUnit },
  remembered: Anchor | null = null,
): { end: Seconds; anchor: Anchor | null } {
  if (unit === "hour") return { end: from + count * 3600, anchor: null };
  const local = zoned(from);
  const date = remembered && dateBehind(from, remembered);
  const { day, time } = date ? remembered : { day: local.day, time: secondOfDay(local) };
  const start = date ?? local.toPlainDate();
  if (unit === "day") {
    const last = start.add({ days: count });
    return { end: toMoment(last, time), anchor: { day: last.day, time } };
  }
  const last = start.with({ day: 1 }).add({ months: count }).with({ day });
  return { end: toMoment(last, time), anchor: { day, time } };
}

/** The date that leads to a moment by the anchor, not the wall's where a clock skips midnight. Undefined: unrelated. */
function dateBehind(moment: Seconds, { day, time }: Anchor): Temporal.PlainDate | undefined {
  const local = zoned(moment).toPlainDate();
  return [local, local.subtract({ days: 1 })].find(
    (date) => date.day === Math.min(day, date.daysInMonth) && toMoment(date, time) === moment,
  );
}

/** A skipped time moves forward; of a repeated one the first. */
function toMoment(date: Temporal.PlainDate, time: number): Seconds {
  const plainTime = new Temporal.PlainTime().add({ seconds: time });
  return Math.floor(date.toZonedDateTime({ timeZone: zone(), plainTime }).epochMilliseconds / 1000);
}

const secondOfDay = ({ hour, minute, second }: Temporal.ZonedDateTime) => hour * 3600 + minute * 60 + second;

export function yearsAhead(from: Seconds, years: number): Seconds {
  return Math.floor(zoned(from).add({ years }).epochMilliseconds / 1000);
}

/** 20260131. By Date, as formatTime. */
export function localDay(seconds: Seconds): number {
  const at = new Date(seconds * 1000);
  return at.getFullYear() * 10_000 + (at.getMonth() + 1) * 100 + at.getDate();
}

export function dayBefore(day: number): number {
  const date = Temporal.PlainDate.from(toDate(day)).subtract({ days: 1 });
  return date.year * 10_000 + date.month * 100 + date.day;
}

export function startOfDay(day: number): Seconds {
  return Math.floor(Temporal.PlainDate.from(toDate(day)).toZonedDateTime(zone()).epochMilliseconds / 1000);
}

const toDate = (day: number) => ({
  year: Math.floor(day / 10_000),
  month: Math.floor(day / 100) % 100,
  day: day % 100,
});

export function dayAfter(day: number): number {
  const date = Temporal.PlainDate.from(toDate(day)).add({ days: 1 });
  return date.year * 10_000 + date.month * 100 + date.day;
}

export function weekdayOf(day: number): number {
  return Temporal.PlainDate.from(toDate(day)).dayOfWeek - 1;
}

/** A skipped second moves forward; of a repeated one the first. */
export function momentAt(day: number, second: number): Seconds {
  return toMoment(Temporal.PlainDate.from(toDate(day)), second);
}

/** Days by the calendar: one of 23 or 25 hours is one. */
export function lastDays(now: Seconds, count: number): number[] {
  const zone = Temporal.Now.timeZoneId();
  const today = Temporal.Instant.fromEpochMilliseconds(now * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  return Array.from({ length: count }, (_, index) => {
    const { year, month, day } = today.subtract({ days: count - 1 - index });
    return year * 10_000 + month * 100 + day;
  });
}
