import { type GetColumnData, getTableColumns, getTableName, type Table } from "drizzle-orm";
import type { Value } from "./condition.ts";

/*
 * Columns have a key in the schema (`framedPool`) and a name in the store, the API and the import format (`framed_pool`). Lists
 * of fields use names.
 */

type ColumnsOf<T extends Table> = T["_"]["columns"];
type NameOf<T extends Table, K extends keyof ColumnsOf<T>> = ColumnsOf<T>[K]["_"]["name"];
type KeyOf<T extends Table, N> = {
  [K in keyof ColumnsOf<T> & string]: NameOf<T, K> extends N ? K : never;
}[keyof ColumnsOf<T> & string];

export type Named<T extends Table> = {
  [K in keyof ColumnsOf<T> as NameOf<T, K>]: GetColumnData<ColumnsOf<T>[K]>;
};

export interface ColumnKind {
  readonly name: string;
  readonly kind: (typeof kinds)[number];
  readonly isNullable: boolean;
}

export function columnKinds(table: Table): ColumnKind[] {
  return Object.values(getTableColumns(table)).map((column) => {
    const kind = kinds.find((one) => one === column.getSQLType());
    if (!kind) throw new Error(`${getTableName(table)}.${column.name} holds ${column.getSQLType()}`);
    return { name: column.name, kind, isNullable: !column.notNull };
  });
}

const kinds = ["text", "integer", "real", "blob"] as const;

export function keyOf<T extends Table, N extends string>(table: T, name: N): KeyOf<T, N> {
  const found = Object.entries(getTableColumns(table)).find(([, column]) => column.name === name);
  if (!found) throw new Error(`${getTableName(table)} has no column ${name}`);
  return found[0] as KeyOf<T, N>;
}

/** The columns of a table for SELECT, under schema keys: `s.isp_id AS ispId, ...`. Blobs come as Uint8Array. */
export function selectColumns(table: Table, alias: string, without: readonly string[] = []): string {
  return listed(table, alias, (key) => !without.includes(key));
}

export function selected<T extends Table>(
  table: T,
  alias: string,
  keys: readonly (keyof ColumnsOf<T> & string)[],
): string {
  return listed(table, alias, (key) => keys.includes(key));
}

function listed(table: Table, alias: string, isWanted: (key: string) => boolean): string {
  return Object.entries(getTableColumns(table))
    .filter(([key]) => isWanted(key))
    .map(([key, { name }]) => `${alias}."${name}" AS "${key}"`)
    .join(", ");
}

/**
 * A row for drizzle from values by column names. undefined and unknown names are left out; null resets a NOT NULL column to its
 * default, if it has one.
 */
export function partialRow<T extends Table>(
  table: T,
  values: Readonly<Record<string, unknown>>,
): Partial<T["$inferInsert"]> {
  const row: Record<string, unknown> = {};
  for (const [key, column] of Object.entries(getTableColumns(table))) {
    const value = values[column.name];
    row[key] = value === null && column.notNull ? column.default : value;
  }
  return row as Partial<T["$inferInsert"]>;
}

/** A row as it would be stored: missing values are defaults, or NULL. */
export function newRow<T extends Table>(
  table: T,
  values: Readonly<Record<string, unknown>>,
): T["$inferSelect"] {
  const entries = Object.entries(getTableColumns(table));
  return Object.fromEntries(
    entries.map(([key, { name, default: usual }]) => [key, values[name] ?? usual ?? null]),
  );
}

/** The reverse of `columnsFromRow`. */
export function rowFromColumns<T extends Table>(
  table: T,
  columns: Readonly<Record<string, unknown>>,
): T["$inferSelect"] {
  const entries = Object.entries(getTableColumns(table));
  return Object.fromEntries(entries.map(([key, { name }]) => [key, columns[name]]));
}

/** A row by column names, in the order of the schema. */
export function columnsFromRow(table: Table, row: Readonly<Record<string, Value>>): Record<string, Value> {
  const entries = Object.entries(getTableColumns(table));
  return Object.fromEntries(
    entries.flatMap(([key, { name }]) => (row[key] === undefined ? [] : [[name, row[key]]])),
  );
}

/** A property of an object made from a row: a column's key, or a function of the row. */
interface Part<Row> {
  readonly name: string;
  readonly of: string | ((row: Row) => unknown);
  /** Formats a value that is not NULL. */
  readonly write?: ((value: never) => unknown) | undefined;
}

/** Compiles a function that makes objects of rows like a literal: a loop over names takes three times as long and scatters the values in memory. */
export function compileLiteral<Row, Made>(parts: readonly Part<Row>[]): (row: Row) => Made {
  const values = parts.map(({ name, of, write }, index) => {
    if (typeof of === "function") return `${JSON.stringify(name)}: call${index}(row)`;
    const value = `row[${JSON.stringify(of)}]`;
    return `${JSON.stringify(name)}: ${write ? `${value} === null ? null : call${index}(${value})` : value}`;
  });
  const make = new Function(
    ...parts.map((_, index) => `call${index}`),
    `return (row) => ({ ${values.join(", ")} });`,
  );
  return make(...parts.map(({ of, write }) => (typeof of === "function" ? of : write)));
}
