import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
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

test("the newest snapshot, the only one, is of the schema, so that the next migration has what is new and no more", async () => {
  const snapshots = readdirSync(join(folder, "meta")).filter((name) => name.endsWith("_snapshot.json"));
  expect(snapshots).toHaveLength(1);
  const newest = await Bun.file(join(folder, "meta", snapshots[0] ?? "")).json();
  expect(await generateSQLiteMigration(newest, await generateSQLiteDrizzleJson(schema))).toEqual([]);
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

test("the store of an access box, which knows a part of what it refers to, is migrated", () => {
  const client = database();
  client.run("PRAGMA foreign_keys = OFF");
  const before = migrations.slice(0, migrations.findIndex(({ tag }) => tag === "0018_radsec") + 1);
  migrate(client, { list: before, now: 1 });
  client.run("PRAGMA foreign_keys = OFF");
  client.run("UPDATE access_state SET role = 'access'");
  client.run("INSERT INTO usage_months VALUES (1, 7, 1, 1)");
  expect(client.query("PRAGMA foreign_key_check").all()).not.toEqual([]);
  migrate(client, { now: 1 });
  expect(client.query("SELECT count(*) FROM _migrations").values()).toEqual([[migrations.length]]);
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

test("a store of version 0.1.0 keeps its sessions and routers; what had three spellings has one", () => {
  const client = database();
  migrate(client, { list: migrations.slice(0, 2), now: 1 });
  client.run("INSERT INTO isps (id, name) VALUES (1, 'Northlink')");
  client.run(
    "INSERT INTO nas (id, isp_id, name, address, secret_sealed, created_at) VALUES (1, 1, 'core', '10.0.0.1', x'00', 1)",
  );
  for (const cause of ["Lost", "lost", "Lost-Stop", "Lost-Carrier", null])
    client.run(
      `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, started_at, updated_at, terminate_cause)
       VALUES (1, '10.0.0.1', 'a', 'sam', 1, 2, ?)`,
      [cause],
    );
  migrate(client, { now: 2 });
  expect(client.query("SELECT terminate_cause FROM sessions ORDER BY id").values().flat()).toEqual([
    "lost",
    "lost",
    "lost",
    "Lost-Carrier",
    null,
  ]);
  expect(client.query("SELECT name, coa_event_timestamp FROM nas").values()).toEqual([["core", 0]]);
});

test("the last id of sessions is the first that SQLite finds, in a new store and in one that has booked", () => {
  const found = "SELECT name, seq FROM sqlite_sequence LIMIT 1";
  const fresh = database();
  migrate(fresh, { now: 1 });
  expect(fresh.query(found).values()).toEqual([["sessions", 0]]);
  const older = database();
  migrate(older, { list: migrations.slice(0, 41), now: 1 });
  older.run("INSERT INTO isps (id, name) VALUES (1, 'Northlink')");
  older.run(
    "INSERT INTO sessions (id, nas_address, acct_session_id, username, started_at, updated_at) VALUES (7, '10.0.0.1', 'a', 'sam', 1, 2)",
  );
  migrate(older, { now: 2 });
  expect(older.query(found).values()).toEqual([["sessions", 7]]);
});

test("a latched router stays latched; in a latched network, whoever it answered of late", () => {
  const client = database();
  migrate(client, { list: migrations.slice(0, 2), now: 1 });
  client.run("INSERT INTO isps (id, name) VALUES (1, 'Northlink')");
  const router = client.query(
    "INSERT INTO nas (id, isp_id, name, address, secret_sealed, authenticator_seen, created_at) VALUES (?, 1, ?, ?, x'00', ?, 1)",
  );
  router.run(1, "core", "10.0.0.1", 1);
  router.run(2, "edge", "10.0.0.2", 0);
  router.run(3, "field", "10.1.0.0/16", 1);
  router.run(4, "hill", "10.2.0.0/16", 0);
  const decision = client.query(
    "INSERT INTO auth_log (at, nas_id, nas_address, username, accepted, reason) VALUES (?, ?, ?, 'sam', 1, 'accepted')",
  );
  const day = 86_400;
  decision.run(9 * day, 3, "10.1.0.1"); // shut out since the network was latched
  decision.run(9 * day, 3, "10.1.0.2");
  decision.run(20 * day - 100, 3, "10.1.0.2");
  decision.run(20 * day, 3, "10.1.0.3");
  decision.run(20 * day, 4, "10.2.0.1");
  migrate(client, { now: 1 });
  expect(
    client
      .query(
        "SELECT nas_id, address, authenticator_seen_at > 0, dropped_since FROM nas_sources ORDER BY nas_id, address",
      )
      .values(),
  ).toEqual([
    [1, "10.0.0.1", 1, null],
    [3, "10.1.0.2", 1, null],
    [3, "10.1.0.3", 1, null],
  ]);
  expect(client.query("SELECT name, mppe FROM nas ORDER BY id LIMIT 1").values()).toEqual([["core", "keys"]]);
});

test("latches are forgotten with their router, its mode or its address, and readers hear of it", () => {
  const client = database();
  migrate(client, { now: 1 });
  client.run("INSERT INTO isps (id, name) VALUES (1, 'Northlink')");
  client.run(
    "INSERT INTO nas (id, isp_id, name, address, secret_sealed, created_at) VALUES (1, 1, 'field', '10.0.0.0/8', x'00', 1)",
  );
  const generation = () =>
    client.query("SELECT value FROM generations WHERE name = 'configuration'").values();
  const latches = () => client.query("SELECT address FROM nas_sources ORDER BY address").values().flat();
  const latch = (...addresses: string[]) => {
    for (const address of addresses)
      client.run("INSERT INTO nas_sources VALUES (1, ?, 5, NULL, NULL)", [address]);
  };
  latch("10.0.0.1", "10.0.0.2");
  const before = generation();
  latch("10.0.0.3");
  client.run("UPDATE nas_sources SET dropped_since = 7, dropped_last = 7");
  expect(generation()).toEqual(before);
  client.run("DELETE FROM nas_sources WHERE address = '10.0.0.3'");
  expect(generation()).not.toEqual(before);

  client.run("UPDATE nas SET address = '10.0.0.0/16', require_message_authenticator = 'auto'");
  expect(latches()).toEqual(["10.0.0.1", "10.0.0.2"]);
  client.run("UPDATE nas SET address = '10.0.0.2'");
  expect(latches()).toEqual(["10.0.0.2"]);
  client.run("UPDATE nas SET require_message_authenticator = 'no'");
  expect(latches()).toEqual([]);
  latch("10.0.0.2");
  client.run("DELETE FROM nas");
  expect(latches()).toEqual([]);
});

test("a store of before keeps its subscribers when what they may share becomes a setting", () => {
  const client = database();
  const at = migrations.findIndex(({ tag }) => tag.endsWith("shared_contacts"));
  migrate(client, { list: migrations.slice(0, at), now: 1 });
  const add = (id: number) =>
    client.run(
      `INSERT INTO subscribers (id, isp_id, name, username, username_key, password_sealed, package_id, connection_type_id, nic_number, mobile_number, email, email_key, created_at, updated_at)
       VALUES (${id}, 1, 'A', 'u${id}', 'u${id}', x'00', 1, 1, 'N', 'M', 'E@x', 'e@x', 1, 1)`,
    );
  client.run("INSERT INTO isps VALUES (1, 'North')");
  client.run(
    "INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at) VALUES (1, 1, 'P', 1, 'prepaid', 1, 'day', 1)",
  );
  add(1);
  expect(() => add(2)).toThrow("UNIQUE");
  const before = client.query("SELECT * FROM subscribers").all();
  migrate(client, { list: migrations.slice(0, at + 1), now: 2 });
  expect(client.query("SELECT * FROM subscribers").all()).toEqual(before);
  add(2);
  expect(client.query("SELECT count(*) AS n FROM login_stamps").get()).toEqual({ n: 2 });
});

test("sessions of a store of before stay as they are, and nothing is known of what they were granted", () => {
  const client = database();
  const at = migrations.findIndex(({ tag }) => tag.endsWith("session_grants"));
  migrate(client, { list: migrations.slice(0, at), now: 1 });
  client.run(
    "INSERT INTO sessions (nas_address, acct_session_id, username, class, started_at, updated_at) VALUES ('10.0.0.1', 'a', 'sam', x'00ff', 1, 2)",
  );
  const before = client.query<object, []>("SELECT * FROM sessions").get();
  migrate(client, { list: migrations.slice(0, at + 1), now: 2 });
  expect(client.query<object, []>("SELECT * FROM sessions").get()).toEqual({
    ...before,
    accepted_as: null,
    granted_terms: null,
    granted_rate: null,
  });
});
