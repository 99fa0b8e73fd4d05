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

/** A connection with its keys; `$client` is bun:sqlite's. */
export type Db = BunSQLiteDatabase & { readonly $client: Database; readonly vault: Vault };

declare const writing: unique symbol;
/** A Db within `write`. */
export type Tx = Db & { readonly [writing]: true };

/* bun:sqlite caches 20 compiled statements of a connection by default: fewer than are in use, so that every call would compile. */
Database.MAX_QUERY_CACHE_SIZE = 1400;

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

/** Throws StoreMissingError without a database, StoreClosedError where that cannot be seen. */
export function requireStore(folder: string): void {
  const path = databaseFile(folder);
  const file = readStat(path, folder);
  if (!file) throw new StoreMissingError(`there is no database in ${folder}; run: gatehouse init`);
  if (file.size === 0)
    throw new StoreMissingError(`${path} is empty; restore a backup, or remove it and run: gatehouse init`);
}

/** The stat of a file; undefined: there is none. */
function readStat(path: string, folder: string): Stats | undefined {
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
 * Throws LogMissingError where the write-ahead log of an unclosed database was removed: the last commits were in it, and SQLite
 * would not notice. SQLite creates the log before the -shm file and removes it after.
 */
export function requireLog(folder: string): void {
  const path = databaseFile(folder);
  const isMissing = () => !existsSync(`${path}-wal`);
  // checked twice, because another process may be opening or closing it
  if (!isMissing() || !existsSync(`${path}-shm`) || !isMissing()) return;
  throw new LogMissingError(
    `${path}-wal is missing, and with it what was stored last; bring it back, or restore a backup, or go on without it: rm ${path}-shm`,
  );
}

export interface OpenOptions {
  /** Creates missing folder, key and database; otherwise throws StoreMissingError. */
  create?: boolean;
  /** Milliseconds to wait for a write lock. */
  busyTimeout?: number;
  now: number;
  migrations?: readonly Migration[];
}

/** Opens and migrates a store. Every commit is durable (synchronous FULL). */
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

/** The reader of a migrated store. Throws LogMissingError, because closing it would remove the evidence. */
export function openReader(folder: string): Db {
  requireLog(folder);
  return attach(connect(databaseFile(folder), { readonly: true }, 1000), readKey(keyFile(folder)));
}

export interface WriterOptions {
  /** Milliseconds to wait for a write lock. */
  busyTimeout: number;
  /**
   * "memory" for frequent small writes: statement journals stay in memory. By default a statement that changes more than 16
   * pages starts a file, and copies each page there first.
   */
  temporary?: "memory";
}

/** Writes beside the connection of openStore, which checkpoints for both. */
export function openWriter(folder: string, { busyTimeout, temporary }: WriterOptions): Db {
  const client = connect(databaseFile(folder), { readwrite: true }, busyTimeout);
  client.run("PRAGMA synchronous = FULL");
  if (temporary === "memory") client.run("PRAGMA temp_store = MEMORY");
  const db = attach(client, readKey(keyFile(folder)));
  leaveCheckpoints(db);
  return db;
}

/** Pages of the log, 32 MB, at which a commit checkpoints itself, because the checkpoints cannot keep up. */
const TOO_LONG = 8192;
/** Pages in a megabyte. */
const PAGES = 250;

/** Turns automatic checkpoints off, so that no commit waits for one. */
export function leaveCheckpoints({ $client }: Db): void {
  $client.run(`PRAGMA wal_autocheckpoint = ${TOO_LONG}`);
}

/** Checkpoints beside readers and a writer, once the log is large enough for two syncs; a page written repeatedly is copied once. */
export function checkpoint({ $client }: Db, megabytes = 4): void {
  const seen = $client.query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)").get();
  if (seen && seen.log - seen.checkpointed >= megabytes * PAGES)
    $client.run("PRAGMA wal_checkpoint(PASSIVE)");
}

/** Milliseconds to wait for a write lock. */
export function setBusyTimeout({ $client }: Db, busyTimeout: number): void {
  $client.run(`PRAGMA busy_timeout = ${busyTimeout}`);
}

/** Runs `body` in an IMMEDIATE transaction, or within one in a savepoint. Synchronous by its type: an async body would commit at its first await. */
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

/** Connections of `forReading`. */
const readings = new WeakMap<Db, { readonly refuse: () => never; readonly db: Db }>();

/** The connection for a viewer: `write` and unsealing throw by `refuse`. */
export function forReading(db: Db, refuse: () => never): Db {
  const vault = Object.create(db.vault, {
    open: { value: refuse },
    deriveKey: { value: (purpose: string) => db.vault.deriveKey(purpose) },
  });
  const reading: Db = Object.create(db, { vault: { value: vault } });
  readings.set(reading, { refuse, db });
  return reading;
}

/** Has `write` throw by `refuse` from now on. */
export function refuseWrites(db: Db, refuse: () => never): void {
  readings.set(db, { refuse, db });
}

/** The underlying connection, for a trial that is rolled back. */
export function forTrial(db: Db): Db {
  return readings.get(db)?.db ?? db;
}

/** `write` for slow work: retries for seconds while another connection holds the lock. */
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

/** Migrates after keeping a copy. Without migrations the copy is removed: a service that restarts every few seconds would fill the disk. */
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

/** A synced copy from before a migration, complete or absent. Returns its path. */
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

/** Throws for another key: nobody could log in, and new secrets would be mixed in. One that decrypts is proof; others may be damaged. */
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

/** An empty file of mode 0600, whose mode SQLite's other files inherit. */
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
