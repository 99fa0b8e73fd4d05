import { getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { columnsSet, type Value } from "./condition.ts";
import type { Db } from "./open.ts";

/** Updates rows that match `where` (null is IS NULL), by a statement that is compiled once for each set of columns. undefined is not set. */
export function update<T extends SQLiteTable>(
  { $client }: Db,
  table: T,
  values: { readonly [K in keyof T["$inferInsert"]]?: T["$inferInsert"][K] | undefined },
  where: Partial<T["$inferSelect"]>,
): void {
  const set = columnsSet(table, values);
  const known = columnsSet(table, where);
  const changes = set.map(({ name }) => `"${name}" = ?`).join(", ");
  const conditions = known.map(({ name, value }) => (value === null ? `"${name}" IS NULL` : `"${name}" = ?`));
  const statement = $client.query<unknown, Value[]>(
    `UPDATE ${getTableName(table)} SET ${changes} WHERE ${conditions.join(" AND ")}`,
  );
  const named = known.map(({ value }) => value).filter((value) => value !== null);
  statement.run(...set.map(({ value }) => value), ...named);
}
