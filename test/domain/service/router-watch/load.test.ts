import { expect, test } from "bun:test";
import type { Item } from "../../../../src/domain/goods/router-setup/values.ts";
import { parseVersion } from "../../../../src/domain/goods/router-setup/versions.ts";
import { busiest, type Load, withLoad } from "../../../../src/domain/service/router-watch/load.ts";
import type { Reading } from "../../../../src/domain/service/router-watch/reading.ts";
import { NOW } from "../../../support/store.ts";

/* How busy a router is in its busiest hour, before and after its lines got other queues. */

const version = parseVersion("7.16.1");
if (!version) throw new Error("no version");
const look = (load: string | undefined, queues: readonly string[] = []): Reading => ({
  version,
  unread: new Map(),
  counters: new Map(),
  ahead: 0,
  menus: new Map<string, Item[]>([
    ["/system/resource", [load === undefined ? {} : { "cpu-load": load }]],
    ["/queue/type", queues.map((name) => ({ name }))],
  ]),
});
const HOUR = 3600;

/** What is known after looks, one each ten minutes. */
const after = (loads: readonly number[], known?: Load, queues: readonly string[] = [], from = NOW) =>
  loads.reduce<Load | undefined>(
    (load, percent, index) => withLoad(load, look(String(percent), queues), from + index * 600),
    known,
  );

test("an hour counts by the mean of its looks, a day by its busiest hour", () => {
  const load = after([10, 20, 30, 20, 10, 30, 80, 90, 100, 90, 80, 100, 5]);
  expect(busiest(load?.days ?? {})).toBe(90);
});

test("a router that says nothing of it, and a look in between, change nothing", () => {
  expect(withLoad(undefined, look(undefined), NOW)).toBeUndefined();
  const load = after([40, 40, 40]);
  expect(withLoad(load, look(undefined), NOW + HOUR)).toEqual(load);
});

test("what was before other queues is kept beside what is since", () => {
  const before = after([40, 42, 44, 42, 40, 44]);
  const since = after([60, 60, 60, 60, 60, 60, 10], before, ["gatehouse-cake"], NOW + 86_400);
  expect(since).toMatchObject({ shaper: "cake", since: NOW + 86_400, before: 42 });
  expect(busiest(since?.days ?? {})).toBe(60);
});

test("a month is kept, and the last week is said", () => {
  let load: Load | undefined;
  for (let day = 0; day < 40; day++)
    load = after([day === 20 ? 99 : 30, day === 20 ? 99 : 30], load, [], NOW + day * 86_400);
  expect(Object.keys(load?.days ?? {})).toHaveLength(30);
  expect(busiest(load?.days ?? {})).toBe(30);
});
