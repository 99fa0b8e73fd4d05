import { formatAmount } from "../../../core/amounts/money.ts";
import type { Kind, Reading } from "../../../core/fields/record.ts";
import { formatTime, type Seconds } from "../../../core/time/time.ts";

export type CsvKind = "text" | "number" | "amount" | "time" | "day";
export type CsvValue = string | number | null;

const csvKindByKind = {
  whole: "number",
  real: "number",
  words: "text",
  money: "amount",
  moment: "time",
  flag: "number",
} satisfies Record<Kind, CsvKind>;

/** Kinds of the columns. */
export const csvKinds = (fields: Readonly<Record<string, Pick<Reading, "kind">>>): Record<string, CsvKind> =>
  Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, csvKindByKind[kind]]));

/** Makes spreadsheets read UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

export function csvLines(kinds: readonly CsvKind[]): (values: readonly CsvValue[]) => string {
  const timeText = fastTimes();
  const cell = (kind: CsvKind, value: CsvValue): string => {
    if (value === null) return "";
    if (kind === "text") return quoted(inert(String(value)));
    if (kind === "number") return String(value);
    const number = Number(value);
    return kind === "time" ? timeText(number) : kind === "day" ? dayText(number) : formatAmount(number);
  };
  return (values) => {
    let line = "";
    for (const [index, kind] of kinds.entries()) {
      if (index > 0) line += ",";
      line += cell(kind, values[index] ?? null);
    }
    return `${line}\r\n`;
  };
}

export type CsvLine = (values: readonly CsvValue[]) => string;

export const csvLine: CsvLine = (values) => formatLine(values, inert);

/** A line for programs: text as it is. */
export const plainCsvLine: CsvLine = (values) => formatLine(values, (text) => text);

function formatLine(values: readonly CsvValue[], writeText: (text: string) => string): string {
  const cells = values.map((value) =>
    typeof value === "string" ? quoted(writeText(value)) : value === null ? "" : String(value),
  );
  return `${cells.join(",")}\r\n`;
}

/** Escapes text that a spreadsheet would execute. */
function inert(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function dayText(day: number): string {
  const digits = String(day).padStart(8, "0");
  return `${digits.slice(0, -4)}-${digits.slice(-4, -2)}-${digits.slice(-2)}`;
}

/** Zones differ by quarters of an hour, so times within one share a prefix. */
const QUARTER = 900;
const MAX_QUARTERS = 10_000;

/** formatTime for millions: one calendar call for each quarter of an hour. */
function fastTimes(): (seconds: Seconds) => string {
  /** Hour and minute prefix by number; undefined in an odd zone. */
  const quarters = new Map<number, { hour: string; minute: number } | undefined>();
  return (seconds) => {
    const number = Math.floor(seconds / QUARTER);
    if (!quarters.has(number)) {
      if (quarters.size >= MAX_QUARTERS) quarters.clear();
      quarters.set(number, quarterTime(number));
    }
    const quarter = quarters.get(number);
    if (!quarter) return formatTime(seconds);
    const rest = seconds - number * QUARTER;
    return `${quarter.hour}${twoDigits(quarter.minute + Math.floor(rest / 60))}:${twoDigits(rest % 60)}`;
  };
}

function quarterTime(number: number): { hour: string; minute: number } | undefined {
  const begin = formatTime(number * QUARTER);
  const minute = Number(begin.slice(-5, -3));
  return minute % 15 === 0 && begin.endsWith(":00") ? { hour: begin.slice(0, -5), minute } : undefined;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}
