import { Database } from "bun:sqlite";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder, sync } from "./durable.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { type Migration, migrations } from "./migrations.ts";
import { isLocked } from "./sqlite-error.ts";
import { PAUSE, personWrites, TRIES } from "./turns.ts";
import { createKey, readKey, type Vault } from "./vault.ts";

/** A connection with its sealing keys; `$client` is bun:sqlite's own, for prepared statements. */
export type Db = BunSQLiteDatabase & { readonly $client: Database; readonly vault: Vault };

declare const writing: unique symbol;
/** A Db inside a `write` transaction. */
export type Tx = Db & { readonly [writing]: true };

/*
 * `$client.query` compiles a text once and keeps the statement for its next call. Of those it keeps the ones that were used last
 * on a connection, 20 by itself: fewer than are in use, and then each call compiles anew.
 */
Database.MAX_QUERY_CACHE_SIZE = 1200;

/** Where the database of a data folder is. */
export const databaseFile = (folder: string) => join(folder, "gatehouse.db");
const keyFile = (folder: string) => join(folder, "secret.key");

export class StoreMissingError extends Error {
  override name = "StoreMissingError";
}

export class LogMissingError extends Error {
  override name = "LogMissingError";
}

export class StoreClosedError extends Error {
  override name = "StoreClosedError";
}

/** Throws StoreMissingError unless the folder has a database with something in it, StoreClosedError where that cannot be seen. */
export function requireStore(folder: string): void {
  const path = databaseFile(folder);
  const file = statOf(path, folder);
  if (!file) throw new StoreMissingError(`there is no database in ${folder}; run: gatehouse init`);
  if (file.size === 0)
    throw new StoreMissingError(`${path} is empty; restore a backup, or remove it and run: gatehouse init`);
}

/** Undefined for a file that is not there. */
function statOf(path: string, folder: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw new StoreClosedError(
      `${folder} is not accessible to you; run it as root (sudo gatehouse) or as the user gatehouse`,
      { cause },
    );
  }
}

/**
 * Throws LogMissingError for a database that was not closed and whose write-ahead log has been taken away: what was
 * committed last was there. SQLite would go on without a word. It makes the log before the -shm and removes it after.
 */
export function requireLog(folder: string): void {
  const path = databaseFile(folder);
  const isMissing = () => !existsSync(`${path}-wal`);
  // missing twice, for another process may open or close it at this moment
  if (!isMissing() || !existsSync(`${path}-shm`) || !isMissing()) return;
  throw new LogMissingError(
    `${path}-wal is missing, and with it what was stored last; bring it back, or restore a backup, or go on without it: rm ${path}-shm`,
  );
}

export interface OpenOptions {
  /** Creates the folder, the key and the database when they are missing; else a missing database is a StoreMissingError. */
  create?: boolean;
  /** Milliseconds that a statement waits for another connection's write lock. */
  busyTimeout?: number;
  /** UTC seconds, for the record of migrations. */
  now: number;
  migrations?: readonly Migration[];
}

/** Opens the store in a data folder for reading and writing, and migrates it. Every commit is durable (synchronous FULL). */
export function openStore(
  folder: string,
  { create = false, busyTimeout = 5000, now, migrations: list = migrations }: OpenOptions,
): Db {
  const path = databaseFile(folder);
  if (create) makeFolder(folder);
  else requireStore(folder);
  requireLog(folder);
  const vault =
    existsSync(keyFile(folder)) || existsSync(path) ? readKey(keyFile(folder)) : createKey(keyFile(folder));
  createPrivate(path);
  const client = connect(path, { readwrite: true }, busyTimeout);
  client.run("PRAGMA journal_mode = WAL");
  client.run("PRAGMA synchronous = FULL");
  migrateKept(client, folder, { list, now });
  requireOwnKey(client, vault, folder);
  return attach(client, vault);
}

/** Opens an existing, migrated store for reading only. Throws LogMissingError: closing it would take away what says so. */
export function openReader(folder: string): Db {
  requireLog(folder);
  return attach(connect(databaseFile(folder), { readonly: true }, 1000), readKey(keyFile(folder)));
}

export interface WriterOptions {
  /** Milliseconds that a statement waits for another connection's write lock. */
  busyTimeout: number;
  /**
   * "memory" for who writes few rows at a time and often: what a statement keeps until it is done, to be undone, goes to no file. By itself
   * SQLite begins a file with the first statement that changes more than 16 pages, and writes each page that is changed from then on to it first.
   */
  temporary?: "memory";
}

/** Opens an existing, migrated store for writing beside the connection of openStore, which checkpoints for both. */
export function openWriter(folder: string, { busyTimeout, temporary }: WriterOptions): Db {
  const client = connect(databaseFile(folder), { readwrite: true }, busyTimeout);
  client.run("PRAGMA synchronous = FULL");
  if (temporary === "memory") client.run("PRAGMA temp_store = MEMORY");
  const db = attach(client, readKey(keyFile(folder)));
  leaveCheckpoints(db);
  return db;
}

/** Pages of the write-ahead log, 32 MB, at which a commit moves them itself, because the checkpoints cannot keep up. */
const TOO_LONG = 8192;
/** Pages of a megabyte. */
const PAGES = 250;

/** Leaves moving pages from the write-ahead log into the database to `checkpoint`, so that no commit waits for it. */
export function leaveCheckpoints({ $client }: Db): void {
  $client.run(`PRAGMA wal_autocheckpoint = ${TOO_LONG}`);
}

