import { Database, type SQLQueryBindings } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sqliteCode } from "../../../../db/sqlite-error.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { freeBytes, RESERVE } from "../../core/files/files.ts";

/** Rows that can be iterated again. */
export interface Rows<T> extends Iterable<T> {
  readonly length: number;
}

/** Kilobytes of page cache. */
const CACHE = 8 * 1024;
const PAGE = 4096;
const MOST = 64 * 1024 ** 3;
const STEP = 200;

/** An import's working data on disk: as large as the files, and gone with the program, because its file is unlinked at once. */
export class Scratch implements Disposable {
  readonly #client: Database;
  #tables = 0;

  /** `folder`: in the data folder; in memory without one. */
  constructor(folder?: string, { most = MOST }: { most?: number } = {}) {
    const file = folder === undefined ? ":memory:" : join(folder, `scratch-${randomUUID()}`);
    if (folder !== undefined) closeSync(openSync(file, "wx", 0o600));
    this.#client = new Database(file);
    // nothing in it outlasts the program
    for (const mode of ["journal_mode = MEMORY", "synchronous = OFF", "locking_mode = EXCLUSIVE"])
      this.#client.run(`PRAGMA ${mode}`);
    this.#client.run(`PRAGMA cache_size = -${CACHE}`);
    if (folder !== undefined)
      this.#client.run(`PRAGMA max_page_count = ${Math.floor(roomIn(folder, most) / PAGE)}`);
    this.#client.run("BEGIN EXCLUSIVE");
    this.#client.run("CREATE TABLE opened (at)"); // only now the file is had
    if (folder !== undefined) rmSync(file);
  }

  table(name: string, columns: string): string {
    const table = `${name}_${++this.#tables}`;
    this.#run(() => this.#client.run(`CREATE TABLE ${table} (${columns})`));
    return table;
  }

  index(table: string, ...columns: string[]): void {
    this.#run(() =>
      this.#client.run(`CREATE INDEX ${table}_${columns.join("_")} ON ${table} (${columns.join(", ")})`),
    );
  }

  write(sql: string, ...values: SQLQueryBindings[]): void {
    this.#run(() => this.#client.query<unknown, SQLQueryBindings[]>(sql).run(...values));
  }

  /** Whether the row was new. */
  isNew(sql: string, ...values: SQLQueryBindings[]): boolean {
    return this.#run(() => this.#client.query<unknown, SQLQueryBindings[]>(sql).run(...values)).changes > 0;
  }

  all<Row>(sql: string, ...values: SQLQueryBindings[]): Row[] {
    return this.#client.query<Row, SQLQueryBindings[]>(sql).all(...values);
  }

  get<Row>(sql: string, ...values: SQLQueryBindings[]): Row | undefined {
    return this.#client.query<Row, SQLQueryBindings[]>(sql).get(...values) ?? undefined;
  }

  /** Pages a query with `WHERE id > ?` first and `ORDER BY id LIMIT` last; writes are allowed meanwhile. */
  *each<Row extends { readonly id: number }>(
    sql: string,
    ...values: SQLQueryBindings[]
  ): Generator<Row, void> {
    for (let after = 0; ;) {
      const rows = this.all<Row>(`${sql} ORDER BY id LIMIT ${STEP}`, after, ...values);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < STEP) return;
      after = last.id;
    }
  }

  list<T>(): List<T> {
    return new List(this);
  }

  #run<R>(body: () => R): R {
    try {
      return body();
    } catch (error) {
      if (sqliteCode(error) !== "SQLITE_FULL") throw error;
      throw new DomainError(
        "refused",
        phrase`what is read of it takes more room than the disk has beside what the store needs; make room, or give it in parts`,
      );
    }
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

function roomIn(folder: string, most: number): number {
  return Math.max(PAGE * 16, Math.min(freeBytes(folder) - RESERVE, most));
}

