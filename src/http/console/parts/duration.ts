import { latinDigits } from "../../../domain/core/amounts/digits.ts";
import { addFault } from "../../../domain/core/fields/fields.ts";
import type { Faults } from "../../../domain/core/errors/errors.ts";
import { verbatim } from "../../../domain/core/errors/phrase.ts";
import type { ConsoleView } from "../view.ts";

const seconds = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 } as const;
const printed = ["day", "hour", "minute", "second"] as const;

type Printed = (typeof printed)[number];
/** Months are of the calendar: nobody says how many seconds they have. */
export type DurationUnit = Printed | "month";

/** A count of one unit, as a package lasts. */
export interface Span {
  readonly count: number;
  readonly unit: DurationUnit;
}

/** What every field of a duration says of itself; a number alone is of the unit that it usually has, its examples may be those of another. */
export function durationField(view: ConsoleView, usual: DurationUnit, like: DurationUnit = usual) {
  return {
    help: view.words.durations.help(...exampleSpans(view, like), view.words.durations.names[usual]),
    attributes: { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 40 },
  } as const;
}

/** What is wrong with what is no duration. */
export function durationFault(view: ConsoleView, usual: DurationUnit): string {
  return view.words.durations.fault(...exampleSpans(view, usual));
}

const examples: Readonly<Record<DurationUnit, readonly [Span, Span]>> = {
  second: [
    { count: 90, unit: "second" },
    { count: 5, unit: "minute" },
  ],
  minute: [
    { count: 15, unit: "minute" },
    { count: 2, unit: "hour" },
  ],
  hour: [
    { count: 12, unit: "hour" },
    { count: 3, unit: "day" },
  ],
  day: [
    { count: 3, unit: "day" },
    { count: 36, unit: "hour" },
  ],
  month: [
    { count: 30, unit: "day" },
    { count: 1, unit: "month" },
  ],
};

function exampleSpans({ format }: ConsoleView, usual: DurationUnit): [string, string] {
  const [one, other] = examples[usual];
  return [format.span(one.count, one.unit), format.span(other.count, other.unit)];
}

/** Seconds as somebody would type them, and without a rest: `1 day 1 hour`. */
export function durationText({ format }: ConsoleView, duration: number): string {
  let rest = duration;
  const parts = printed.flatMap((unit) => {
    const count = Math.floor(rest / seconds[unit]);
    rest -= count * seconds[unit];
    return count === 0 ? [] : [format.span(count, unit)];
  });
  return parts.length === 0 ? format.span(0, "second") : parts.join(" ");
}

/** The duration of a form in the unit in which an operation reads it; one that is none goes to it as it was typed. */
export function durationSent(view: ConsoleView, text: string, unit: Printed): string {
  const all = secondsIn(view, text, unit);
  return all === undefined ? text : String(all / seconds[unit]);
}

/** Whole units as somebody would type them. */
export function unitsText(view: ConsoleView, count: number, unit: Printed): string {
  return count === 0 ? view.format.span(0, unit) : durationText(view, count * seconds[unit]);
}

/** A duration as it was typed, `3 days`, `1d 8h`, `1.5 hours`, `30`, in seconds; undefined where it is none. */
export function secondsIn(view: ConsoleView, text: string, usual: Printed): number | undefined {
  const parts = partsIn(view, text, usual);
  const all = parts?.map(([count, unit]) => (unit === "month" ? Number.NaN : count * seconds[unit])) ?? [];
  const sum = Math.round(all.reduce((total, one) => total + one, 0));
  return all.length > 0 && Number.isSafeInteger(sum) ? sum : undefined;
}

/** The same in whole units, such as hours; undefined where they leave a rest. */
export function wholeIn(view: ConsoleView, text: string, unit: Printed): number | undefined {
  const count = (secondsIn(view, text, unit) ?? Number.NaN) / seconds[unit];
  return Number.isInteger(count) ? count : undefined;
}

/** The same as so much of one unit, as a package lasts: as it was said, else in days or hours; undefined where it is not so many. */
export function spanIn(view: ConsoleView, text: string, usual: "hour" | "day"): Span | undefined {
  const [first, ...more] = partsIn(view, text, usual) ?? [];
  if (!first) return undefined;
  const [count, unit] = first;
  const isSaid = unit === "hour" || unit === "day" || unit === "month";
  if (more.length === 0 && isSaid && Number.isInteger(count)) return { count, unit };
  const all = secondsIn(view, text, usual) ?? Number.NaN;
  const fits = (["day", "hour"] as const).find((one) => Number.isInteger(all / seconds[one]));
  return fits && { count: all / seconds[fits], unit: fits };
}

/** The same by the names of a package; adds what is wrong with it. */
export function spanSent(view: ConsoleView, text: string, usual: "hour" | "day", faults: Faults) {
  const span = spanIn(view, text, usual);
  if (span) return { duration: String(span.count), duration_unit: span.unit };
  if (text.trim() !== "") addFault(faults, "duration", verbatim(durationFault(view, "month")));
  return { duration: "", duration_unit: usual };
}

type Part = readonly [count: number, unit: DurationUnit | "week"];

function partsIn(view: ConsoleView, text: string, usual: DurationUnit): Part[] | undefined {
  const typed = countsFirst(view, ungrouped(view, latinDigits(bare(text)).trim().toLowerCase()));
  const found = [
    ...typed.matchAll(
      /(?:(\d{1,3}(?:,\d{3})+|\d+(?:[.,]\d{1,2})?)\s*([\p{L}\p{M}]*)|([\p{L}\p{M}]+))[.,،]?\s*/gu,
    ),
  ];
  if (found.length === 0 || found.map(([whole]) => whole).join("") !== typed) return undefined;
  const { units } = view.words.durations;
  const parts = found.flatMap(([, number = "", name = "", counted]): Part[] => {
    if (counted !== undefined) return countedIn(view, counted);
    const unit = name === "" && found.length === 1 ? usual : units[name];
    return unit === undefined ? [] : [[Number(number.replaceAll(/,(?=\d{3})/g, "").replace(",", ".")), unit]];
  });
  return parts.length === found.length ? parts : undefined;
}

/** `1 saa` of `saa 1`, where the language writes its units first, as Swahili does. */
function countsFirst({ format }: ConsoleView, typed: string): string {
  const isUnitFirst = /^\p{L}/u.test(typed) && /^\p{L}/u.test(bare(format.span(3, "day")));
  return isUnitFirst ? typed.replaceAll(/([\p{L}\p{M}]+)\s+(\d[\d.,]*)/gu, "$2 $1") : typed;
}

/** A word that has its count in it, as the Arabic of two days. */
function countedIn({ format }: ConsoleView, word: string): Part[] {
  for (const unit of [...printed, "month"] as const)
    for (const count of [1, 2]) if (bare(format.span(count, unit)) === word) return [[count, unit]];
  return [];
}

/** The text without what the language writes between thousands: `1.825 dias`, `1 825 jours`. */
function ungrouped({ format }: ConsoleView, typed: string): string {
  const [, sign] = /10(\D)000/.exec(latinDigits(bare(format.span(10_000, "day")))) ?? [];
  return typed.replaceAll(/(?<=\d)(\D)(?=\d{3}(?!\d))/g, (between) => (between === sign ? "" : between));
}

/** The text without the vowel signs of Arabic, which nobody types, and marks of direction; those of Bengali and Hindi are part of the word. */
const bare = (text: string) => text.replaceAll(/[\p{Cf}\u064B-\u065F\u0670]/gu, "");
