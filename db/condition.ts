import { getTableColumns, type Table } from "drizzle-orm";

/*
 * For SQL written by hand and compiled once by `$client.query`, because building a query and compiling it takes longer than
 * running it. The text is always our own; what comes from outside is a value of a question mark. Values are given by place:
 * a read-only connection does not take them by name.
 */

export type Value = string | number | Uint8Array | null;

/** What follows WHERE, with the values of its question marks. */
export interface Condition {
  readonly text: string;
  readonly values: readonly Value[];
}

/** `column = value`; no condition where there is no value, so it narrows a list and never tells which row is meant. */
export function equal(column: string, value: string | number | null | undefined): Condition | undefined {
  return value === null || value === undefined ? undefined : { text: `${column} = ?`, values: [value] };
}

const always: Condition = { text: "TRUE", values: [] };

/** That all of them hold; what is undefined does not narrow. None of them has an OR outside brackets. */
export function all(...conditions: readonly (Condition | undefined)[]): Condition {
  const set = conditions.filter((condition) => condition !== undefined).filter((one) => one !== always);
  if (set.length === 0) return always;
  return { text: set.map(({ text }) => text).join(" AND "), values: set.flatMap(({ values }) => values) };
}

/** What a row sets of its table: columns by their keys and their names in the store, and a value for each. undefined sets nothing. */
export function columnsSet(table: Table, row: object): { key: string; name: string; value: Value }[] {
  const set: { key: string; name: string; value: Value }[] = [];
  for (const [key, { name }] of Object.entries(getTableColumns(table))) {
    const value: Value | undefined = Reflect.get(row, key);
    if (value !== undefined) set.push({ key, name, value });
  }
  return set;
}
