import { expect, test } from "bun:test";
import pino from "pino";
import { openWriter, write } from "../../db/open.ts";
import { isps } from "../../db/schema.ts";
import { DeferredWrites } from "../../src/cli/deferred-writes.ts";
import { temporaryStore } from "../support/store.ts";

test("writes wait for the lock in their order, say so once, and none is lost", async () => {
  using store = temporaryStore();
  const other = openWriter(store.folder, { busyTimeout: 0 });
  store.db.$client.run("PRAGMA busy_timeout = 0");
  const lines: string[] = [];
  const deferred = new DeferredWrites(pino({ base: null }, { write: (line) => void lines.push(line) }));
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
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("could not record ISP 4");
  other.$client.run("ROLLBACK");
  while (ids().length < 4) await Bun.sleep(10);
  expect(ids()).toEqual([1, 2, 3, 4]);
  deferred.close();
  other.$client.close();
});
