import { afterEach, beforeEach, expect, test } from "bun:test";
import { insert } from "../../../../db/insert.ts";
import { write } from "../../../../db/open.ts";
import { isps, nas } from "../../../../db/schema.ts";
import { operator } from "../../../../src/domain/core/actor/operator.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { verbatim } from "../../../../src/domain/core/errors/phrase.ts";
import { storeSetting } from "../../../../src/domain/core/settings/settings.ts";
import { configChanges } from "../../../../src/domain/goods/router-config/compare.ts";
import { configCopies } from "../../../../src/domain/goods/router-config/copies.ts";
import { keepDueConfigs } from "../../../../src/domain/goods/router-config/due.ts";
import { keepConfig } from "../../../../src/domain/goods/router-config/keep.ts";
import type { ReadConfig } from "../../../../src/domain/goods/router-config/read.ts";
import { configText } from "../../../../src/domain/goods/router-config/text.ts";
import { NOW, undoneEmptyStores, type TemporaryStore } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

/* Which configurations are kept, and for how long. */

const by = operator("ada", "cli");
const DAY = 86_400;

let store: TemporaryStore;
beforeEach(() => {
  store = temporaryStore();
  insert(store.db, isps, { id: 1, name: "North" });
  for (const id of [1, 2, 3])
    insert(store.db, nas, {
      id,
      ispId: 1,
      name: `r${id}`,
      address: `10.0.0.${id}`,
      createdAt: NOW,
      secretSealed: store.db.vault.seal("s"),
      routerosHost: `10.0.0.${id}`,
      routerosUsername: "gatehouse",
      routerosPasswordSealed: store.db.vault.seal("p"),
    });
});
afterEach(() => store[Symbol.dispose]());

const config = (body: string, more: Partial<ReadConfig> = {}): ReadConfig => ({
  text: `# at ${Math.random()} by RouterOS 7.16.1\n${body}`,
  source: "export",
  version: "7.16.1",
  note: null,
  ...more,
});
const keep = (read: ReadConfig, now = NOW) => keepConfig(store.db, by, 1, { now, read: async () => read });
const ids = () => configCopies(store.db, by, 1).copies.map(({ id }) => id);

test("a configuration of which only the head line differs is seen again, another one is kept, both sealed", async () => {
  expect(await keep(config("/system identity\nset name=a\n"))).toMatchObject({
    isNew: true,
    copy: { id: 1 },
  });
  expect(await keep(config("/system identity\nset name=a\n"), NOW + DAY)).toMatchObject({
    isNew: false,
    copy: { id: 1, keptAt: NOW, seenAt: NOW + DAY },
  });
  expect((await keep(config("/system identity\nset name=b\n"), NOW + 2 * DAY)).isNew).toBe(true);
  expect(ids()).toEqual([2, 1]);
  const bytes = store.db.$client.query("SELECT text_sealed AS sealed FROM router_configs").values().flat();
  for (const sealed of bytes)
    expect(Buffer.from(String(sealed)).toString("latin1")).not.toContain("identity");
  expect(configText(store.db, by, { nasId: 1, copyId: 2 }, { now: NOW })).toMatchObject({
    file: "r1-2.rsc",
    source: "export",
    text: expect.stringContaining("set name=b"),
  });
  expect(configChanges(store.db, by, { nasId: 1 }).changes).toEqual([
    {
      menu: "/system/identity",
      kind: "changed",
      what: "name=b",
      values: [{ name: "name", before: "a", after: "b" }],
    },
  ]);
});

test("the last 30 are kept, and of older ones the first of each month for 3 years", async () => {
  for (let day = 0; day < 1500; day += 5)
    await keep(config(`/system note\nset note=${day}\n`), NOW + day * DAY);
  const { copies } = configCopies(store.db, by, 1);
  const end = NOW + 1495 * DAY;
  const old = copies.slice(30);
  expect(copies.slice(0, 30).map(({ keptAt }) => keptAt)).toEqual(
    Array.from({ length: 30 }, (_, index) => end - index * 5 * DAY),
  );
  const months = old.map(({ keptAt }) => new Date(keptAt * 1000).toISOString().slice(0, 7));
  expect(new Set(months).size).toBe(months.length);
  expect(months.length).toBeGreaterThan(29);
  expect(months.length).toBeLessThan(34);
  for (const { keptAt } of old) {
    expect(keptAt).toBeGreaterThan(end - 3 * 366 * DAY);
    expect(new Date(keptAt * 1000).getUTCDate()).toBeLessThan(6); // the first that was kept in it
  }
});

