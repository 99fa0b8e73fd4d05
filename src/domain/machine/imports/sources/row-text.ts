import type { DumpRow } from "../dump/row.ts";

/** "" for NULL or a missing column. */
export function rawText({ values }: DumpRow, column: string): string {
  const value = values[column];
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : new TextDecoder().decode(value);
}

/** The first non-empty column, trimmed; "" if none. */
export function readText(row: DumpRow, ...columns: string[]): string {
  for (const column of columns) {
    const text = rawText(row, column).trim();
    if (text !== "") return text;
  }
  return "";
}

/** A number in a column; undefined: none. */
export function readNumber(row: DumpRow, column: string): number | undefined {
  const text = readText(row, column);
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}
