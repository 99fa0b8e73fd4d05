import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { bookTables } from "../../db/book-tables.ts";
import { columnKinds } from "../../db/columns.ts";
import { migrate } from "../../db/migrate.ts";
import { type Migration, migrations } from "../../db/migrations.ts";
import { openReadOnly } from "../../db/read-only.ts";
import * as schema from "../../db/schema.ts";
import { type ReplicatedTable, replicatedTables } from "../../db/replicated.ts";
import { marks } from "../../db/triggers/marked.ts";
import { readTriggers, renewTriggers, storeTriggers } from "../../db/triggers.ts";
import { write } from "../../db/open.ts";
import { beginMarking, endMarking } from "../../src/domain/machine/access-boxes/publishing.ts";
import { storeOfNow } from "../support/older-store.ts";
import { temporaryStore } from "../support/store.ts";

const upTo = (tag: string) => migrations.slice(0, migrations.findIndex((one) => one.tag === tag) + 1);
const releases: [version: string, list: readonly Migration[]][] = [
  ["0.1.0", upTo("0001_login_stamps")],
  ["0.2.0", upTo("0018_radsec")],
];
/** What has been changed of the triggers of 0.2.0 since, each with why. */
const changedSince: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["", "_updated", "_deleted"].map((what) => [
      `staff_recovery_codes_booked${what}`,
      "its key has bytes, which JSON holds as hex",
    ]),
  ),
  ...Object.fromEntries(
    ["", "_updated"].map((what) => [`sessions_marked${what}`, "sessions are published so many at a time"]),
  ),
  services_login_used: "what is used of a service without a volume makes no other login of it",
  access_boxes_booked_updated: "a box has what the books refused of it, and when it got keys of its own",
};

function made(list: readonly Migration[]): Database {
  const client = new Database(":memory:", { strict: true });
  migrate(client, { list, now: 1 });
  return client;
}

interface Part {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

const partsOf = (client: Database) =>
  client
    .query<Part, []>("SELECT type, name, tbl_name AS 'table', sql FROM sqlite_master ORDER BY rowid")
    .all();
const isTrigger = ({ type }: Part) => type === "trigger";
const textsOf = (client: Database) =>
  partsOf(client)
    .filter(isTrigger)
    .map(({ sql }) => sql ?? "");
const nameOf = (sql: string) => sql.split("`")[1] ?? "";
/** Of a store without access boxes, and of one that has some. */
const alone = storeTriggers({ marking: false });
const all = storeTriggers({ marking: true });
const schemaVersion = (client: Database) => client.query("PRAGMA schema_version").values();

test("the triggers of the lists are those that the migrations of 0.2.0 made, in their order", () => {
  const client = made(upTo("0018_radsec"));
  const released = textsOf(client).filter((sql) => !(nameOf(sql) in changedSince));
  const names = new Set(released.map(nameOf));
  expect(names.size).toBeGreaterThan(200);
  const present = all.filter((sql) => names.has(nameOf(sql)));
  expect(present.map((sql) => withoutNew(sql, client))).toEqual(released);
});

/** A trigger without the columns that an UPDATE of it follows and an earlier store does not have. */
function withoutNew(sql: string, earlier: Database): string {
  return sql.replace(/ UPDATE OF (.+?) ON `(\w+)`/, (_, columns: string, table: string) => {
    const rows = earlier
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table);
    const known = new Set(rows.map(({ name }) => `\`${name}\``));
    const kept = columns.split(", ").filter((column) => known.has(column));
    return ` UPDATE OF ${kept.join(", ")} ON \`${table}\``;
  });
}

test("no trigger is there twice", () => {
  const names = all.map(nameOf);
  expect(new Set(names).size).toBe(names.length);
});

