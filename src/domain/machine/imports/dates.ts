import { latinDigits } from "../../core/amounts/digits.ts";
import type { Seconds } from "../../core/time/time.ts";

/** The order of `01/02/2026`. */
export type DateOrder = "dmy" | "mdy";

export interface TimeOptions {
  readonly order?: DateOrder;
}

/**
 * Parses dates of systems and spreadsheets; `zone` (IANA) is the default. A date alone ends at 23:59:59; a skipped time moves
 * forward, of a repeated one the first counts. Digits are Unix (milli)seconds, spreadsheet days (1900) or `20260131[235959]`.
 */
export function sourceTime(
  text: string,
  zone: string,
  { order = "dmy" }: TimeOptions = {},
): Seconds | undefined {
  const plain = normalize(text);
  if (/^\d+([.,]\d+)?$/.test(plain)) return ofNumber(plain, zone);
  const [, day = "", clock = ""] = DAY_AND_TIME.exec(plain) ?? [];
  const date = parseDate(day, order);
  const time = parseTimeParts(clock);
  return date && time && toSeconds(date, time, zone);
}

/** A column's date order. */
export interface OrderFound {
  readonly order: DateOrder;
  readonly sure: boolean;
  readonly dmy: number;
  readonly mdy: number;
  /** Values that mean another day in the other order. */
  readonly either: number;
}

/** Decides a column's date order; day first by default. */
export class OrderSeen {
  #dmy = 0;
  #mdy = 0;
  #either = 0;

  add(value: string): void {
    const [, first, separator, second] = NUMBERS.exec(normalize(value).split(" ")[0] ?? "") ?? [];
    if (first === undefined || second === undefined || separator === ".") return;
    const [a, b] = [Number(first), Number(second)];
    if (a > 12 && b <= 12) this.#dmy++;
    else if (b > 12 && a <= 12) this.#mdy++;
    else if (a !== b) this.#either++;
  }

  get found(): OrderFound {
    const [dmy, mdy, either] = [this.#dmy, this.#mdy, this.#either];
    return { order: mdy > dmy ? "mdy" : "dmy", sure: dmy > 0 !== mdy > 0, dmy, mdy, either };
  }
}

interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

interface TimeParts {
  readonly second: number;
  /** undefined: no zone. */
  readonly offset?: number;
}

const DAY_AND_TIME = /^(.*?\d)(?:[T ]\s*(\d{1,2}:\d{2}.*))?$/i;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const NUMBERS = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/;
const DAY_MONTH_YEAR =
  /^(\d{1,2})(?:st|nd|rd|th|\.)?[-/ ](?:de )?([\p{L}\p{M}]+)\.?[-/ ](?:de )?(\d{4}|\d{2})$/u;
const MONTH_DAY_YEAR = /^([\p{L}\p{M}]+)\.?[-/ ](\d{1,2})(?:st|nd|rd|th)?[-/ ](\d{4})$/u;
const TIME =
  /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)? ?(?:([ap])\.?m\.?)? ?(z|utc|gmt|[+-]\d{2}:?(?:\d{2})?)?$/;
const DAY = 86_400;
const END: TimeParts = { second: DAY - 1 };

function normalize(text: string): string {
  return latinDigits(text)
    .replace(/[\u200e\u200f\u061c]/g, "")
    .replace(/,(?=\s)/g, " ")
    .trim()
    .replace(/\s+/g, " ")
    .toLowerCase();
}

function parseDate(text: string, order: DateOrder): DateParts | undefined {
  const iso = YEAR_FIRST.exec(text);
  if (iso) return { year: Number(iso[1]), month: Number(iso[3]), day: Number(iso[4]) };
  const numbers = NUMBERS.exec(text);
  if (numbers) {
    const [, first, separator, second, year = ""] = numbers;
    const isDayFirst = order === "dmy" || separator === "."; // with dots nobody writes the month first
    const [day, month] = isDayFirst ? [first, second] : [second, first];
    return { year: parseYear(year), month: Number(month), day: Number(day) };
  }
  const [, d, monthName, y = ""] = DAY_MONTH_YEAR.exec(text) ?? [];
  if (monthName !== undefined) return named(d, monthName, y);
  const [, name, dayText, yearText = ""] = MONTH_DAY_YEAR.exec(text) ?? [];
  return name === undefined ? undefined : named(dayText, name, yearText);
}

