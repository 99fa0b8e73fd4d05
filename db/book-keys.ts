import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "./schema.ts";

/** A primary key column; bytes are hex in JSON. */
export interface KeyColumn {
  readonly name: string;
  readonly isBytes: boolean;
}

const known = new Map<string, readonly KeyColumn[]>();

/** A table's primary key, in the order of its values in a change. Throws for an unknown table. */
export function bookKey(name: string): readonly KeyColumn[] {
  const before = known.get(name);
  if (before) return before;
  const table = tableNamed(name);
  const single = Object.values(getTableColumns(table)).filter(({ primary }) => primary);
  // reading only columns is cheaper for drizzle
  const columns = single.length > 0 ? single : (getTableConfig(table).primaryKeys[0]?.columns ?? []);
  const key = columns.map((column) => ({ name: column.name, isBytes: column.getSQLType() === "blob" }));
  known.set(name, key);
  return key;
}

/** Throws for an unknown table. */
export const bookColumns = (name: string): readonly string[] =>
  Object.values(getTableColumns(tableNamed(name))).map((column) => column.name);

let tables: Map<string, SQLiteTable> | undefined;

function tableNamed(name: string): SQLiteTable {
  tables ??= new Map(
    Object.values(schema)
      .filter((value) => is(value, SQLiteTable))
      .map((table) => [getTableName(table), table]),
  );
  const table = tables.get(name);
  if (!table) throw new Error(`the schema has no table ${name}`);
  return table;
}