test.each(releases)("a store of %s comes to the tables, indexes and triggers of a new one", (_, list) => {
  const client = made(list);
  migrate(client, { now: 2 });
  const byName = (a: Part, b: Part) => (a.name < b.name ? -1 : 1);
  const fresh = storeOfNow();
  expect(partsOf(client).toSorted(byName)).toEqual(partsOf(fresh).toSorted(byName));
  expect(textsOf(client)).toEqual(textsOf(fresh));
});

test("a store that has them is not written to", () => {
  const client = storeOfNow();
  expect(textsOf(client)).toEqual(alone);
  const before = [schemaVersion(client), client.query("SELECT total_changes()").values()];
  migrate(client, { now: 2 });
  expect([schemaVersion(client), client.query("SELECT total_changes()").values()]).toEqual(before);
});

describe("whatever left other triggers there, the next opening makes them anew, in their order:", () => {
  const ways: [name: string, change: (client: Database) => void][] = [
    ["a hand that took one away", (client) => client.run("DROP TRIGGER ledger_entries_no_update")],
    [
      "a program of before or after, to which they are others",
      (client) =>
        renewTriggers(
          client,
          alone.filter((_, at) => at % 7 > 0),
        ),
    ],
    [
      "one that no program knows any more",
      (client) => client.run("CREATE TRIGGER old AFTER INSERT ON isps BEGIN SELECT 1; END"),
    ],
    ["none at all", (client) => renewTriggers(client, [])],
    [
      "a migration that rebuilt a table and was the last thing to happen",
      (client) => {
        const sql = "DROP TRIGGER services_login_updated; ALTER TABLE services ADD COLUMN new INTEGER";
        migrate(client, { list: [...migrations, { tag: "9999_new", sql }], now: 2 });
        client.run("DELETE FROM _migrations WHERE tag = '9999_new'");
      },
    ],
  ];
  test.each(ways)("%s", (_, change) => {
    const client = storeOfNow();
    change(client);
    expect(textsOf(client)).not.toEqual(alone);
    migrate(client, { now: 3 });
    expect(textsOf(client)).toEqual(alone);
  });

  test("and where it cannot, all stay as they were", () => {
    const client = storeOfNow();
    const bad = alone.with(5, "CREATE TRIGGER bad AFTER INSERT ON nothing BEGIN SELECT 1; END");
    expect(() => renewTriggers(client, bad)).toThrow("nothing");
    expect(textsOf(client)).toEqual(alone);
  });

  test("who only reads leaves them", () => {
    using store = temporaryStore();
    store.db.$client.run("DROP TRIGGER cards_counted");
    store.db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
    const { $client } = openReadOnly(store.folder);
    expect(textsOf($client)).not.toContain("cards_counted");
    $client.close();
  });
});

test("those that note changes for access boxes are there from the first box to the last, and while books wait to be recovered", () => {
  using store = temporaryStore();
  const { $client } = store.db;
  const statement = $client.query("UPDATE services SET quota_used = 1 WHERE subscriber_id = 1");
  const triggers = (change: () => void) => {
    change();
    statement.run();
    // what opens it next finds them as they have to be
    const before = schemaVersion($client);
    migrate($client, { now: 2 });
    expect(schemaVersion($client)).toEqual(before);
    return textsOf($client);
  };
  expect(triggers(() => {})).toEqual(alone);
  expect(triggers(() => write(store.db, beginMarking))).toEqual(all);
  $client.run("UPDATE access_state SET marking = 0, pending = 'recover'");
  expect(triggers(() => {})).toEqual(all);
  $client.run("UPDATE access_state SET marking = 1, pending = NULL");
  expect(triggers(() => write(store.db, endMarking))).toEqual(alone);
});

test("what a migration changes reaches boxes and the stream of the books", () => {
  const client = filled();
  const sql = "UPDATE services SET rate_limit = '1M/1M'";
  migrate(client, { list: [...migrations, { tag: "9999_slow", sql }], triggers: readTriggers, now: 2 });
  expect(client.query("SELECT key FROM access_marks").values()).toEqual([["s.1"]]);
  expect(client.query("SELECT table_name, key FROM book_changes").values()).toEqual([["services", "[1]"]]);
});

