import { expect, spyOn, test } from "bun:test";
import { insert } from "../../db/insert.ts";
import { roles, settings, subscriberTokens } from "../../db/schema.ts";
import { update } from "../../db/update.ts";
import { loadIsp, aSubscriber } from "../support/isp.ts";
import { type TemporaryStore, storeOnDisk } from "../support/store.ts";

const rowsOf = ({ db }: TemporaryStore, sql: string) => db.$client.query(sql).all();

test("insert answers the id of the row, and leaves to the store what has no value", async () => {
  using store = storeOnDisk();
  await loadIsp(store.db);
  const id = insert(store.db, roles, { code: 7, ispId: 1, name: "Desk", createdAt: 5 });
  expect(rowsOf(store, `SELECT * FROM roles WHERE id = ${id}`)).toEqual([
    { id, code: 7, isp_id: 1, name: "Desk", permissions_set: 0, needs_second_factor: 0, created_at: 5 },
  ]);
});

test("insert replaces a row that has the same values in all of the columns named, and no other", () => {
  using store = storeOnDisk();
  const put = (ispId: number, key: string, value: string) =>
    insert(store.db, settings, { ispId, key, value }, { replacing: ["ispId", "key"] });
  put(1, "a", "old");
  put(2, "a", "other");
  put(1, "a", "new");
  expect(rowsOf(store, "SELECT isp_id, value FROM settings WHERE key = 'a' ORDER BY isp_id")).toEqual([
    { isp_id: 1, value: "new" },
    { isp_id: 2, value: "other" },
  ]);
});

test("update changes the rows with all of the values, null among them, and leaves a column without a value", async () => {
  using store = storeOnDisk();
  await loadIsp(store.db, { subscribers: [aSubscriber(1), aSubscriber(2)] });
  const add = (id: string, subscriberId: number, revokedAt: number | null) =>
    insert(store.db, subscriberTokens, {
      id,
      kind: "app",
      subscriberId,
      createdAt: 1,
      expiresAt: 9,
      revokedAt,
    });
  add("mine", 1, null);
  add("mine, revoked", 1, 3);
  add("another's", 2, null);
  const changes = { revokedAt: 5, expiresAt: undefined };
  update(store.db, subscriberTokens, changes, { subscriberId: 1, revokedAt: null });
  expect(rowsOf(store, "SELECT id, revoked_at, expires_at FROM subscriber_tokens ORDER BY id DESC")).toEqual([
    { id: "mine, revoked", revoked_at: 3, expires_at: 9 },
    { id: "mine", revoked_at: 5, expires_at: 9 },
    { id: "another's", revoked_at: null, expires_at: 9 },
  ]);
});

test("without a condition nothing is updated", () => {
  using store = storeOnDisk();
  expect(() => update(store.db, settings, { value: "all" }, {})).toThrow("incomplete input");
});

test("the same columns are compiled once, whatever their values", () => {
  using store = storeOnDisk();
  const statements = spyOn(store.db.$client, "query");
  for (const value of ["1", "2"]) update(store.db, settings, { value }, { key: value });
  const [first, second] = statements.mock.results;
  expect(second?.value).toBe(first?.value);
});
