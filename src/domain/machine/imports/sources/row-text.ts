import type { DumpRow } from "../dump/row.ts";

/** A column as the dump has it; "" where the table has none such, or it is NULL. */
export function rawText({ values }: DumpRow, column: string): string {
  const value = values[column];
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : new TextDecoder().decode(value);
}

/** The text of the first of these columns that has any, without blanks around it; "" where none has. */
export function textOf(row: DumpRow, ...columns: string[]): string {
  for (const column of columns) {
    const text = rawText(row, column).trim();
    if (text !== "") return text;
  }
  return "";
}

/** A whole number of a column; undefined where there is none. */
export function numberOf(row: DumpRow, column: string): number | undefined {
  const text = textOf(row, column);
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}
