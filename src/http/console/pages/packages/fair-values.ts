import { addFault } from "../../../../domain/core/fields/fields.ts";
import type { Faults } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { type Hours, hoursIn, MAX_HOURS, writeHours } from "../../../../domain/goods/windows/hours.ts";
import { MAX_TIERS, parseTiers, type Tier, writeTiers } from "../../../../domain/goods/windows/tiers.ts";
import { rateSent, readRate } from "../../../../domain/goods/packages/rate-limit.ts";
import type { ReadValue } from "./values.ts";

/*
 * Tiers and hours as rows of the editor: `tier_2_after`, `hours_1_from`. A rate is shown as down and up; `tier_2_rate` keeps
 * its bursts for as long as those two stay.
 */

const BYTES_IN_GB = 1e9;
const MINUTES_OF_DAY = 24 * 60;
export const DAYS = [0, 1, 2, 3, 4, 5, 6] as const;

const rateNames = ["down", "up", "rate"];
const names = {
  tier: ["after", ...rateNames],
  hours: ["from", "to", "free", ...DAYS.map((day) => `day_${day}`), ...rateNames],
} as const;
const most = { tier: MAX_TIERS, hours: MAX_HOURS } as const;
type Kind = keyof typeof names;

/** Filled rows and an empty one, by prefix. */
export function listRows(kind: Kind, values: ReadValue): string[] {
  const all = Array.from({ length: most[kind] }, (_, index) => `${kind}_${index + 1}`);
  const last = all.findLastIndex((row) => hasValue(kind, row, values));
  return all.slice(0, Math.max(last + 2, 2));
}

const hasValue = (kind: Kind, row: string, values: ReadValue) =>
  names[kind].some((name) => name !== "rate" && values(`${row}_${name}`).trim() !== "");

export function tierFields(text: string | null): Record<string, string> {
  return Object.assign(
    {},
    ...parseTiers(text).map(({ after, rate }, index) =>
      toRowFields(`tier_${index + 1}`, [["after", String(after / BYTES_IN_GB)], ...rateFields(rate)]),
    ),
  );
}

export function hourFields(text: string | null): Record<string, string> {
  return Object.assign(
    {},
    ...hoursIn(text).map(({ days, from, to, isFree, rate }, index) =>
      toRowFields(`hours_${index + 1}`, [
        ["from", formatClock(from)],
        ["to", formatClock(to % MINUTES_OF_DAY)],
        ["free", isFree ? "1" : ""],
        ...days.map((day) => [`day_${day}`, "1"] as const),
        ...rateFields(rate),
      ]),
    ),
  );
}

type NamedValue = readonly [name: string, value: string];

function toRowFields(row: string, values: readonly NamedValue[]): Record<string, string> {
  return Object.fromEntries(values.map(([name, value]) => [`${row}_${name}`, value]));
}

function rateFields(rate: string | null): NamedValue[] {
  const both = readRate(rate)?.rate;
  if (rate === null || !both) return [];
  return [
    ["down", String(both.down / 1e6)],
    ["up", String(both.up / 1e6)],
    ["rate", rate],
  ];
}

export const formatClock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** Tiers as stored, "": none. Adds faults of rows to `tiers`. */
export function tiersSent(values: ReadValue, faults: Faults): string {
  const tiers: Tier[] = [];
  for (const [row, line] of filledRows("tier", values)) {
    const after = Math.round(Number(values(`${row}_after`).trim() || "x") * BYTES_IN_GB);
    const rate = readRowRate(row, values);
    if (!Number.isSafeInteger(after) || after <= 0)
      addFault(faults, "tiers", phrase`${line} needs after how many GB it begins, such as 50 or 0.5`);
    else if (after <= (tiers.at(-1)?.after ?? 0))
      addFault(faults, "tiers", phrase`${line} must begin after the line before`);
    else if (!rate)
      addFault(faults, "tiers", phrase`${line} needs a rate down and up, in Mbit/s, such as 5 or 0.512`);
    else tiers.push({ after, rate });
  }
  return writeTiers(tiers);
}

/** Hours as stored, "": none. Adds faults of rows to `hours`. */
export function hoursSent(values: ReadValue, faults: Faults): string {
  const all: Hours[] = [];
  for (const [row, line] of filledRows("hours", values)) {
    const [from, to] = ["from", "to"].map((name) => parseMinutes(values(`${row}_${name}`)));
    const isFree = values(`${row}_free`) === "1";
    const rate = readRowRate(row, values);
    if (from === undefined || to === undefined)
      addFault(faults, "hours", phrase`${line} needs from when to when it is, such as 22:00 and 06:00`);
    else if (rate === undefined)
      addFault(faults, "hours", phrase`${line} needs a rate down and up, in Mbit/s, or neither`);
    else if (rate === "" && !isFree)
      addFault(faults, "hours", phrase`${line} changes nothing; give it a rate, or let its data not count`);
    else if (from === to && from !== 0)
      addFault(faults, "hours", phrase`${line} ends when it begins; a whole day is from 00:00 to 00:00`);
    else
      all.push({
        days: readRowDays(row, values),
        from,
        to: to || MINUTES_OF_DAY,
        isFree,
        rate: rate || null,
      });
  }
  return writeHours(all);
}

const filledRows = (kind: Kind, values: ReadValue) =>
  listRows(kind, values).flatMap((row, index) =>
    hasValue(kind, row, values) ? [[row, phrase`line ${index + 1}`] as const] : [],
  );

/** Every day where none is ticked. */
function readRowDays(row: string, values: ReadValue): readonly number[] {
  const ticked = DAYS.filter((day) => values(`${row}_day_${day}`) === "1");
  return ticked.length === 0 ? DAYS : ticked;
}

/** The stored rate where down and up are unchanged; else undefined. */
export function storedRate(row: string, values: ReadValue): string | undefined {
  const [down, up, stored] = rateNames.map((name) => values(`${row}_${name}`).trim());
  const before = readRate(stored || null)?.rate;
  return before && String(before.down / 1e6) === down && String(before.up / 1e6) === up ? stored : undefined;
}

/** RouterOS syntax; "": none, undefined: incomplete or invalid. */
function readRowRate(row: string, values: ReadValue): string | undefined {
  const stored = storedRate(row, values);
  if (stored !== undefined) return stored;
  const [down, up] = rateNames.map((name) => values(`${row}_${name}`).trim());
  const faults: Faults = {};
  const sent = rateSent({ rate_down: down, rate_up: up }, faults);
  return Object.keys(faults).length > 0 ? undefined : sent;
}

function parseMinutes(text: string): number | undefined {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}
