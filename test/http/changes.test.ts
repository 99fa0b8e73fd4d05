import { Glob } from "bun";
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { migrate } from "../../db/migrate.ts";
import { openWriter, write } from "../../db/open.ts";
import { AccountingWriter } from "../../src/domain/service/accounting/accounting.ts";
import { tellMoments } from "../../src/domain/core/events/moments.ts";
import { forgetOldRows } from "../../src/domain/machine/retention/forget.ts";
import { beginBooks } from "../../src/domain/machine/backup/begin-books.ts";
import { by } from "../support/isp.ts";
import { storeAfter } from "../support/older-store.ts";
import { aReport } from "../support/replication.ts";
import { callers, emptyWallet, sam, type Tenants, withTenants } from "../support/tenants.ts";

const { admin: basic } = callers;
const nouns = ["subscriber", "payment", "invoice", "session"] as const;
type Noun = (typeof nouns)[number];

interface Page {
  records: { id: number; [name: string]: unknown }[];
  cursor: string;
  has_more: boolean;
}

let app: Tenants;
const cursors: Record<Noun, string> = { subscriber: "", payment: "", invoice: "", session: "" };
const copies = Object.fromEntries(nouns.map((noun) => [noun, new Map<number, Page["records"][0]>()]));

beforeAll(async () => {
  app = await withTenants();
  await follow();
});
afterAll(() => app[Symbol.dispose]());

