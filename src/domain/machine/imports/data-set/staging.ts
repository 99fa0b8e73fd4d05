import type { SQLQueryBindings, Statement } from "bun:sqlite";
import type { Db, Tx } from "../../../../../db/open.ts";
import { ChangeLog, type StoredRow } from "./change-log.ts";
import { StaleError } from "./stale.ts";

/** Columns by SQL names; undefined keeps, null resets to the default. */
export type Columns = Readonly<Record<string, SQLQueryBindings | undefined>>;

/**
 * Temporary tables of an import: rows are prepared without a lock and moved by few statements under it. Routers retry
 * accounting for about a second.
 */
export class Staging implements Disposable {
  readonly db: Db;
  readonly changes = new ChangeLog();
  readonly #tables: string[] = [];
  readonly #statements: Statement[] = [];

  constructor(db: Db) {
    this.db = db;
  }

  /** Returns its name. */
  table(name: string, columns: string): string {
    const table = `temp.import_${name}`;
    this.db.$client.run(`DROP TABLE IF EXISTS ${table}`);
    this.db.$client.run(`CREATE TABLE ${table} (${columns})`);
    this.#tables.push(table);
    return table;
  }

  /** A statement that puts rows into an empty table of these columns. */
  inserter(name: string, columns: readonly string[]): { table: string; insert: Statement } {
    const table = this.table(name, columns.join(", "));
    const marks = columns.map(() => "?").join(", ");
    return { table, insert: this.prepare(`INSERT INTO ${table} VALUES (${marks})`) };
  }

  /** Finalized with the import, because an open statement keeps its connection open. */
  prepare<Row = unknown>(sql: string): Statement<Row, SQLQueryBindings[]> {
    const statement = this.db.$client.prepare<Row, SQLQueryBindings[]>(sql);
    this.#statements.push(statement);
    return statement;
  }

  /** The password of a stored subscriber or service. */
  openPassword({ password_sealed: sealed }: StoredRow): string | undefined {
    return sealed instanceof Uint8Array ? this.db.vault.openText(sealed) : undefined;
  }