function named(day: string | undefined, name: string, year: string): DateParts | undefined {
  const month = findMonth(name);
  return month === undefined ? undefined : { year: parseYear(year), month, day: Number(day) };
}

const parseYear = (text: string) => Number(text) + (text.length === 2 ? 2000 : 0);

/** Languages of month names. */
const LANGUAGES = [
  "en",
  "es",
  "pt",
  "fr",
  "de",
  "it",
  "nl",
  "tr",
  "id",
  "ru",
  "pl",
  "ar",
  "ur",
  "hi",
  "bn",
  "sw",
];
let months: ReadonlyMap<string, number> | undefined;
let english: readonly string[] | undefined;

function findMonth(name: string): number | undefined {
  months ??= monthNames();
  const known = months.get(name);
  if (known !== undefined || name.length < 3 || !/^[a-z]+$/.test(name)) return known;
  english ??= Array.from({ length: 12 }, (_, month) => monthName("en", "long", month).toLowerCase());
  const begun = english.findIndex((month) => month.startsWith(name));
  return begun < 0 ? undefined : begun + 1;
}

/** Unambiguous names, long and short. */
function monthNames(): ReadonlyMap<string, number> {
  const found = new Map<string, Set<number>>();
  for (const language of LANGUAGES)
    for (const style of ["long", "short"] as const)
      for (let month = 0; month < 12; month++) {
        const name = monthName(language, style, month).toLowerCase().replace(/\.$/, "");
        found.set(name, (found.get(name) ?? new Set()).add(month + 1));
      }
  return new Map(
    [...found].flatMap(([name, [only, ...others]]) => (only && !others.length ? [[name, only]] : [])),
  );
}

function monthName(language: string, style: "long" | "short", month: number): string {
  const format = new Intl.DateTimeFormat(language, { month: style, day: "numeric", timeZone: "UTC" });
  const parts = format.formatToParts(Date.UTC(2026, month, 15));
  return parts.find(({ type }) => type === "month")?.value ?? "";
}

function parseTimeParts(text: string): TimeParts | undefined {
  if (text === "") return END;
  const [, hourText, minuteText, secondText = "0", half, zone] = TIME.exec(text) ?? [];
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (hourText === undefined || minute > 59 || second > 59) return undefined;
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const hours = half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0);
  const total = hours * 3600 + minute * 60 + second;
  if (total > DAY) return undefined;
  return { second: total, ...(zone !== undefined && { offset: parseOffset(zone) }) };
}

function parseOffset(zone: string): number {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return sign === undefined ? 0 : (sign === "-" ? -60 : 60) * (Number(hours) * 60 + Number(minutes));
}

function toSeconds(parts: DateParts, { second, offset }: TimeParts, zone: string): Seconds | undefined {
  const date = toDay(parts);
  const whole = second === DAY ? date?.add({ days: 1 }) : date; // 24:00
  const plainTime = new Temporal.PlainTime().add({ seconds: second });
  const at = whole?.toZonedDateTime({ timeZone: offset === undefined ? zone : "UTC", plainTime });
  return at && Math.floor(at.epochMilliseconds / 1000) - (offset ?? 0);
}

function toDay(parts: DateParts): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(parts, { overflow: "reject" });
  } catch {
    return undefined;
  }
}

const SERIAL = /^[2-7]\d{4}(?:[.,](\d+))?$/;

function ofNumber(text: string, zone: string): Seconds | undefined {
  if (/^\d{9,11}$/.test(text)) return Number(text);
  if (/^\d{12,13}$/.test(text)) return Math.floor(Number(text) / 1000);
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)(\d{6})?$/.exec(text) ?? [];
  if (year !== undefined) {
    const clock = time === undefined ? END : parseTimeParts(time.replace(/(\d\d)(?=\d)/g, "$1:"));
    return clock && toSeconds({ year: Number(year), month: Number(month), day: Number(day) }, clock, zone);
  }
  const serial = SERIAL.exec(text);
  if (!serial) return undefined;
  const days = Number(text.replace(",", "."));
  const date = new Temporal.PlainDate(1899, 12, 30).add({ days: Math.floor(days) });
  const second = Math.round((days % 1) * DAY);
  return toSeconds(date, serial[1] === undefined ? END : { second }, zone);
}