test("a copy that was read menu by menu is held against one of its kind alone", async () => {
  await keep(config("/ip dns\nset servers=1\n"));
  await keep(config("/ip/dns\nset servers=1 cache=2\n", { source: "menus", note: "refused" }));
  expect((await keep(config("/ip dns\nset servers=1\n"))).isNew).toBe(false);
  expect(() => configChanges(store.db, by, { nasId: 1 })).toThrow("there is nothing before copy 2 of r1");
  expect(() => configChanges(store.db, by, { nasId: 1, from: 1, to: 2 })).toThrow("were read in two ways");
  expect(() => configChanges(store.db, by, { nasId: 1, to: 9 })).toThrow("there is no copy 9 of that router");
  expect(() => configChanges(store.db, by, { nasId: 2 })).toThrow("no configuration of r2 was kept yet");
});

test("what went wrong is kept until it goes right, and one that is partial is marked", async () => {
  const read = async () => {
    throw new DomainError("router_failed", verbatim("r1: it does not answer"));
  };
  await expect(keepConfig(store.db, by, 1, { now: NOW, read })).rejects.toThrow("it does not answer");
  expect(configCopies(store.db, by, 1).last).toEqual({
    triedAt: NOW,
    failure: "r1: it does not answer",
    note: null,
  });
  const partial = config('#error exporting "/ip/pool" (timeout)\n');
  expect((await keep(partial, NOW + 1)).copy.isPartial).toBe(true);
  expect(configCopies(store.db, by, 1).last).toEqual({ triedAt: NOW + 1, failure: null, note: null });
});

test("one of another kind, one that is too long, and two at once are refused", async () => {
  store.db.$client.run("UPDATE nas SET kind = 'cisco' WHERE id = 2");
  await expect(keepConfig(store.db, by, 2, { now: NOW, read: async () => config("") })).rejects.toThrow(
    "r2 is of kind cisco",
  );
  await expect(keep(config("x".repeat(4 * 1024 * 1024)))).rejects.toThrow("longer than 4194304 bytes");
  const first = Promise.withResolvers<ReadConfig>();
  const slow = keepConfig(store.db, by, 1, { now: NOW, read: () => first.promise });
  await expect(keep(config(""))).rejects.toMatchObject({ kind: "conflict" });
  first.resolve(config(""));
  expect((await slow).isNew).toBe(true);
});

const night = (now: number, read: (id: number) => ReadConfig, signal = new AbortController().signal) => {
  const requests: number[] = [];
  const reading = keepDueConfigs(store.db, by, {
    clock: () => now,
    signal,
    read: async ({ id }) => {
      requests.push(id);
      return read(id);
    },
  });
  return reading.then((came) => ({ ...came, asked: requests }));
};

test("each router is read once a night, one that did not answer again in an hour, and no other than by RouterOS", async () => {
  store.db.$client.run("UPDATE nas SET routeros_host = NULL WHERE id = 3");
  const answer = (id: number) => {
    if (id === 2) throw new DomainError("router_failed", verbatim("r2: no"));
    return config(`/system identity\nset name=${id}\n`);
  };
  expect(await night(NOW, answer)).toEqual({ kept: 1, changed: 1, failures: ["r2: no"], asked: [1, 2] });
  expect((await night(NOW + 60, answer)).asked).toEqual([]);
  expect((await night(NOW + 3601, answer)).asked).toEqual([2]);
  expect((await night(NOW + 14 * 3600, () => config("/a\n"))).asked).toEqual([2]); // 02:00
  expect((await night(NOW + 15 * 3600 + 1, () => config("/a\n"))).asked).toEqual([1, 2]);
  write(store.db, (tx) => storeSetting(tx, "config_nightly", false));
  expect((await night(NOW + 5 * DAY, () => config("/a\n"))).asked).toEqual([]);
});

test("a server that stops waits for no router", async () => {
  const stopping = new AbortController();
  const never = keepDueConfigs(store.db, by, {
    clock: () => NOW,
    signal: stopping.signal,
    read: () => new Promise(() => {}),
  });
  stopping.abort();
  expect(await never).toEqual({ kept: 0, changed: 0, failures: [] });
  expect(configCopies(store.db, by, 1).last).toBeNull();
});

test("with a router goes what was kept of it", async () => {
  await keep(config("/a\n"));
  store.db.$client.run("DELETE FROM nas WHERE id = 1");
  expect(store.db.$client.query("SELECT count(*) FROM router_configs").values()).toEqual([[0]]);
});
