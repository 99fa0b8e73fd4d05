import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { checkpoint, openReader, openStore, openWriter, StoreMissingError, write } from "../../db/open.ts";
import { migrations } from "../../db/migrations.ts";
import { isps } from "../../db/schema.ts";
import { createKey, readKey } from "../../db/vault.ts";
import { claimServing } from "../../db/serving.ts";
import { loadIsp } from "../support/isp.ts";
import { NOW, storeOnDisk } from "../support/store.ts";
import { diskFolder } from "../support/disk.ts";

test("a new store is its owner's alone, durable, and waits for other writers", () => {
  using store = storeOnDisk();
  const { db, folder } = store;
  for (const name of readdirSync(folder))
    expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
  const pragma = (name: string) => db.$client.query(`PRAGMA ${name}`).values()[0]?.[0];
  expect(["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map(pragma)).toEqual([
    "wal",
    2,
    1,
    5000,
  ]);
});

test("a missing store is not made by accident, and a lost key is said", () => {
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-"));
  expect(() => openStore(folder, { now: NOW })).toThrow(StoreMissingError);
  openStore(folder, { create: true, now: NOW }).$client.close();
  rmSync(join(folder, "secret.key"));
  expect(() => openStore(folder, { create: true, now: NOW })).toThrow(/restore it from a backup/);
  rmSync(folder, { recursive: true });
});

test("an empty file is no store, and another folder's key is refused", async () => {
  using store = storeOnDisk();
  using other = storeOnDisk();
  await loadIsp(store.db);
  copyFileSync(join(other.folder, "secret.key"), join(store.folder, "secret.key"));
  expect(() => openStore(store.folder, { now: NOW })).toThrow(/is not the key of the database/);
  store.db.$client.close();
  for (const end of ["", "-wal", "-shm"]) rmSync(join(store.folder, `gatehouse.db${end}`), { force: true });
  writeFileSync(join(store.folder, "gatehouse.db"), "");
  expect(() => openStore(store.folder, { now: NOW })).toThrow(/is empty; restore a backup/);
});

test("a write-ahead log that was taken away is said, and nothing is touched", () => {
  using store = storeOnDisk();
  const { folder } = store;
  store.db.insert(isps).values({ id: 1, name: "Northlink" }).run();
  using copy = storeOnDisk();
  copy.db.$client.close();
  // as a power cut leaves them
  for (const end of ["", "-wal", "-shm"])
    copyFileSync(join(folder, `gatehouse.db${end}`), join(copy.folder, `gatehouse.db${end}`));
  copyFileSync(join(folder, "secret.key"), join(copy.folder, "secret.key"));
  renameSync(join(copy.folder, "gatehouse.db-wal"), join(copy.folder, "kept"));
  const before = readdirSync(copy.folder).toSorted();
  for (const open of [() => openReader(copy.folder), () => openStore(copy.folder, { now: NOW })])
    expect(open).toThrow(/-wal is missing, and with it what was stored last/);
  expect(readdirSync(copy.folder).toSorted()).toEqual(before);
  renameSync(join(copy.folder, "kept"), join(copy.folder, "gatehouse.db-wal"));
  const found = openStore(copy.folder, { now: NOW });
  expect(found.select().from(isps).all()).toEqual([{ id: 1, name: "Northlink" }]);
  found.$client.close();
});

test("one server at a time claims a data folder", () => {
  using store = storeOnDisk();
  const claim = claimServing(store.folder);
  expect(() => claimServing(store.folder)).toThrow(/another gatehouse serves/);
  claim[Symbol.dispose]();
  claimServing(store.folder)[Symbol.dispose]();
});

test("a lock that the disk does not allow is not taken for another server", () => {
  using store = storeOnDisk();
  writeFileSync(join(store.folder, "serving.lock"), "something else ".repeat(100));
  expect(() => claimServing(store.folder)).toThrow(/serving.lock cannot be locked .* see to its disk/);
});

test("a store of a newer program is refused, untouched", () => {
  using store = storeOnDisk();
  store.db.$client.run("INSERT INTO _migrations VALUES ('9999_future', 'x', 1)");
  expect(() => openStore(store.folder, { now: NOW })).toThrow(/newer gatehouse/);
});

test("before the first new migration of an old store there is a copy of it", () => {
  using store = storeOnDisk();
  store.db.insert(isps).values({ id: 1, name: "Northlink" }).run();
  const next = { tag: "0001_rename", sql: "ALTER TABLE isps RENAME COLUMN name TO title" };
  openStore(store.folder, { now: NOW, migrations: [...migrations, next] }).$client.close();
  const copy = readdirSync(store.folder).find((name) => name.includes("before-0001_rename")) ?? "";
  expect(statSync(join(store.folder, copy)).mode & 0o077).toBe(0);
  const old = new Database(join(store.folder, copy), { readonly: true });
  expect(old.query("SELECT name FROM isps").values()).toEqual([["Northlink"]]);
  old.close();
});

test("what is left of a copy that was broken off is no copy, and is removed by the next one", () => {
  using store = storeOnDisk();
  const { folder } = store;
  const leavings = [
    "gatehouse.db.before-0001_next-1.7.unfinished",
    "gatehouse.db.before-0001_next-1.7.unfinished-journal",
  ];
  for (const name of leavings) writeFileSync(join(folder, name), "half a database");
  const next = { tag: "0001_next", sql: "CREATE TABLE next (id INTEGER PRIMARY KEY) STRICT" };
  openStore(folder, { now: NOW, migrations: [...migrations, next] }).$client.close();
  expect(readdirSync(folder).filter((name) => name.includes("before-"))).toEqual([
    `gatehouse.db.before-0001_next-${NOW}`,
  ]);
});

