import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DumpRow } from "../../../../../../src/domain/machine/imports/dump/row.ts";
import { toMoved } from "../../../../../../src/domain/machine/imports/sources/freeradius/moved.ts";
import { Tables } from "../../../../../../src/domain/machine/imports/sources/freeradius/tables.ts";
import { type FreeRadius, startFreeRadiusSql } from "../../../../../support/freeradius.ts";
import { radclient } from "../../../../../support/radclient.ts";
import { inMemory, options, rowsOf } from "../rows.ts";

type Cell = readonly [attribute: string, op: string, value: string];

interface Case {
  readonly check?: readonly Cell[];
  readonly reply?: readonly Cell[];
  /** In the order of their priorities. */
  readonly groups: readonly { readonly check?: readonly Cell[]; readonly reply?: readonly Cell[] }[];
}

const rate = (op: string, value: string): Cell => ["Mikrotik-Rate-Limit", op, value];
const pool = (op: string, value: string): Cell => ["Framed-Pool", op, value];
const list = (op: string, value: string): Cell => ["Mikrotik-Address-List", op, value];
const on: Cell = ["Fall-Through", "=", "Yes"];

/** Whatever FreeRADIUS grants these is what their packages have to grant. */
const cases: Readonly<Record<string, Case>> = {
  "one group": { groups: [{ reply: [rate(":=", "1M/1M"), pool("=", "a")] }] },
  "own terms before a group's =": {
    reply: [rate(":=", "9M/9M")],
    groups: [{ reply: [rate("=", "1M/1M"), pool("=", "a")] }],
  },
  "a group's := before own terms": {
    reply: [rate(":=", "9M/9M"), pool("=", "own")],
    groups: [{ reply: [rate(":=", "1M/1M")] }],
  },
  "a second group without Fall-Through": {
    groups: [{ reply: [rate("=", "1M/1M")] }, { reply: [pool("=", "b")] }],
  },
  "Fall-Through": {
    groups: [{ reply: [rate("=", "1M/1M"), on] }, { reply: [rate("=", "2M/2M"), pool("=", "b")] }],
  },
  "Fall-Through and :=": { groups: [{ reply: [rate("=", "1M/1M"), on] }, { reply: [rate(":=", "2M/2M")] }] },
  "Fall-Through and -=": {
    groups: [{ reply: [pool("=", "a"), on] }, { reply: [pool("-=", "a"), list("=", "x")] }],
  },
  "Fall-Through and ==": {
    groups: [{ reply: [pool("=", "a"), on] }, { reply: [list("==", "x"), pool("==", "b")] }],
  },
  "= twice in one list": { groups: [{ reply: [rate("=", "1M/1M"), rate("=", "2M/2M")] }] },
  "+=": { groups: [{ reply: [list("=", "x"), on] }, { reply: [list("+=", "y")] }] },
  "own Fall-Through = No": {
    reply: [rate("=", "9M/9M"), ["Fall-Through", "=", "No"]],
    groups: [{ reply: [pool("=", "a")] }],
  },
  "a group without rows ends the list": { groups: [{}, { reply: [pool("=", "b")] }] },
  "a group with check rows alone": {
    groups: [{ check: [["Simultaneous-Use", ":=", "2"]] }, { reply: [pool("=", "b")] }],
  },
  "own rows alone": { reply: [rate("=", "3M/3M"), list("=", "z")], groups: [] },
  "a value in quotes": { reply: [list("=", '"z z"')], groups: [] },
  "no terms": { groups: [] },
};

const SECRET = "peer-secret";
const rows: DumpRow[] = [];
let dir = "";
let server: FreeRadius;

beforeAll(async () => {
  const columns = "attribute op value";
  for (const [index, { check = [], reply = [], groups }] of Object.values(cases).entries()) {
    const username = `user${index}`;
    const own = (table: string, cells: readonly Cell[]) =>
      rows.push(...rowsOf(table, `username ${columns}`, ...cells.map((cell) => [username, ...cell])));
    own("radcheck", [["Cleartext-Password", ":=", "pw"], ...check]);
    own("radreply", reply);
    for (const [priority, group] of groups.entries()) {
      const name = `group${index}-${priority}`;
      const of = (table: string, cells: readonly Cell[]) =>
        rows.push(...rowsOf(table, `groupname ${columns}`, ...cells.map((cell) => [name, ...cell])));
      of("radgroupcheck", group.check ?? []);
      of("radgroupreply", group.reply ?? []);
      rows.push(...rowsOf("radusergroup", "username groupname priority", [username, name, String(priority)]));
    }
  }
  dir = await mkdtemp(join(tmpdir(), "gatehouse-peer-"));
  const database = join(dir, "radius.db");
  fill(database);
  server = await startFreeRadiusSql(database, SECRET);
});
afterAll(async () => {
  await server.stop();
  await rm(dir, { recursive: true });
});

function fill(path: string): void {
  const db = new Database(path);
  for (const owner of ["user", "group"])
    for (const kind of ["check", "reply"])
      db.run(
        `CREATE TABLE rad${owner === "user" ? "" : owner}${kind} (id INTEGER PRIMARY KEY, ${owner}name TEXT, attribute TEXT, op TEXT, value TEXT)`,
      );
  db.run(
    "CREATE TABLE radusergroup (id INTEGER PRIMARY KEY, username TEXT, groupname TEXT, priority INTEGER)",
  );
  for (const { table, values } of rows) {
    const names = Object.keys(values);
    const marks = names.map(() => "?").join(", ");
    db.query(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`).run(
      ...(Object.values(values) as string[]),
    );
  }
  db.close();
}

/** What an Accept grants, under the names that packages have; the first of several, as a router takes it. */
function granted(answer: string): object {
  const value = (attribute: string) => new RegExp(`^\\s*${attribute} = "(.*)"$`, "m").exec(answer)?.[1];
  return {
    rate_limit: value("Mikrotik-Rate-Limit"),
    framed_pool: value("Framed-Pool"),
    address_list: value("Mikrotik-Address-List"),
  };
}

test.each(Object.keys(cases).map((name, index) => [name, index] as const))(
  "what FreeRADIUS grants is what the package has: %s",
  async (_, index) => {
    const username = `user${index}`;
    const answer = await radclient(
      `127.0.0.1:${server.port}`,
      "auth",
      SECRET,
      `User-Name = "${username}", User-Password = "pw"`,
    );
    expect(answer).toContain("Access-Accept");
    const settings = options();
    const tables = new Tables(settings);
    for (const row of rows) tables.add(row, "radius.sql");
    const { subscribers, packages } = inMemory(toMoved(tables, settings));
    const subscriber = subscribers.find((other) => other.username === username);
    const sold = packages.find(({ key }) => key === subscriber?.package);
    const { rate_limit, framed_pool, address_list } = sold ?? {};
    expect({ rate_limit, framed_pool, address_list } as object).toEqual(granted(answer));
  },
);
