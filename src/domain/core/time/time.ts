import { FollowingClock, SteadyClock, type TimeSignal } from "./steady-clock.ts";

/** UTC seconds. */
export type Seconds = number;
export type DurationUnit = "hour" | "day" | "month";
/** Where "now" comes from: the system's clock, or a test's. */
export type Clock = () => Seconds;

/** The only reader of the system's clock. */
const steady = new SteadyClock({ wall: () => Date.now(), elapsed: () => performance.now() });

const clock = new FollowingClock({ wall: () => steady.now(), elapsed: () => performance.now() });

/**
 * The system's time; a leap of it counts only after it has lasted an hour (steady-clock.ts). On an access box the time that its books
 * have told, whatever the clock of its machine says.
 */
export const systemClock: Clock = () => Math.floor(clock.now() / 1000);

/** What the clock of this machine says, right or wrong. */
export const machineTime: Clock = () => Math.floor(Date.now() / 1000);

/** Has `systemClock` of this thread go by what another machine has told. */
export const followSignal = (signal: TimeSignal): void => clock.follow(signal);

/** Seconds by which the system's clock has leapt away from `systemClock`; 0 while both agree. */
export const clockLeap: Clock = () => Math.round(steady.leap() / 1000);

const zone = () => Temporal.Now.timeZoneId();
export const timeZone = (): string => zone();
const zoned = (seconds: Seconds) =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone());

/** `Y-m-d H:i:s` in the server's zone. By Date: Temporal takes ten times as long, and a list formats thousands. */
export function formatTime(seconds: Seconds): string {
  const at = new Date(seconds * 1000);
  const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** The time of day, with its date where that is another than that of `now`. */
export function formatNear(seconds: Seconds, now: Seconds): string {
  const [at, today] = [formatTime(seconds), formatTime(now)];
  return at.slice(0, 10) === today.slice(0, 10) ? at.slice(11, 16) : at.slice(0, 16);
}

const two = (number: number) => (number < 10 ? `0${number}` : String(number));

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

const OFFSET_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Reads ISO 8601 with an offset or Z, with fractions of a second; undefined when it is not such a time. */
export function parseOffsetTime(text: string): number | undefined {
  if (!OFFSET_TIME.test(text)) return undefined;
  try {
    return Temporal.Instant.from(text).epochMilliseconds / 1000;
  } catch {
    return undefined;
  }
}

/** What renewals keep to where a month is long enough and the clock has that time: day of the month, second of the day. */
export interface Anchor {
  readonly day: number;
  readonly time: number;
}

/**
 * Adds a package's duration by the calendar of the server's zone. A month ends on the anchor's day, clipped to its last one,
 * a day keeps the anchor's time, an hour is 3600 s and keeps nothing. Without an anchor, or with one by which `from` would not
 * be where it is, day and time are those of `from`.
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
    return { end: momentOf(last, time), anchor: { day: last.day, time } };
  }
  const last = start.with({ day: 1 }).add({ months: count }).with({ day });
  return { end: momentOf(last, time), anchor: { day, time } };
}

/**
 * The date that led to this moment by the anchor: mostly the one that the wall shows, but where a clock leaps over midnight
 * the one before. Undefined: the moment has nothing to do with the anchor.
 */
function dateBehind(moment: Seconds, { day, time }: Anchor): Temporal.PlainDate | undefined {
  const local = zoned(moment).toPlainDate();
  return [local, local.subtract({ days: 1 })].find(
    (date) => date.day === Math.min(day, date.daysInMonth) && momentOf(date, time) === moment,
  );
}

/** A time that a clock leaps over is as much later as the leap is long; of one that comes twice, the first. */
function momentOf(date: Temporal.PlainDate, time: number): Seconds {
  const plainTime = new Temporal.PlainTime().add({ seconds: time });
  return Math.floor(date.toZonedDateTime({ timeZone: zone(), plainTime }).epochMilliseconds / 1000);
}

const secondOfDay = ({ hour, minute, second }: Temporal.ZonedDateTime) => hour * 3600 + minute * 60 + second;

/** The same local time in so many years. */
export function yearsAhead(from: Seconds, years: number): Seconds {
  return Math.floor(zoned(from).add({ years }).epochMilliseconds / 1000);
}

/** The local date as an integer, 20260131. By Date, as formatTime. */
export function localDay(seconds: Seconds): number {
  const at = new Date(seconds * 1000);
  return at.getFullYear() * 10_000 + (at.getMonth() + 1) * 100 + at.getDate();
}

/** The local day before another one, both as `localDay` has them. */
export function dayBefore(day: number): number {
  const date = Temporal.PlainDate.from(dateOf(day)).subtract({ days: 1 });
  return date.year * 10_000 + date.month * 100 + date.day;
}

export function startOfDay(day: number): Seconds {
  return Math.floor(Temporal.PlainDate.from(dateOf(day)).toZonedDateTime(zone()).epochMilliseconds / 1000);
}

const dateOf = (day: number) => ({
  year: Math.floor(day / 10_000),
  month: Math.floor(day / 100) % 100,
  day: day % 100,
});

/** The local day after another one, both as `localDay` has them. */
export function dayAfter(day: number): number {
  const date = Temporal.PlainDate.from(dateOf(day)).add({ days: 1 });
  return date.year * 10_000 + date.month * 100 + date.day;
}

/** Of a local day: 0 is Monday. */
export function weekdayOf(day: number): number {
  return Temporal.PlainDate.from(dateOf(day)).dayOfWeek - 1;
}

/** When the wall's clock shows that second of a local day: one that it leaps over is as much later, of one that comes twice the first. */
export function momentAt(day: number, second: number): Seconds {
  return momentOf(Temporal.PlainDate.from(dateOf(day)), second);
}

/** Local days, today's last: by the calendar, for a day of 23 or 25 hours is one day. */
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