  [Symbol.dispose](): void {
    for (const statement of this.#statements) statement.finalize();
    for (const table of this.#tables) this.db.$client.run(`DROP TABLE IF EXISTS ${table}`);
  }
}

interface ColumnInfo {
  name: string;
  notnull: number;
  dflt_value: string | null;
}

/** Marks new rows; changes have the number of their column set. */
const NEW = 0;

/** The rows of a table that are new, or that say something else than the store has. */
export class StagedRows {
  readonly changed = new Set<number>();
  added = 0;
  readonly #staging: Staging;
  readonly #table: string;
  readonly #key: string;
  readonly #staged: string;
  readonly #names: readonly string[];
  readonly #defaults: ReadonlyMap<string, SQLQueryBindings>;
  readonly #find: Statement<StoredRow, SQLQueryBindings[]>;
  readonly #inserts = new Map<string, Statement>();
  readonly #changeSets = new Map<string, number>();

  constructor(staging: Staging, table: string, key = "id") {
    this.#staging = staging;
    this.#table = table;
    this.#key = key;
    const { $client } = staging.db;
    const info = $client.query<ColumnInfo, []>(`PRAGMA main.table_info(${table})`).all();
    this.#names = info.map(({ name }) => name);
    const columns = info.map(({ name, notnull, dflt_value }) => {
      if (name === key) return `${name} INTEGER PRIMARY KEY`;
      return notnull === 1 && dflt_value !== null ? `${name} DEFAULT ${dflt_value}` : name;
    });
    this.#defaults = new Map(
      info.flatMap(({ name, notnull, dflt_value }) => {
        if (notnull === 0 || dflt_value === null) return [];
        const row = $client.query<{ value: SQLQueryBindings }, []>(`SELECT ${dflt_value} AS value`).get();
        return row ? [[name, row.value] as const] : [];
      }),
    );
    this.#staged = staging.table(table, ["change_set INTEGER", ...columns].join(", "));
    $client.run(`CREATE INDEX ${this.#staged}_sets ON import_${table} (change_set)`);
    this.#find = staging.prepare(`SELECT * FROM main.${table} WHERE ${key} = ?`);
  }

  /** Throws StaleError when it is gone. */
  find({ id, known }: { id: number; known: boolean }): StoredRow | undefined {
    if (!known) return undefined;
    const row = this.#find.get(id);
    if (!row) throw new StaleError();
    return row;
  }

  /** Stages a new row or the changes of a `stored` one. `touched`: a dependent row changes, so it counts as changed. */
  put(
    id: number,
    stored: StoredRow | undefined,
    columns: Columns,
    {
      onInsert = {},
      onChange = {},
      touched = false,
    }: { onInsert?: Columns; onChange?: Columns; touched?: boolean } = {},
  ): void {
    if (!stored) {
      this.#stage(id, NEW, Object.entries({ ...columns, ...onChange, ...onInsert }));
      this.added++;
      return;
    }
    const changes = this.#changes(stored, columns);
    if (changes.length === 0 && !touched) return;
    this.#staging.changes.addColumns(this.#table, id, stored, changes);
    changes.push(...this.#changes(undefined, onChange));
    this.changed.add(id);
    if (changes.length === 0) return;
    const names = changes.map(([name]) => name).join();
    const changeSet = this.#changeSets.get(names) ?? this.#changeSets.size + 1;
    this.#changeSets.set(names, changeSet);
    this.#stage(id, changeSet, changes);
  }

  /** The columns after the import, with defaults for new rows. */
  after(stored: StoredRow | undefined, columns: Columns): Columns {
    const before: Columns =
      stored ?? Object.fromEntries(this.#names.map((name) => [name, this.#default(name)]));
    return { ...before, ...Object.fromEntries(this.#changes(stored, columns)) };
  }

  /** Throws StaleError when a changed row is gone. */
  write(tx: Tx): void {
    const { $client } = tx;
    if (this.added > 0) {
      const names = this.#names.join(", ");
      $client.run(
        `INSERT INTO main.${this.#table} (${names}) SELECT ${names} FROM ${this.#staged} WHERE +change_set = ${NEW}`,
      );
    }
    for (const [names, changeSet] of this.#changeSets) {
      const assignments = names.split(",").map((name) => `${name} = staged.${name}`);
      $client.run(
        `UPDATE main.${this.#table} AS stored SET ${assignments.join(", ")} FROM ${this.#staged} AS staged
         WHERE staged.change_set = ${changeSet} AND stored.${this.#key} = staged.${this.#key}`,
      );
      const row = $client
        .query<{ gone: number }, []>(
          `SELECT count(*) - changes() AS gone FROM ${this.#staged} WHERE change_set = ${changeSet}`,
        )
        .get();
      if (row?.gone !== 0) throw new StaleError();
    }
  }

  #changes(stored: StoredRow | undefined, columns: Columns): [string, SQLQueryBindings][] {
    const changes: [string, SQLQueryBindings][] = [];
    for (const [name, value] of Object.entries(columns)) {
      if (value === undefined) continue;
      const next = value ?? this.#default(name);
      if (!stored || stored[name] !== next) changes.push([name, next]);
    }
    return changes;
  }

  #default(name: string): SQLQueryBindings {
    return this.#defaults.get(name) ?? null;
  }

  #stage(id: number, changeSet: number, columns: [string, SQLQueryBindings | undefined][]): void {
    const names = ["change_set", this.#key];
    const values: SQLQueryBindings[] = [changeSet, id];
    for (const [name, value] of columns) {
      if (value === undefined || (changeSet === NEW && value === null)) continue;
      names.push(name);
      values.push(value);
    }
    const list = names.join(", ");
    let insert = this.#inserts.get(list);
    if (!insert) {
      const marks = names.map(() => "?").join(", ");
      insert = this.#staging.prepare(`INSERT INTO ${this.#staged} (${list}) VALUES (${marks})`);
      this.#inserts.set(list, insert);
    }
    insert.run(...values);
  }
}
