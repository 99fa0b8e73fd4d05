import { afterAll } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openStore } from "../../db/open.ts";
import { createKey } from "../../db/vault.ts";
import { diskFolder } from "./disk.ts";

export const NOW = Date.UTC(2030, 0, 15, 12) / 1000;

export type TemporaryStore = { db: Db; folder: string } & Disposable;

/** A migrated store in a folder of its own, empty or copied from `template`; removed at the end of `using`. */
export function temporaryStore(template?: string, below = tmpdir()): TemporaryStore {
  const folder = mkdtempSync(join(below, "gatehouse-"));
  if (template === undefined) makeStore(folder);
  else cpSync(template, folder, { recursive: true });
  const db = openStore(folder, { create: true, now: NOW });
  return {
    db,
    folder,
    [Symbol.dispose]() {
      db.$client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An empty store on a disk, never in memory. */
export const storeOnDisk = (): TemporaryStore => temporaryStore(undefined, diskFolder());

/** Copies a migrated, empty store with a key of its own, in a twentieth of the time of migrating. */
export function makeStore(folder: string): void {
  cpSync(migrated(), folder, { recursive: true });
  createKey(join(folder, "secret.key"));
}

let emptyStore: string | undefined;

/** The folder of a migrated database without a key. */
function migrated(): string {
  if (emptyStore !== undefined) return emptyStore;
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-"));
  openStore(folder, { create: true, now: NOW }).$client.close();
  rmSync(join(folder, "secret.key"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return (emptyStore = folder);
}

/** A store that `fill` fills once; each test gets a copy. */
export function templateStore(fill: (db: Db) => void | Promise<void>): () => Promise<TemporaryStore> {
  let template: Promise<string> | undefined;
  const make = async () => {
    const { db, folder } = temporaryStore();
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    await fill(db);
    db.$client.close(); // which leaves no write-ahead log behind
    return folder;
  };
  return async () => temporaryStore(await (template ??= make()));
}

/**
 * As `copy`, for tests that need no commit: in a file one store for equal arguments, whose writes are rolled back at the end of `using`. What
 * its connection has compiled stays, which takes longer than most tests. Asked for twice at a time there are two. Not for what the product
 * remembers by a connection: sums of past days, wrong codes of cards.
 */
export function undoneStores<Data extends unknown[]>(
  copy: (...data: Data) => Promise<TemporaryStore>,
): (...data: Data) => Promise<TemporaryStore> {
  const free = freeStores();
  return async (...data) => {
    const alike = free(JSON.stringify(data));
    return begun(alike.pop() ?? (await copy(...data)), alike);
  };
}

/** Empty ones of `undoneStores`, with what `fill` puts into them. */
export function undoneEmptyStores(fill: (db: Db) => void = () => {}): () => TemporaryStore {
  const free = freeStores();
  const filled = (): TemporaryStore => {
    const store = temporaryStore();
    fill(store.db);
    return store;
  };
  return () => begun(free("").pop() ?? filled(), free(""));
}

/** The stores of a file that no test has at the time, by what they are copies of. */
function freeStores(): (key: string) => TemporaryStore[] {
  const free = new Map<string, TemporaryStore[]>();
  afterAll(() => {
    for (const store of [...free.values()].flat()) store[Symbol.dispose]();
    free.clear();
  });
  return (key) => {
    const alike = free.get(key) ?? [];
    free.set(key, alike);
    return alike;
  };
}

function begun(store: TemporaryStore, alike: TemporaryStore[]): TemporaryStore {
  const { $client } = store.db;
  $client.run("BEGIN IMMEDIATE");
  return {
    ...store,
    [Symbol.dispose]() {
      $client.run("ROLLBACK");
      alike.push(store);
    },
  };
}

/** As `templateStore`, of `undoneStores`. */
export const undoneTemplate = (fill: (db: Db) => void | Promise<void>): (() => Promise<TemporaryStore>) =>
  undoneStores(templateStore(fill));

/** The result of `work`, whose writes are rolled back: many calls can be tried on one store. */
export async function undone<T>({ $client }: Db, work: () => T): Promise<Awaited<T>> {
  $client.run("SAVEPOINT undone");
  try {
    return await work();
  } finally {
    $client.run("ROLLBACK TO undone; RELEASE undone");
  }
}