async function pageOf(noun: Noun, query: string, caller = basic): Promise<Page> {
  const { status, body } = await app.call("GET", `/api/v1/${noun}/list?changes=1&${query}`, {
    basic: caller,
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as Page;
}

/** What came since, by noun, put over the copies. */
async function follow(): Promise<Partial<Record<Noun, number[]>>> {
  const told: Partial<Record<Noun, number[]>> = {};
  for (const noun of nouns) {
    for (;;) {
      const { records, cursor, has_more: hasMore } = await pageOf(noun, `after=${cursors[noun]}&limit=2`);
      cursors[noun] = cursor;
      for (const record of records) copies[noun]?.set(record.id, record);
      if (records.length > 0) told[noun] = [...(told[noun] ?? []), ...records.map(({ id }) => id)];
      if (!hasMore) break;
    }
  }
  return told;
}

const post = (path: string, form: Record<string, unknown>) => async () => {
  const { status, body } = await app.call("POST", `/api/v1/${path}`, { basic, form });
  expect({ status, body }).toMatchObject({ status: 200 });
};
const report = (of: Parameters<typeof aReport>[0]) => () => {
  const books = new AccountingWriter(app.db);
  const session = aReport({ at: app.clock.now, username: "user1", ...of });
  write(
    app.db,
    () =>
      void books.book({
        kind: "session",
        report: session,
        login: session.username,
        ispId: 1,
        arrival: app.clock.now,
      }),
  );
};

describe("a change is told once, of each noun whose record shows it", () => {
  // one after the other, each on what those before it left
  const steps: [string, () => unknown, Partial<Record<Noun, number[]>>][] = [
    ["nothing", () => {}, {}],
    ["another name", post("subscriber/update", { username: "user2", name: "Anna" }), { subscriber: [2] }],
    [
      "a lock",
      post("subscriber/mac_lock", { user_id: 2, mac_address: "AA:BB:CC:DD:EE:01" }),
      { subscriber: [2] },
    ],
    [
      "a payment that activates",
      post("payment/take", { user_id: 2, amount: 50, method: "cash", activate: 1, package_id: 1 }),
      { subscriber: [2], payment: [1], invoice: [1] },
    ],
    [
      "a name on papers",
      post("subscriber/update", { username: "user2", name: "Anna B" }),
      { subscriber: [2], payment: [1], invoice: [1] },
    ],
    [
      "a payment that is taken back",
      post("payment/reverse", { id: 1, reason: "mistake" }),
      { subscriber: [2], payment: [1] },
    ],
    [
      "an invoice that is void",
      post("invoice/void", { invoice_id: 1, reason: "wrong", end_service: 1 }),
      { subscriber: [2], invoice: [1] },
    ],
    [
      "a place that is called otherwise",
      async () => {
        await post("subscriber/update", { username: "user1", area_id: 1, subarea_id: 1, city_id: 1 })();
        await follow();
        await post("area/update", { id: 1, name: "Far East" })();
      },
      { subscriber: [1] },
    ],
    [
      "a package of postpaid",
      () => app.db.$client.run("UPDATE packages SET billing_type = 'postpaid' WHERE id = 1"),
      { subscriber: [1, 2] },
    ],
    ["a frozen service", post("subscriber/freeze", { user_id: 1 }), { subscriber: [1] }],
    ["a thawed one", post("subscriber/thaw", { user_id: 1 }), { subscriber: [1] }],
    ["a session that begins", report({ status: "start", acctSessionId: "A" }), {}],
    [
      "one that goes on",
      report({ status: "interim", acctSessionId: "A", sessionTime: 60, inputOctets: 10 }),
      {},
    ],
    [
      "one that ends",
      report({ status: "stop", acctSessionId: "A", sessionTime: 90, inputOctets: 20 }),
      { session: [1] },
    ],
    [
      "one of which only the end is heard",
      report({ status: "stop", acctSessionId: "B", sessionTime: 5 }),
      { session: [2] },
    ],
    [
      "one that the books close",
      async () => {
        report({ status: "start", acctSessionId: "C" })();
        await post("session/end", { session_id: "C", books_only: 1 })();
      },
      { session: [3] },
    ],
    [
      "a late report of it",
      report({ status: "interim", acctSessionId: "C", sessionTime: 1, inputOctets: 7 }),
      { session: [3] },
    ],
    [
      "a restart of its router",
      async () => {
        report({ status: "start", acctSessionId: "D" })();
        report({ status: "start", acctSessionId: "E", username: "user2" })();
        write(
          app.db,
          () =>
            void new AccountingWriter(app.db).book({
              kind: "restart",
              restart: { status: "on", at: app.clock.now + 1, nasAddress: "127.0.0.1" },
            }),
        );
      },
      { session: [4, 5] },
    ],
    [
      "the clock, where a service ends",
      async () => {
        await tellMoments(app.db, by, { now: app.clock.now });
        app.clock.now += 400 * 86_400;
        await tellMoments(app.db, by, { now: app.clock.now });
      },
      { subscriber: [1] },
    ],
    [
      "one that ends after all others were forgotten, but the last",
      async () => {
        app.clock.now += 4000 * 86_400;
        await forgetOldRows(app.db, by, { now: app.clock.now });
        expect(app.db.$client.query("SELECT id FROM sessions").values()).toEqual([[4], [5]]);
        report({ status: "stop", acctSessionId: "Z", sessionTime: 1 })();
      },
      { session: [6] },
    ],
    ["one who comes", post("subscriber/create", sam), { subscriber: [10] }],
    [
      "one who leaves",
      async () => {
        emptyWallet(app.db);
        await follow();
        await post("subscriber/archive", { user_id: 1 })();
      },
      { subscriber: [1] },
    ],
  ];

  test("step by step", async () => {
    for (const [what, step, expected] of steps) {
      await step();
      const told = await follow();
      expect({ what, told: sorted(told) }).toEqual({ what, told: sorted(expected) });
    }
    expect(copies["subscriber"]?.get(1)).toMatchObject({
      archived_at: expect.any(String),
      profile_status: "disabled",
    });
    expect(copies["payment"]?.get(1)).toMatchObject({ reversed_at: expect.any(String), name: "Anna B" });
    expect(copies["session"]?.get(1)).toMatchObject({ input_octets: 20, session_time: 90 });
    expect(copies["session"]?.get(3)).toMatchObject({ input_octets: 7 });
    copies["session"]?.forEach((_, id, all) => void (id < 4 && all.delete(id)));
    for (const noun of nouns) {
      const all = await pageOf(noun, "limit=1000");
      expect(all.records.toSorted((a, b) => a.id - b.id)).toEqual(
        [...(copies[noun]?.values() ?? [])].toSorted((a, b) => a.id - b.id),
      );
    }
  });

  const sorted = (told: Partial<Record<Noun, number[]>>) =>
    Object.fromEntries(Object.entries(told).map(([noun, ids]) => [noun, ids.toSorted((a, b) => a - b)]));
});

test("nobody is told of what is not theirs, and passes over it", async () => {
  const south = await pageOf("subscriber", "limit=1", callers.otherTenant);
  expect(south.records.map(({ id }) => id)).toEqual([9]);
  const { records, has_more: hasMore } = await pageOf(
    "subscriber",
    `after=${south.cursor}`,
    callers.otherTenant,
  );
  expect([records, hasMore]).toEqual([[], false]);
  const { records: ours } = await pageOf("subscriber", "limit=1000&branch_id=12");
  expect(ours.map(({ id }) => id)).toEqual([2]);
});

test.each([
  ["subscriber/list?changes=1&after=nonsense", "cursor_unknown", "after"],
  ["payment/changes?after=subscriber-1-0-1-1", "cursor_unknown", "after"],
  ["subscriber/changes?after=subscriber-1-0-1-1", "cursor_unknown", "after"],
  ["subscriber/changes?username=sam", "unknown_filter", "username"],
  ["subscriber/list?changes=2", "unknown_filter", "changes"],
  ["subscriber/list?after=1", "unknown_filter", "after"],
])("%s is refused", async (path, code, param) => {
  const { status, refusal } = await app.call("GET", `/api/v1/${path}`, { basic });
  expect({ status, ...refusal }).toMatchObject({ status: 400, code, param });
});

test.each(["", "changes=", "changes=0"])("a list without changes is as it was: %p", async (query) => {
  const { body } = await app.call("GET", `/api/v1/subscriber/list?${query}`, { basic });
  expect(body).toBeArray();
});

test("a writer that is not done holds back no change that comes before its own", async () => {
  using other = openWriter(app.folder, { busyTimeout: 100 }).$client;
  await follow();
  other.run("BEGIN IMMEDIATE");
  other.run("UPDATE subscribers SET name = 'Late' WHERE id = 2");
  expect(await follow()).toEqual({});
  other.run("COMMIT");
  app.db.$client.run("UPDATE subscribers SET name = 'Later' WHERE id = 1");
  expect((await follow()).subscriber).toEqual([2, 1]);
});

test("a restored store is other books", () => {
  const copy = join(app.folder, "copy.db");
  app.db.$client.query("VACUUM INTO ?").run(copy);
  beginBooks(copy);
  using restored = new Database(copy);
  const mark = "SELECT value FROM generations WHERE name = 'books'";
  expect(restored.query(mark).get()).not.toEqual(app.db.$client.query(mark).get());
});

test("a store of an earlier version tells all that it has", () => {
  const client = storeAfter(10);
  client.run("INSERT INTO isps (id, name) VALUES (1, 'A')");
  client.run(
    "INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at) VALUES (1, 1, 'P', 1, 'prepaid', 1, 'day', 1)",
  );
  client.run(
    `INSERT INTO subscribers (id, isp_id, name, username, username_key, password_sealed, package_id, connection_type_id, created_at, updated_at, nic_number, mobile_number)
     VALUES (1, 1, 'A', 'a', 'a', x'00', 1, 1, 1, 1, '1', '1')`,
  );
  migrate(client, { now: 1 });
  expect(client.query("SELECT noun, id, number FROM record_changes").values()).toEqual([[1, 1, 0]]);
  client.run("UPDATE subscribers SET name = 'B'");
  expect(client.query("SELECT number FROM record_changes").values()).toEqual([[1]]);
});

test("whatever ends a session, or changes one that has ended, gives it its place", async () => {
  const forgotten: string[] = [];
  for await (const path of new Glob("**/*.ts").scan("src")) {
    const text = await Bun.file(join("src", path)).text();
    for (const [statement] of text.matchAll(/UPDATE sessions[^`"]*?SET[^`"]*?stopped_at = (?!NULL)[^`"]*/g))
      if (!/SESSION_CHANGED|NEXT_SESSION_CHANGE/.test(statement)) forgotten.push(`${path}: ${statement}`);
    for (const [statement] of text.matchAll(/update\(\w+, sessions, ended[^;]*/g))
      if (!text.includes("change: nextSessionChange(tx)")) forgotten.push(`${path}: ${statement}`);
  }
  expect(forgotten).toEqual([]);
});
