import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "./schema.ts";

/** A column of a primary key; of bytes its value is told as hex, which JSON can hold. */
export interface KeyColumn {
  readonly name: string;
  readonly isBytes: boolean;
}

const known = new Map<string, readonly KeyColumn[]>();

/** The primary key of a table, in the order in which a change of the books names its values. Throws where the schema has no such table. */
export function bookKeyOf(name: string): readonly KeyColumn[] {
  const before = known.get(name);
  if (before) return before;
  const table = tableOf(name);
  const single = Object.values(getTableColumns(table)).filter(({ primary }) => primary);
  // to ask for more than columns takes drizzle a while
  const columns = single.length > 0 ? single : (getTableConfig(table).primaryKeys[0]?.columns ?? []);
  const key = columns.map((column) => ({ name: column.name, isBytes: column.getSQLType() === "blob" }));
  known.set(name, key);
  return key;
}

/** The names of all columns of a table. Throws where the schema has no such table. */
export const bookColumnsOf = (name: string): readonly string[] =>
  Object.values(getTableColumns(tableOf(name))).map((column) => column.name);

let tables: Map<string, SQLiteTable> | undefined;

function tableOf(name: string): SQLiteTable {
  tables ??= new Map(
    Object.values(schema)
      .filter((value) => is(value, SQLiteTable))
      .map((table) => [getTableName(table), table]),
  );
  const table = tables.get(name);
  if (!table) throw new Error(`the schema has no table ${name}`);
  return table;
}