/** Rows as JSON on disk, in order. */
export class List<T> implements Rows<T> {
  readonly #scratch: Scratch;
  readonly #table: string;
  length = 0;

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
    this.#table = scratch.table("list", "id INTEGER PRIMARY KEY, body TEXT NOT NULL");
  }

  push(value: T): void {
    this.#scratch.write(`INSERT INTO ${this.#table} VALUES (?, ?)`, ++this.length, JSON.stringify(value));
  }

  *[Symbol.iterator](): Generator<T, void> {
    const rows = this.#scratch.each<{ id: number; body: string }>(
      `SELECT id, body FROM ${this.#table} WHERE id > ?`,
    );
    for (const row of rows) yield read<T>(row);
  }

  toJSON(): T[] {
    return [...this];
  }
}

const read = <T>({ body }: { body: string }): T => JSON.parse(body) as T;

/** The name as MySQL compares names: without case and trailing blanks. */
export const fold = (name: string) => name.trimEnd().toLowerCase();

/** Rows by name, on disk. */
export class ByName<T> {
  readonly #scratch: Scratch;
  readonly #table: string;
  size = 0;

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
    this.#table = scratch.table(
      "names",
      "id INTEGER PRIMARY KEY, name TEXT UNIQUE, key TEXT, body TEXT NOT NULL",
    );
    scratch.index(this.#table, "key");
  }

  get(name: string): T | undefined {
    if (this.size === 0) return undefined;
    const row = this.#scratch.get<{ body: string }>(`SELECT body FROM ${this.#table} WHERE name = ?`, name);
    return row && read<T>(row);
  }

  set(name: string, value: T): void {
    const body = JSON.stringify(value);
    const insert = `INSERT OR IGNORE INTO ${this.#table} (name, key, body) VALUES (?, ?, ?)`;
    if (this.#scratch.isNew(insert, name, fold(name), body)) this.size++;
    else this.#scratch.write(`UPDATE ${this.#table} SET body = ? WHERE name = ?`, body, name);
  }

  /** The exact name, else MySQL's match. */
  find(name: string): T | undefined {
    return this.get(name) ?? this.alike(name).next().value?.[1];
  }

  *alike(name: string): Generator<[name: string, value: T], void> {
    if (this.size === 0) return;
    const rows = this.#scratch.all<{ name: string; body: string }>(
      `SELECT name, body FROM ${this.#table} WHERE key = ? ORDER BY id`,
      fold(name),
    );
    for (const row of rows) yield [row.name, read<T>(row)];
  }

  *[Symbol.iterator](): Generator<[name: string, value: T], void> {
    const rows = this.#scratch.each<{ id: number; name: string; body: string }>(
      `SELECT id, name, body FROM ${this.#table} WHERE id > ?`,
    );
    for (const row of rows) yield [row.name, read<T>(row)];
  }
}

export class OfUsers<T> implements Iterable<T> {
  readonly #scratch: Scratch;
  readonly #table: string;

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
    this.#table = scratch.table("of_users", "id INTEGER PRIMARY KEY, user TEXT, body TEXT NOT NULL");
  }

  add(user: string, value: T): void {
    this.#scratch.write(`INSERT INTO ${this.#table} (user, body) VALUES (?, ?)`, user, JSON.stringify(value));
  }

  end(): void {
    this.#scratch.index(this.#table, "user");
  }

  of(user: string): T[] {
    return this.#scratch
      .all<{ body: string }>(`SELECT body FROM ${this.#table} WHERE user = ? ORDER BY id`, user)
      .map((row) => read<T>(row));
  }

  *users(): Generator<string, void> {
    const first = `SELECT min(id) FROM ${this.#table} AS f WHERE f.user = t.user`;
    const rows = this.#scratch.each<{ id: number; user: string }>(
      `SELECT id, user FROM ${this.#table} AS t WHERE id > ? AND id = (${first})`,
    );
    for (const { user } of rows) yield user;
  }

  *[Symbol.iterator](): Generator<T, void> {
    for (const user of this.users()) yield* this.of(user);
  }
}
