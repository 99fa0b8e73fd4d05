import { expect, test } from "bun:test";
import pino from "pino";
import { openWriter, write } from "../../db/open.ts";
import { isps } from "../../db/schema.ts";
import { DeferredWrites } from "../../src/cli/deferred-writes.ts";
import { temporaryStore } from "../support/store.ts";

test("writes wait for the lock in their order, without a word while others hold it for a moment, and none is lost", async () => {
  using store = temporaryStore();
  const other = openWriter(store.folder, { busyTimeout: 0 });
  const lines: string[] = [];
  const deferred = new DeferredWrites(store.db, {
    log: pino({ base: null }, { write: (line) => void lines.push(line) }),
    busyTimeout: 100,
  });
  const add = (id: number) =>
    deferred.add(`ISP ${id}`, () => write(store.db, (tx) => tx.insert(isps).values({ id, name: "x" }).run()));
  const ids = () =>
    store.db
      .select({ id: isps.id })
      .from(isps)
      .all()
      .map(({ id }) => id);

  add(1);
  expect(ids()).toEqual([1]);
  other.$client.run("BEGIN IMMEDIATE");
  for (const id of [4, 3, 2]) add(id);
  deferred.flush();
  deferred.flush();
  expect(ids()).toEqual([1]);
  expect(lines).toEqual([]);
  other.$client.run("ROLLBACK");
  while (ids().length < 4) await Bun.sleep(10);
  expect(ids()).toEqual([1, 2, 3, 4]);
  deferred.close();
  other.$client.close();
});

test("a write that fails for anything else is told once, and tried again", async () => {
  using store = temporaryStore();
  const lines: string[] = [];
  const deferred = new DeferredWrites(store.db, {
    log: pino({ base: null }, { write: (line) => void lines.push(line) }),
    busyTimeout: 100,
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  let failures = 0;
  deferred.add("what the disk refuses", () => {
    if (++failures < 3) throw new Error("disk I/O error");
    resolve();
  });
  await promise;
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("could not record what the disk refuses");
  deferred.close();
});
