import { expect, spyOn, test } from "bun:test";
import { insert } from "../../db/insert.ts";
import { openReader, type Tx } from "../../db/open.ts";
import { settings } from "../../db/schema.ts";
import { writeTogether } from "../../db/write-together.ts";
import { temporaryStore } from "../support/store.ts";

const put = (key: string) => (tx: Tx) => insert(tx, settings, { key, value: "1" });
const keys = "SELECT key FROM settings ORDER BY key";

test("writes of one turn share a commit and are answered after it", async () => {
  using store = temporaryStore();
  const reader = openReader(store.folder);
  const seen: number[] = [];
  const stored = () => reader.$client.query(keys).all().length;
  const begun = spyOn(store.db.$client, "transaction");
  const all = ["a", "b", "c"].map((key) => writeTogether(store.db, put(key)).then(() => seen.push(stored())));
  expect(begun).not.toHaveBeenCalled();
  await Promise.all(all);
  expect(seen).toEqual([3, 3, 3]);
  reader.$client.close();
});

test("one that throws is undone and refused alone", async () => {
  using store = temporaryStore();
  const fails = (tx: Tx): number => {
    put("b")(tx);
    throw new Error("not this one");
  };
  const bodies = [put("a"), fails, put("c")];
  const outcomes = await Promise.allSettled(bodies.map((body) => writeTogether(store.db, body)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(store.db.$client.query(keys).all()).toEqual([{ key: "a" }, { key: "c" }]);
});

test("where SQLite rolls everything back, nobody is told that it is stored", async () => {
  using store = temporaryStore();
  const rollsBack = (tx: Tx): number => {
    tx.$client.run("ROLLBACK");
    throw new Error("the disk is full");
  };
  const bodies = [put("a"), rollsBack, put("c")];
  const outcomes = await Promise.allSettled(bodies.map((body) => writeTogether(store.db, body)));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(store.db.$client.query(keys).all()).toEqual([]);
});

test("a commit that fails is nobody's success", async () => {
  using store = temporaryStore();
  store.db.$client.run("CREATE TABLE a (id INTEGER PRIMARY KEY)");
  store.db.$client.run("CREATE TABLE b (a INTEGER REFERENCES a DEFERRABLE INITIALLY DEFERRED)");
  const dangles = (tx: Tx) => tx.$client.query("INSERT INTO b VALUES (7)").run();
  const outcomes = await Promise.allSettled([
    writeTogether(store.db, put("a")),
    writeTogether(store.db, dangles),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(store.db.$client.query(keys).all()).toEqual([]);
});

test("a flood of writes leaves the lock to others in between", async () => {
  using store = temporaryStore();
  const nested = spyOn(store.db.$client, "transaction");
  const all = Array.from({ length: 70 }, (_, index) => writeTogether(store.db, put(`k${index}`)));
  await Promise.all(all);
  expect(nested.mock.calls.length - 70).toBe(3); // commits
  expect(store.db.$client.query(keys).all()).toHaveLength(70);
});

test("a write of the next turn has a commit of its own", async () => {
  using store = temporaryStore();
  expect(await writeTogether(store.db, put("a"))).toBeGreaterThan(0);
  expect(await writeTogether(store.db, put("b"))).toBeGreaterThan(0);
  expect(store.db.$client.query(keys).all()).toHaveLength(2);
});
