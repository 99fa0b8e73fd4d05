import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableColumns } from "drizzle-orm";
import type { Db } from "../../../../db/open.ts";
import { services, subscribers } from "../../../../db/schema.ts";
import { termKeys } from "../../../../db/service-keys.ts";
import { AccessReader } from "../../../../src/domain/service/access/reader.ts";
import { aSubscriber, loadIsp } from "../../../support/isp.ts";
import { templateStore, type TemporaryStore } from "../../../support/store.ts";

/** No login is decided from these: accounting writes the first two for every record, renewals keep to the others. */
const APART = new Set([
  "quota_used",
  "quota_crossed_at",
  "anchor_day",
  "anchor_time",
  "paid_until",
  "renews_from",
  "free_bytes",
]);

const twoSubscribers = templateStore((db) => loadIsp(db, { subscribers: [aSubscriber(1), aSubscriber(2)] }));

let store: TemporaryStore;
let db: Db;
let reader: AccessReader;

beforeEach(async () => {
  store = await twoSubscribers();
  ({ db } = store);
  reader = new AccessReader(db);
});
afterEach(() => store[Symbol.dispose]());

const stampOf = (name: string) =>
  db.$client
    .query<{ stamp: number }, [string]>("SELECT stamp FROM login_stamps WHERE username_key = ?")
    .get(name)?.stamp;

describe("what a login is decided from is kept", () => {
  test("while nothing about it changes", () => {
    const first = reader.candidate("user1");
    expect(first?.id).toBe(1);
    db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 2");
    db.$client.run("UPDATE services SET quota_used = quota_used + 5000 WHERE subscriber_id = 1");
    expect(reader.candidate("user1")).toBe(first);
    expect(reader.candidate("user2")?.status).toBe(0);
  });

  test("but bytes used are read anew where there is a quota", () => {
    db.$client.run("UPDATE services SET quota_total = 9000 WHERE subscriber_id = 1");
    expect(reader.candidate("user1")?.service).toMatchObject({ quotaTotal: 9000, quotaUsed: 0 });
    db.$client.run(
      "UPDATE services SET quota_used = quota_used + 5000, free_bytes = free_bytes WHERE subscriber_id = 1",
    );
    expect(reader.candidate("user1")?.service).toMatchObject({ quotaUsed: 5000 });
  });

  for (const [table, columns] of [
    ["subscribers", getTableColumns(subscribers)],
    ["services", getTableColumns(services)],
  ] as const) {
    const names = Object.values(columns).map(({ name }) => name);
    test.each(names.filter((name) => !APART.has(name)))(`and ${table}.%s changes its stamp`, (column) => {
      const before = stampOf("user1");
      const key = table === "subscribers" ? "id" : "subscriber_id";
      db.$client.run(`UPDATE ${table} SET ${column} = ${column} WHERE ${key} = 1`);
      expect(stampOf("user1")).not.toBe(before);
      expect(stampOf("user1")).toBeNumber();
    });
  }
});

test("who counts what was used writes what its trigger follows, but for services that have no volume and no tiers", () => {
  const root = join(import.meta.dir, "../../../../src");
  const texts = [...new Glob("**/*.ts").scanSync(root)].flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/UPDATE services SET quota_used =[^`"]*/g)].map(
      ([text]) => text,
    ),
  );
  expect(texts.length).toBeGreaterThan(2);
  const alone = texts.filter((text) => !text.includes("free_bytes ="));
  expect(alone).toEqual([expect.stringContaining("AND quota_total = 0 AND tiers IS NULL")]);
});

test.each(termKeys)("the term %s is in the next reading once it is another one", (key) => {
  const { name, dataType } = services[key];
  const value = dataType === "number" ? 77 : "another";
  expect(reader.candidate("user1")?.service?.[key]).not.toBe(value);
  db.$client.run(`UPDATE services SET ${name} = ? WHERE subscriber_id = 1`, [value]);
  expect(reader.candidate("user1")?.service?.[key]).toBe(value);
});

describe("a name", () => {
  test("that is given up and taken by another subscriber leads to that one", () => {
    expect(reader.candidate("user1")?.id).toBe(1);
    db.$client.run("UPDATE subscribers SET username = 'old', username_key = 'old' WHERE id = 1");
    expect(reader.candidate("user1")).toBeUndefined();
    db.$client.run("UPDATE subscribers SET username = 'user1', username_key = 'user1' WHERE id = 2");
    expect(reader.candidate("user1")?.id).toBe(2);
    expect(reader.candidate("user2")).toBeUndefined();
    expect(reader.candidate("old")?.id).toBe(1);
  });

  test("loses its service, gets one, and is nobody's after it was deleted", () => {
    expect(reader.candidate("user1")?.service).toBeDefined();
    const kept = "SELECT * FROM services WHERE subscriber_id = 1";
    db.$client.run(`CREATE TEMP TABLE kept AS ${kept}`);
    db.$client.run("DELETE FROM services WHERE subscriber_id = 1");
    expect(reader.candidate("user1")?.service).toBeUndefined();
    db.$client.run("INSERT INTO services SELECT * FROM kept");
    expect(reader.candidate("user1")?.service).toBeDefined();
    db.$client.run("PRAGMA foreign_keys = OFF");
    db.$client.run("DELETE FROM subscribers WHERE id = 1");
    expect(reader.candidate("user1")).toBeUndefined();
  });
});
