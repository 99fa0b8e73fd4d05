import { Database, type SQLQueryBindings } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sqliteCode } from "../../../../db/sqlite-error.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { freeBytes, RESERVE } from "../../core/files/files.ts";

/** Rows that are gone through as often as one likes, wherever they are kept. */
export interface Rows<T> extends Iterable<T> {
  readonly length: number;
}

/** Kilobytes of it that are in memory. */
const CACHE = 8 * 1024;
const PAGE = 4096;
/** Bytes that it takes at the most, whatever room there is. */
const MOST = 64 * 1024 ** 3;
/** Rows that are read at once where all are gone through. */
const STEP = 200;

/**
 * What an import has read and found, on the disk instead of in memory: as large as the files are, and gone with the program, because
 * its file loses its name as soon as it is open.
 */
export class Scratch implements Disposable {
  readonly #client: Database;
  #tables = 0;

  /** `folder`: a folder of the data folder; without one it is in memory, for what is small. */
  constructor(folder?: string, { most = MOST }: { most?: number } = {}) {
    const file = folder === undefined ? ":memory:" : join(folder, `scratch-${randomUUID()}`);
    if (folder !== undefined) closeSync(openSync(file, "wx", 0o600));
    this.#client = new Database(file);
    // whatever happens to it, it is made anew: nothing of it has to outlast anything
    for (const mode of ["journal_mode = MEMORY", "synchronous = OFF", "locking_mode = EXCLUSIVE"])
      this.#client.run(`PRAGMA ${mode}`);
    this.#client.run(`PRAGMA cache_size = -${CACHE}`);
    if (folder !== undefined)
      this.#client.run(`PRAGMA max_page_count = ${Math.floor(roomIn(folder, most) / PAGE)}`);
    this.#client.run("BEGIN EXCLUSIVE");
    this.#client.run("CREATE TABLE opened (at)"); // only now the file is had
    if (folder !== undefined) rmSync(file);
  }

  /** An empty table of these columns; `name` is a word for who looks at it. */
  table(name: string, columns: string): string {
    const table = `${name}_${++this.#tables}`;
    this.#run(() => this.#client.run(`CREATE TABLE ${table} (${columns})`));
    return table;
  }

  /** An index of a table, once it is filled. */
  index(table: string, ...columns: string[]): void {
    this.#run(() =>
      this.#client.run(`CREATE INDEX ${table}_${columns.join("_")} ON ${table} (${columns.join(", ")})`),
    );
  }

  /** Throws `refused` where the disk has no more room for it. */
  write(sql: string, ...values: SQLQueryBindings[]): void {
    this.#run(() => this.#client.query<unknown, SQLQueryBindings[]>(sql).run(...values));
  }

  /** Whether the row that it writes was not there. */
  isNew(sql: string, ...values: SQLQueryBindings[]): boolean {
    return this.#run(() => this.#client.query<unknown, SQLQueryBindings[]>(sql).run(...values)).changes > 0;
  }

  all<Row>(sql: string, ...values: SQLQueryBindings[]): Row[] {
    return this.#client.query<Row, SQLQueryBindings[]>(sql).all(...values);
  }

  get<Row>(sql: string, ...values: SQLQueryBindings[]): Row | undefined {
    return this.#client.query<Row, SQLQueryBindings[]>(sql).get(...values) ?? undefined;
  }

  /** The rows of a query that says `WHERE id > ?` first, `ORDER BY id LIMIT` at its end, and has `id`; others may be written meanwhile. */
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
        "what is read of it takes more room than the disk has beside what the store needs; make room, or give it in parts",
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

/** Rows of any form in the order in which they came, of which none is in memory: each is what JSON keeps of it. */
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

/** What JSON kept, which is a T because one was given. */
const read = <T>({ body }: { body: string }): T => JSON.parse(body) as T;

/** Who is meant where MySQL looks for a name: it tells neither letters by case nor blanks at the end apart. */
export const fold = (name: string) => name.trimEnd().toLowerCase();

/** A row by each name, of which none is in memory. */
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

  /** By the name as written, else the first one as MySQL would. */
  find(name: string): T | undefined {
    return this.get(name) ?? this.alike(name).next().value?.[1];
  }

  /** Those whose names MySQL does not tell apart, in the order in which they came. */
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

/** Rows of users by their ids, of which none is in memory; those of one user after the other in the order in which users are first. */
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

  /** All has been read: what follows is asked for. */
  end(): void {
    this.#scratch.index(this.#table, "user");
  }

  of(user: string): T[] {
    return this.#scratch
      .all<{ body: string }>(`SELECT body FROM ${this.#table} WHERE user = ? ORDER BY id`, user)
      .map((row) => read<T>(row));
  }

  /** Ids of users, each once. */
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