/**
 * Moves pages from the write-ahead log into the database beside readers and a writer at work, when there are so many megabytes that it
 * is worth two syncs of the disk. A page that was written several times until then is written once.
 */
export function checkpoint({ $client }: Db, megabytes = 4): void {
  const seen = $client.query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)").get();
  if (seen && seen.log - seen.checkpointed >= megabytes * PAGES)
    $client.run("PRAGMA wal_checkpoint(PASSIVE)");
}

/** How long a statement of this connection waits for another connection's write lock, in milliseconds. */
export function setBusyTimeout({ $client }: Db, busyTimeout: number): void {
  $client.run(`PRAGMA busy_timeout = ${busyTimeout}`);
}

/**
 * Runs `body` in one transaction that holds the write lock from the start; inside another one it is a savepoint. The body
 * is synchronous by its type: an async one would commit at its first await.
 */
export function write<T>(db: Db, body: (tx: Tx) => T extends Promise<unknown> ? never : T): T {
  readings.get(db)?.refuse();
  const { $client } = db;
  const done = personWrites($client);
  try {
    return $client.transaction(() => body(db as Tx)).immediate() as T;
  } finally {
    done?.();
  }
}

/** Those of `forReading`: what a write is refused with, and the connection that they are of. */
const readings = new WeakMap<Db, { readonly refuse: () => never; readonly db: Db }>();

/** The same connection for somebody who only looks: `write`, and opening what is sealed, throws what `refuse` throws. */
export function forReading(db: Db, refuse: () => never): Db {
  const vault = Object.create(db.vault, {
    open: { value: refuse },
    deriveKey: { value: (purpose: string) => db.vault.deriveKey(purpose) },
  });
  const reading: Db = Object.create(db, { vault: { value: vault } });
  readings.set(reading, { refuse, db });
  return reading;
}

/** From now on `write` of this connection throws what `refuse` throws. */
export function refuseWrites(db: Db, refuse: () => never): void {
  readings.set(db, { refuse, db });
}

/** The connection itself, for a trial that is undone whatever comes of it. */
export function forTrial(db: Db): Db {
  return readings.get(db)?.db ?? db;
}

/**
 * As `write`, for what has taken its time anyway: while another connection holds the write lock longer than this one stands
 * still for, it tries again. Throws when that goes on for seconds.
 */
export async function writePatiently<T>(
  db: Db,
  body: (tx: Tx) => T extends Promise<unknown> ? never : T,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return write(db, body);
    } catch (error) {
      if (!isLocked(error) || tries === TRIES) throw error;
    }
    await Bun.sleep(PAUSE);
  }
}

/**
 * Migrates what is kept in a copy before. Where nothing was migrated the store is its own copy, and the one that was made goes:
 * a service that is started again every few seconds would fill the disk with them.
 */
function migrateKept(
  client: Database,
  folder: string,
  { list, now }: { list: readonly Migration[]; now: number },
): void {
  let kept: { tag: string; copy: string } | undefined;
  const snapshot = (tag: string) => void (kept = { tag, copy: keepBefore(client, folder, tag, now) });
  try {
    migrate(client, { list, now, snapshot });
  } catch (error) {
    if (kept && pendingMigrations(client, list)[0]?.tag === kept.tag) rmSync(kept.copy);
    throw error;
  }
}

/** A copy of the store as it was before a migration, and its path: whole and on the disk under its name, or not there at all. */
function keepBefore(client: Database, folder: string, tag: string, now: number): string {
  const start = `gatehouse.db.before-${tag}-`;
  for (const name of readdirSync(folder)) {
    const isBrokenOff = name.startsWith(start) && /\.unfinished(-journal)?$/.test(name);
    if (isBrokenOff) rmSync(join(folder, name), { force: true });
  }
  const copy = join(folder, `${start}${now}`);
  const unfinished = `${copy}.${process.pid}.unfinished`;
  createPrivate(unfinished);
  client.query("VACUUM INTO ?").run(unfinished);
  sync(unfinished);
  renameSync(unfinished, copy);
  sync(folder);
  return copy;
}

/**
 * Throws when the store's secrets were sealed with another key: nobody could log in, and new ones would be mixed in. One that
 * opens proves the key: bytes of another one may be damaged.
 */
function requireOwnKey(client: Database, vault: Vault, folder: string): void {
  const sealed = client
    .query<{ bytes: Uint8Array }, []>(
      `SELECT bytes FROM (SELECT secret_sealed AS bytes FROM nas LIMIT 1)
       UNION ALL SELECT * FROM (SELECT password_sealed FROM subscribers ORDER BY id LIMIT 1)
       UNION ALL SELECT * FROM (SELECT password_sealed FROM subscribers ORDER BY id DESC LIMIT 1)`,
    )
    .all();
  if (sealed.length === 0 || sealed.some(({ bytes }) => vault.openTextIfWhole(bytes) !== undefined)) return;
  client.close();
  throw new Error(
    `secret.key is not the key of the database in ${folder}; restore both from the same backup`,
  );
}

/** An empty file for its owner only, which SQLite takes for a new database; files that it makes beside it get the same mode. */
function createPrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

function connect(
  path: string,
  options: { readwrite?: boolean; readonly?: boolean },
  busyTimeout: number,
): Database {
  const client = new Database(path, { ...options, strict: true });
  client.run(`PRAGMA busy_timeout = ${busyTimeout}`);
  client.run("PRAGMA foreign_keys = ON");
  return client;
}

function attach(client: Database, vault: Vault): Db {
  return Object.assign(drizzle({ client }), { vault });
}