const values = {
  integer: [1, 2],
  real: [1, 2],
  text: ["a", "b"],
  blob: [new Uint8Array([1]), new Uint8Array([2])],
};
/** Rows that boxes are told. */
const special: Readonly<Record<string, Readonly<Record<string, number | null>>>> = {
  settings: { isp_id: 0 },
  sessions: { stopped_at: null },
};
const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));

/** Books with access boxes and one row in each table, whatever it refers to. */
function filled(): Database {
  const client = storeOfNow();
  client.run("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF");
  renewTriggers(client, []);
  for (const table of tables) {
    const columns = columnKinds(table);
    const name = getTableName(table);
    const row = columns.map(
      (column) =>
        special[name]?.[column.name] ??
        (column.name in (special[name] ?? {}) ? null : values[column.kind][0]),
    );
    client.run(
      `INSERT OR REPLACE INTO ${name} (${columns.map((column) => `"${column.name}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      row.map((value) => value ?? null),
    );
  }
  client.run("DELETE FROM access_marks; DELETE FROM book_changes");
  renewTriggers(client, all);
  return client;
}

/** What each column of a table leaves when it alone is another one: `refused` where the table is append-only. */
function leavesOf(client: Database, name: string, trace: string): Map<string, "refused" | boolean> {
  const table = tables.find((one) => getTableName(one) === name);
  if (!table) throw new Error(`no table ${name}`);
  return new Map(
    columnKinds(table).map((column): [string, "refused" | boolean] => {
      client.run("SAVEPOINT one");
      try {
        client.run(`UPDATE ${name} SET "${column.name}" = ?`, [values[column.kind][1] ?? null]);
        return [column.name, client.query(`SELECT 1 FROM ${trace}`).get() !== null];
      } catch (error) {
        if (!String(error).includes("append-only")) throw error;
        return [column.name, "refused"];
      } finally {
        client.run("ROLLBACK TO one; RELEASE one");
      }
    }),
  );
}

test("each column of a table of the books, changed alone, is noted for their stream, or said not to be", () => {
  const client = filled();
  const appendOnly = new Set(["ledger_entries", "audit_entries"]);
  for (const { name, without } of bookTables) {
    const leaves = leavesOf(client, name, `book_changes WHERE table_name = '${name}'`);
    const expected = [...leaves.keys()].map((column) => [
      column,
      appendOnly.has(name) ? "refused" : !without?.columns.includes(column),
    ]);
    expect(Object.fromEntries(leaves), name).toEqual(Object.fromEntries(expected));
    for (const column of without?.columns ?? []) expect([...leaves.keys()]).toContain(column);
    expect(without?.why ?? "all").not.toBe("");
  }
});

test("each column that boxes are told, changed alone, marks its record, or is said not to", () => {
  const client = filled();
  const replicated = new Map(
    Object.values(replicatedTables).map(({ table, keys }: ReplicatedTable) => [getTableName(table), keys]),
  );
  for (const { table, columns, used, silent = {} } of marks) {
    const name = getTableName(table);
    const leaves = leavesOf(client, name, "access_marks");
    const expected = [...leaves.keys()].map((column) => [
      column,
      !(column in silent) &&
        (!columns || columns.includes(column) || (used?.columns.includes(column) ?? false)),
    ]);
    expect(Object.fromEntries(leaves), name).toEqual(Object.fromEntries(expected));
    const ownColumns = getTableColumns(table);
    const unmarked = (replicated.get(name) ?? [])
      .map((key) => ownColumns[key]?.name ?? "")
      .filter((column) => leaves.get(column) !== true);
    expect(
      unmarked.filter((column) => !silent[column]),
      name,
    ).toEqual([]);
  }
  expect([...replicated.keys()].toSorted()).toEqual(
    marks
      .map(({ table }) => getTableName(table))
      .filter((name) => name !== "nas_sources")
      .toSorted(),
  );
});
