import { getTableColumns, type Table } from "drizzle-orm";

/*
 * Conditions for hand-written SQL, which `$client.query` compiles once; building a query takes longer than running it. The text
 * is ours, outside values are bound. By position: a read-only connection has no named parameters.
 */

export type Value = string | number | Uint8Array | null;

export interface Condition {
  readonly text: string;
  readonly values: readonly Value[];
}

/** `column = value`, or no condition without a value: for filters, never to identify a row. */
export function equal(column: string, value: string | number | null | undefined): Condition | undefined {
  return value === null || value === undefined ? undefined : { text: `${column} = ?`, values: [value] };
}

/** `column` is one of `values`, which are one parameter, so that one statement serves however many there are. */
export function among(column: string, values: readonly (string | number)[]): Condition {
  return { text: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] };
}

const always: Condition = { text: "TRUE", values: [] };

/** The conditions joined by AND; undefined does not filter. One with OR needs brackets. */
export function all(...conditions: readonly (Condition | undefined)[]): Condition {
  const set = conditions.filter((condition) => condition !== undefined).filter((one) => one !== always);
  if (set.length === 0) return always;
  return { text: set.map(({ text }) => text).join(" AND "), values: set.flatMap(({ values }) => values) };
}

/** Keys, names and values of set columns. undefined is not set. */
export function columnsSet(table: Table, row: object): { key: string; name: string; value: Value }[] {
  const set: { key: string; name: string; value: Value }[] = [];
  for (const [key, { name }] of Object.entries(getTableColumns(table))) {
    const value: Value | undefined = Reflect.get(row, key);
    if (value !== undefined) set.push({ key, name, value });
  }
  return set;
}
