import { type GetColumnData, getTableColumns, getTableName, type Table } from "drizzle-orm";
import type { Value } from "./condition.ts";

/*
 * A column has a key in the schema (`framedPool`) and a name in the store (`framed_pool`), by which the API and the import format
 * know it too. Lists of fields are by names; what leads from one to the other is here.
 */

type ColumnsOf<T extends Table> = T["_"]["columns"];
type NameOf<T extends Table, K extends keyof ColumnsOf<T>> = ColumnsOf<T>[K]["_"]["name"];
type KeyOf<T extends Table, N> = {
  [K in keyof ColumnsOf<T> & string]: NameOf<T, K> extends N ? K : never;
}[keyof ColumnsOf<T> & string];

/** A row by the names of its columns. */
export type Named<T extends Table> = {
  [K in keyof ColumnsOf<T> as NameOf<T, K>]: GetColumnData<ColumnsOf<T>[K]>;
};

export interface ColumnKind {
  readonly name: string;
  readonly kind: (typeof kinds)[number];
  readonly isNullable: boolean;
}

/** What the columns of a table hold. */
export function kindsOf(table: Table): ColumnKind[] {
  return Object.values(getTableColumns(table)).map((column) => {
    const kind = kinds.find((one) => one === column.getSQLType());
    if (!kind) throw new Error(`${getTableName(table)}.${column.name} holds ${column.getSQLType()}`);
    return { name: column.name, kind, isNullable: !column.notNull };
  });
}

const kinds = ["text", "integer", "real", "blob"] as const;

/** The key of the column of a name. */
export function keyOf<T extends Table, N extends string>(table: T, name: N): KeyOf<T, N> {
  const found = Object.entries(getTableColumns(table)).find(([, column]) => column.name === name);
  if (!found) throw new Error(`${getTableName(table)} has no column ${name}`);
  return found[0] as KeyOf<T, N>;
}

/** All columns under their keys but some, for SELECT: `s.isp_id AS ispId, ...`. Blobs come as Uint8Array. */
export function columnsOf(table: Table, alias: string, without: readonly string[] = []): string {
  return listed(table, alias, (key) => !without.includes(key));
}

/** The same of some columns alone. */
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
 * Values by names as those of a row, for drizzle. undefined leaves a column as it is, and what is no column is left out; null is
 * the default of a column that cannot be NULL, or leaves it as it is where it has none.
 */
export function rowOf<T extends Table>(
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

/** A row by the names of its columns as it would be stored: what is not said is the default of the column, or NULL. */
export function newRow<T extends Table>(
  table: T,
  values: Readonly<Record<string, unknown>>,
): T["$inferSelect"] {
  const entries = Object.entries(getTableColumns(table));
  return Object.fromEntries(
    entries.map(([key, { name, default: usual }]) => [key, values[name] ?? usual ?? null]),
  );
}

/** A row whose columns are known by their names. */
export function rowNamed<T extends Table>(
  table: T,
  columns: Readonly<Record<string, unknown>>,
): T["$inferSelect"] {
  const entries = Object.entries(getTableColumns(table));
  return Object.fromEntries(entries.map(([key, { name }]) => [key, columns[name]]));
}

/** Values of a row by the names of their columns, in the order of the schema. */
export function namedColumns(table: Table, row: Readonly<Record<string, Value>>): Record<string, Value> {
  const entries = Object.entries(getTableColumns(table));
  return Object.fromEntries(
    entries.flatMap(([key, { name }]) => (row[key] === undefined ? [] : [[name, row[key]]])),
  );
}

/** A value of an object that is made from a row: what stands in it under a key, or what follows from it. */
interface Part<Row> {
  readonly name: string;
  readonly of: string | ((row: Row) => unknown);
  /** How what stands there is written where it is not NULL; as it is, where this is missing. */
  readonly write?: ((value: never) => unknown) | undefined;
}

/**
 * Makes objects of rows, as a literal with each of the names in it would. It is compiled, as the checks of schemas are: a loop over names takes three
 * times as long, and leaves the values of an object in another place of memory than the object.
 */
export function literalOf<Row, Made>(parts: readonly Part<Row>[]): (row: Row) => Made {
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