test("a migration that fails leaves the store as it was, and no copy of it at each start", () => {
  using store = storeOnDisk();
  const { folder } = store;
  const next = { tag: "0001_next", sql: "CREATE TABLE next (id INTEGER PRIMARY KEY) STRICT" };
  const broken = { tag: "0002_broken", sql: "CREATE TABLE isps (id INTEGER)" };
  const copies = () => readdirSync(folder).filter((name) => name.includes("before-"));
  const open = (now: number, list: typeof migrations) => () =>
    openStore(folder, { now, migrations: [...migrations, ...list] });
  expect(open(NOW, [broken])).toThrow(/already exists/);
  expect(copies()).toEqual([]);
  expect(open(NOW, [next, broken])).toThrow(/already exists/);
  expect(open(NOW + 2, [next, broken])).toThrow(/already exists/);
  expect(copies()).toEqual([`gatehouse.db.before-0001_next-${NOW}`]);
});

test("write rolls back as a whole, and an inner one as a savepoint", () => {
  using store = storeOnDisk();
  const { db } = store;
  const add = (id: number) =>
    db
      .insert(isps)
      .values({ id, name: `ISP ${id}` })
      .run();
  const ids = () =>
    db
      .select({ id: isps.id })
      .from(isps)
      .all()
      .map(({ id }) => id);
  expect(() =>
    write(db, () => {
      add(1);
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(ids()).toEqual([]);
  write(db, () => {
    add(1);
    expect(() =>
      write(db, () => {
        add(2);
        throw new Error("no");
      }),
    ).toThrow("no");
    add(3);
  });
  expect(ids()).toEqual([1, 3]);
});

test("a reader cannot write, a writer without patience gives up at once", () => {
  using store = storeOnDisk();
  const reader = openReader(store.folder);
  expect(() => reader.insert(isps).values({ id: 1, name: "x" }).run()).toThrow(/readonly/);
  const writer = openWriter(store.folder, { busyTimeout: 0 });
  write(store.db, () => {
    expect(() => write(writer, (tx) => tx.insert(isps).values({ id: 1, name: "x" }).run())).toThrow(/locked/);
  });
  reader.$client.close();
  writer.$client.close();
});

test("commits of a writer leave checkpoints to the store, which makes them beside readers", () => {
  using store = storeOnDisk();
  const writer = openWriter(store.folder, { busyTimeout: 0 });
  const reader = openReader(store.folder);
  const state = () => store.db.$client.query("PRAGMA wal_checkpoint(NOOP)").get();
  for (let id = 1; id <= 600; id++)
    write(writer, (tx) =>
      tx
        .insert(isps)
        .values({ id, name: "x".repeat(5000) })
        .run(),
    );
  expect(state()).toMatchObject({ log: expect.any(Number), checkpointed: 0 });
  reader.$client.run("BEGIN");
  expect(reader.select().from(isps).all()).toHaveLength(600);
  checkpoint(store.db, 24); // flash is spared
  expect(state()).toMatchObject({ checkpointed: 0 });
  checkpoint(store.db);
  const { log, checkpointed } = state() as { log: number; checkpointed: number };
  expect(log).toBeGreaterThan(1000);
  expect(checkpointed).toBe(log);
  write(writer, (tx) => tx.insert(isps).values({ id: 601, name: "x" }).run());
  checkpoint(store.db); // too little to be worth it
  expect(state()).toMatchObject({ checkpointed });
  reader.$client.close();
  writer.$client.close();
});

test("sealed values open with the store's key only, and not when changed", () => {
  using store = storeOnDisk();
  using other = storeOnDisk();
  const { vault } = store.db;
  const sealed = vault.seal("pässword");
  expect(sealed.includes("pässword")).toBe(false);
  expect(vault.seal("pässword").equals(sealed)).toBe(false);
  expect(readKey(join(store.folder, "secret.key")).openText(sealed)).toBe("pässword");
  expect(() => other.db.vault.open(sealed)).toThrow();
  for (let at = 0; at < sealed.length; at++) {
    const forged = Buffer.from(sealed);
    forged[at] = (forged[at] ?? 0) ^ 1;
    expect(() => vault.open(forged)).toThrow();
  }
});

test("a key that was cut off while it was made is none; one that is there is never written over", () => {
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-"));
  writeFileSync(join(folder, "secret.key.7.unfinished"), "");
  openStore(folder, { create: true, now: NOW }).$client.close();
  expect(readFileSync(join(folder, "secret.key"), "utf8")).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
  expect(statSync(join(folder, "secret.key")).mode & 0o777).toBe(0o600);
  expect(() => createKey(join(folder, "secret.key"))).toThrow(/EEXIST/);
  rmSync(folder, { recursive: true });
});

test("a connection keeps the statements that it used last, and no more", () => {
  using store = storeOnDisk();
  const { $client } = store.db;
  const text = (number: number) => `SELECT ${number} AS number`;
  const first = Array.from({ length: 100 }, (_, number) => $client.query(text(number)));
  expect(first.filter((statement, number) => statement !== $client.query(text(number)))).toEqual([]);
  for (let number = 100; number < 2000; number++) $client.query(text(number)).get();
  expect($client.query(text(0))).not.toBe(first[0]);
  expect(first[0]?.get()).toEqual({ number: 0 }); // whoever holds one that is not kept any more may go on with it
});
