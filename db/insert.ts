import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Value } from "./condition.ts";
import type { Db } from "./open.ts";

/**
 * Adds a row by a statement that is compiled once, and returns the id of one that was added. A column without a value gets its
 * default. With `replacing`, a row that has the same value there gets the values instead.
 */
export function insert<T extends SQLiteTable>(
  { $client }: Db,
  table: T,
  row: T["$inferInsert"],
  { replacing }: { replacing?: keyof T["$inferInsert"] & string } = {},
): number {
  const columns: Record<string, { name: string }> = getTableColumns(table);
  const values: Record<string, Value | undefined> = row;
  const given = Object.keys(columns).filter((key) => values[key] !== undefined);
  const nameOf = (key: string) => columns[key]?.name ?? "";
  const changed = given
    .filter((key) => key !== replacing)
    .map((key) => `${nameOf(key)} = excluded.${nameOf(key)}`);
  const conflict =
    replacing === undefined ? "" : ` ON CONFLICT (${nameOf(replacing)}) DO UPDATE SET ${changed.join(", ")}`;
  const marks = given.map(() => "?").join(", ");
  const statement = $client.query<unknown, Value[]>(
    `INSERT INTO ${getTableName(table)} (${given.map(nameOf).join(", ")}) VALUES (${marks})${conflict}`,
  );
  return Number(statement.run(...given.map((key) => values[key] ?? null)).lastInsertRowid);
}
