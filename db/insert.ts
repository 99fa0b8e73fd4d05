import { getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { columnsSet, type Value } from "./condition.ts";
import type { Db } from "./open.ts";

/** Inserts by a statement that is compiled once; returns the new id. Missing columns get defaults. `replacing`: the unique columns of an upsert. */
export function insert<T extends SQLiteTable>(
  { $client }: Db,
  table: T,
  row: T["$inferInsert"],
  { replacing = [] }: { replacing?: readonly (keyof T["$inferInsert"] & string)[] } = {},
): number {
  const set = columnsSet(table, row);
  const names = (columns: typeof set) => columns.map(({ name }) => `"${name}"`).join(", ");
  const unique = set.filter(({ key }) => replacing.includes(key));
  const others = set.filter(({ key }) => !replacing.includes(key));
  const changed = others.map(({ name }) => `"${name}" = excluded."${name}"`).join(", ");
  const conflict = unique.length === 0 ? "" : ` ON CONFLICT (${names(unique)}) DO UPDATE SET ${changed}`;
  const marks = set.map(() => "?").join(", ");
  const statement = $client.query<unknown, Value[]>(
    `INSERT INTO ${getTableName(table)} (${names(set)}) VALUES (${marks})${conflict}`,
  );
  return Number(statement.run(...set.map(({ value }) => value)).lastInsertRowid);
}
