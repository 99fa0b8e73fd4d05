import type { SQLQueryBindings, Statement } from "bun:sqlite";
import { getTableColumns, type Table } from "drizzle-orm";
import type { Tx } from "../../../db/open.ts";

/** Values by the names of SQL columns; undefined stays as it is, null is the column's default. */
export type Columns = Readonly<Record<string, SQLQueryBindings | undefined>>;

/** Values by the names that the schema has for a table's columns to values by the names of SQL. */
export function sqlColumns(table: Table, values: Columns): Columns {
  const columns = getTableColumns(table);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [columns[name]?.name ?? name, value]),
  );
}

interface ColumnInfo {
  name: string;
  notnull: number;
  dflt_value: string | null;
}

/** Writes many rows of a table through few prepared statements: one for each set of columns that rows give. */
export class RowWriter {
  readonly #tx: Tx;
  readonly #table: string;
  readonly #key: string;
  readonly #defaults: ReadonlyMap<string, string>;
  readonly #statements = new Map<string, Statement>();

  constructor(tx: Tx, table: string, key = "id") {
    this.#tx = tx;
    this.#table = table;
    this.#key = key;
    const info = tx.$client.query<ColumnInfo, []>(`PRAGMA table_info(${table})`).all();
    this.#defaults = new Map(
      info.flatMap(({ name, notnull, dflt_value }) =>
        notnull === 1 && dflt_value !== null ? [[name, dflt_value] as const] : [],
      ),
    );
  }

  insert(columns: Columns): void {
    const names: string[] = [];
    const values: SQLQueryBindings[] = [];
    for (const [name, value] of Object.entries(columns)) {
      if (value === undefined || value === null) continue;
      names.push(name);
      values.push(value);
    }
    const marks = names.map(() => "?").join(", ");
    this.#prepared(`INSERT INTO ${this.#table} (${names.join(", ")}) VALUES (${marks})`).run(...values);
  }

  update(id: number, columns: Columns): void {
    const changes: string[] = [];
    const values: SQLQueryBindings[] = [];
    for (const [name, value] of Object.entries(columns)) {
      if (value === undefined) continue;
      const initially = this.#defaults.get(name);
      changes.push(initially === undefined ? `${name} = ?` : `${name} = COALESCE(?, ${initially})`);
      values.push(value);
    }
    if (changes.length === 0) return;
    this.#prepared(`UPDATE ${this.#table} SET ${changes.join(", ")} WHERE ${this.#key} = ?`).run(
      ...values,
      id,
    );
  }

  /** Inserts a row, or changes the one that the store has. */
  put({ id, known }: { id: number; known: boolean }, columns: Columns, onInsert: Columns = {}): void {
    if (known) this.update(id, columns);
    else this.insert({ [this.#key]: id, ...columns, ...onInsert });
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#tx.$client.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
