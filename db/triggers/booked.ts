import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type BookTable, bookTables } from "../book-tables.ts";
import * as schema from "../schema.ts";
import { after, endings, MARKING } from "./trigger.ts";

/** Those that note for the stream of the books which rows have changed. */
export function booked(): string[] {
  const tables = new Map<string, SQLiteTable>(
    Object.values(schema)
      .filter((value) => is(value, SQLiteTable))
      .map((table) => [getTableName(table), table]),
  );
  return bookTables.flatMap((table) => {
    const known = tables.get(table.name);
    if (!known) throw new Error(`the schema has no table ${table.name}`);
    return bookedBy(table, shapeOf(known));
  });
}

interface Shape {
  /** As JSON can hold them: bytes as hex. */
  readonly keys: readonly ((row: "OLD" | "NEW") => string)[];
  readonly columns: readonly string[];
}

function shapeOf(table: SQLiteTable): Shape {
  const columns = Object.values(getTableColumns(table));
  const single = columns.filter(({ primary }) => primary);
  // to ask for more than columns takes drizzle a while
  const keys = single.length > 0 ? single : (getTableConfig(table).primaryKeys[0]?.columns ?? []);
  return {
    keys: keys.map((column) => (row) => {
      const value = `${row}.\`${column.name}\``;
      return column.getSQLType() === "blob" ? `hex(${value})` : value;
    }),
    columns: columns.map(({ name }) => name),
  };
}

function bookedBy({ name, without, when, kept }: BookTable, { keys, columns }: Shape): string[] {
  const noted = (event: keyof typeof endings) => {
    const key = keys.map((valueOf) => valueOf(event === "DELETE" ? "OLD" : "NEW")).join(", ");
    return after(
      {
        name: `${name}_booked${endings[event]}`,
        table: name,
        event,
        of:
          event === "UPDATE" && without
            ? columns.filter((column) => !without.columns.includes(column))
            : undefined,
        when: when === undefined ? MARKING : `${MARKING} AND (${when})`,
      },
      `INSERT INTO \`book_changes\` (\`table_name\`, \`key\`) VALUES ('${name}', json_array(${key}));`,
    );
  };
  return [noted("INSERT"), noted("UPDATE"), ...(kept ? [] : [noted("DELETE")])];
}
