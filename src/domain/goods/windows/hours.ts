import {
  dayAfter,
  dayBefore,
  localDay,
  momentAt,
  type Seconds,
  timeZone,
  weekdayOf,
} from "../../core/time/time.ts";
import { splitParts } from "./tiers.ts";

/** A part of the week, by the wall's clock. */
export interface Hours {
  /** 0 is Monday; a night counts to its first day. */
  readonly days: readonly number[];
  /** Minutes; an end at or before the beginning is on the next day. */
  readonly from: number;
  readonly to: number;
  /** Bytes are free. */
  readonly isFree: boolean;
  /** RouterOS syntax; null: unchanged. */
  readonly rate: string | null;
}

export const MAX_HOURS = 10;
const DAY_NAMES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const FULL_DAY = 24 * 60;

/** `mon-fri 22:00-06:00 free 20M/20M; sat,sun 00:00-24:00 30M/30M`, or `daily`. undefined: invalid, more than ten, or without effect. */
export function readHours(text: string, isRate: (rate: string) => boolean): readonly Hours[] | undefined {
  const all: Hours[] = [];
  for (const part of splitParts(text)) {
    const read = /^([a-z,-]+) (\d{1,2}):(\d\d) ?- ?(\d{1,2}):(\d\d)( free| counted)?(?: (\d.*))?$/i.exec(
      part,
    );
    const days = read && readDays((read[1] ?? "").toLowerCase());
    if (!days) return undefined;
    const [from, to] = [minutes(read[2], read[3]), minutes(read[4], read[5])];
    const rate = read[7] ?? null;
    const isFree = read[6]?.trim().toLowerCase() === "free";
    const isRight = from !== undefined && to !== undefined && from !== to && from < FULL_DAY && to > 0;
    if (!isRight || (rate !== null && !isRate(rate)) || (rate === null && !isFree)) return undefined;
    all.push({ days, from, to, isFree, rate });
  }
  return all.length > 0 && all.length <= MAX_HOURS ? all : undefined;
}

export function writeHours(all: readonly Hours[]): string {
  return all
    .map(({ days, from, to, isFree, rate }) =>
      [writeDays(days), `${clock(from)}-${clock(to)}`, isFree && "free", rate].filter(Boolean).join(" "),
    )
    .join("; ");
}

function readDays(text: string): readonly number[] | undefined {
  if (text === "daily") return EVERY_DAY;
  const days = new Set<number>();
  for (const part of text.split(",")) {
    const [first = "", last = first, ...more] = part.split("-");
    const [from, to] = [DAY_NAMES.indexOf(first), DAY_NAMES.indexOf(last)];
    if (from < 0 || to < 0 || more.length > 0) return undefined;
    // across Sunday
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === to) break;
    }
  }
  return EVERY_DAY.filter((day) => days.has(day));
}

function writeDays(days: readonly number[]): string {
  if (days.length === 7) return "daily";
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const isRow = days.length > 2 && last - first === days.length - 1;
  return isRow ? `${DAY_NAMES[first]}-${DAY_NAMES[last]}` : days.map((day) => DAY_NAMES[day]).join(",");
}

function minutes(hour = "", minute = ""): number | undefined {
  const all = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && all <= FULL_DAY ? all : undefined;
}

const clock = (all: number) =>
  `${String(Math.floor(all / 60)).padStart(2, "0")}:${String(all % 60).padStart(2, "0")}`;

/** The current hours, since when, and until the next change. */
export interface HoursNow {
  readonly hours: Hours | undefined;
  readonly from: Seconds;
  readonly until: Seconds;
}

/** A week, with a night on each side. */
const DAYS_AHEAD = 9;

/** The first match. Skipped times move forward, of repeated ones the first counts, so a night may be longer. */
export function hoursAt(all: readonly Hours[], at: Seconds): HoursNow {
  const spans: { from: Seconds; to: Seconds; hours: Hours }[] = [];
  let day = dayBefore(localDay(at));
  for (let count = 0; count < DAYS_AHEAD + 1; count++, day = dayAfter(day)) {
    const weekday = weekdayOf(day);
    for (const hours of all) {
      if (!hours.days.includes(weekday)) continue;
      const from = momentAt(day, hours.from * 60);
      const to =
        hours.to === FULL_DAY || hours.to <= hours.from
          ? momentAt(dayAfter(day), (hours.to % FULL_DAY) * 60)
          : momentAt(day, hours.to * 60);
      if (to > from) spans.push({ from, to, hours });
    }
  }
  const onAt = (moment: Seconds) =>
    all.find((hours) =>
      spans.some((span) => span.hours === hours && span.from <= moment && moment < span.to),
    );
  const on = onAt(at);
  const edges = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const until = edges.find((edge) => edge > at && onAt(edge) !== on) ?? edges.at(-1) ?? Infinity;
  const before = edges.findLastIndex((edge) => edge <= at);
  let from = edges[before] ?? at;
  for (let index = before; index >= 0; index--) {
    const edge = edges[index] ?? at;
    if (onAt(edge) !== on) break;
    from = edge;
  }
  return { hours: on, from, until };
}

interface Known {
  readonly all: readonly Hours[];
  now: HoursNow;
  zone: string;
}

/** Hours cached by text, because each login asks. */
const known = new Map<string, Known>();
const MAX_KNOWN = 5000;

export function cachedHoursAt(text: string, at: Seconds): HoursNow {
  let one = known.get(text);
  if (!one) {
    if (known.size >= MAX_KNOWN) known.clear();
    one = { all: hoursIn(text), now: { hours: undefined, from: 0, until: 0 }, zone: "" };
    known.set(text, one);
  }
  const zone = timeZone();
  if (at < one.now.from || at >= one.now.until || one.zone !== zone) {
    one.now = hoursAt(one.all, at);
    one.zone = zone;
  }
  return one.now;
}

export function hoursIn(text: string | null): readonly Hours[] {
  return text === null ? [] : (readHours(text, () => true) ?? []);
}

/** Whether any are free. */
export function hasFreeHours(text: string | null): boolean {
  return text !== null && / free\b/.test(text);
}
