import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { migrate, MigrationError } from "../../db/migrate.ts";
import { migrations } from "../../db/migrations.ts";
import * as schema from "../../db/schema.ts";

const folder = join(import.meta.dir, "../../db/migrations");
const first = {
  tag: "0000_a",
  sql: "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT;\n--> statement-breakpoint\nINSERT INTO a VALUES (1);",
};
const second = { tag: "0001_b", sql: "CREATE TABLE b (a_id INTEGER NOT NULL REFERENCES a(id)) STRICT" };

function database(): Database {
  const client = new Database(":memory:", { strict: true });
  client.run("PRAGMA foreign_keys = ON");
  return client;
}

test("every migration file is in the executable's list, in order", () => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  expect(migrations.map(({ tag }) => `${tag}.sql`)).toEqual(files);
  for (const { tag, sql } of migrations) expect(sql).toBe(readFileSync(join(folder, `${tag}.sql`), "utf8"));
});

test("the migrations make exactly the tables, columns and indexes of the schema, all of them STRICT", () => {
  const client = database();
  migrate(client, { now: 1 });
  const tables = Object.values(schema)
    .filter((value) => value instanceof SQLiteTable)
    .map(getTableConfig);
  const made = client
    .query<{ name: string; strict: number }, []>(
      "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '_migrations'",
    )
    .all();
  expect(made.map(({ name }) => name).toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  expect(made.filter(({ strict }) => strict !== 1)).toEqual([]);
  for (const { name, columns, indexes } of tables) {
    const info = client
      .query<{ name: string; notnull: number }, [string]>('SELECT name, "notnull" FROM pragma_table_info(?)')
      .all(name);
    expect([name, info.map((column) => column.name)]).toEqual([name, columns.map((column) => column.name)]);
    const present = client
      .query<{ name: string }, [string]>("SELECT name FROM pragma_index_list(?) WHERE origin = 'c'")
      .all(name);
    expect(present.map((index) => index.name).toSorted()).toEqual(
      indexes.map(({ config }) => config.name).toSorted(),
    );
  }
});

test("a second run changes nothing, a new migration is applied after a snapshot", () => {
  const client = database();
  const snapshots: string[] = [];
  const run = (list: typeof migrations) =>
    migrate(client, { list, now: 1, snapshot: (tag) => snapshots.push(tag) });
  run([first]);
  run([first]);
  expect(snapshots).toEqual([]);
  run([first, second]);
  expect(snapshots).toEqual(["0001_b"]);
  expect(client.query("SELECT tag FROM _migrations ORDER BY tag").values()).toEqual([["0000_a"], ["0001_b"]]);
  expect(client.query("SELECT id FROM a").values()).toEqual([[1]]);
});

test("a database of a newer program, or with another history, is refused", () => {
  const client = database();
  migrate(client, { list: [first, second], now: 1 });
  expect(() => migrate(client, { list: [first], now: 1 })).toThrow(/newer gatehouse \(it has 0001_b\)/);
  expect(() => migrate(client, { list: [{ ...first, sql: "SELECT 1" }, second], now: 1 })).toThrow(
    /0000_a differs/,
  );
});

test("a migration that fails, or leaves a dangling reference, leaves nothing behind", () => {
  const client = database();
  migrate(client, { list: [first], now: 1 });
  const broken = { tag: "0001_x", sql: "CREATE TABLE c (id INTEGER); CREATE TABLE a (id INTEGER)" };
  expect(() => migrate(client, { list: [first, broken], now: 1 })).toThrow(/already exists/);
  const dangling = {
    tag: "0001_y",
    sql: "CREATE TABLE d (a_id INTEGER REFERENCES a(id)); INSERT INTO d VALUES (99)",
  };
  expect(() => migrate(client, { list: [first, dangling], now: 1 })).toThrow(MigrationError);
  expect(client.query("SELECT name FROM sqlite_master WHERE name IN ('c', 'd')").all()).toEqual([]);
  expect(client.query("SELECT tag FROM _migrations").values()).toEqual([["0000_a"]]);
  expect(client.query("PRAGMA foreign_keys").values()).toEqual([[1]]);
});

test("a table that is rebuilt keeps the rows that refer to it", () => {
  const client = database();
  const child = {
    tag: "0001_b",
    sql: "CREATE TABLE b (a_id INTEGER NOT NULL REFERENCES a(id) ON DELETE CASCADE); INSERT INTO b VALUES (1)",
  };
  migrate(client, { list: [first, child], now: 1 });
  const rebuild = {
    tag: "0002_c",
    sql: "CREATE TABLE n (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO n(id) SELECT id FROM a; DROP TABLE a; ALTER TABLE n RENAME TO a",
  };
  migrate(client, { list: [first, child, rebuild], now: 1 });
  expect(client.query("SELECT a_id FROM b").values()).toEqual([[1]]);
});
