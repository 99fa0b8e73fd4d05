import { afterEach, beforeEach, expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { storeSetting } from "../../../../src/domain/core/settings/settings.ts";
import { checkConfigs, checkLoads } from "../../../../src/domain/machine/check/router-care.ts";
import { undoneIspStores } from "../../../support/isp.ts";
import { insertConfigs } from "../../../support/router-config.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

/* Routers whose configuration is not kept, and those that are nearly out of breath. */

const DAY = 86_400;
let store: TemporaryStore;
beforeEach(async () => {
  store = await ispStore();
  store.db.$client.run("UPDATE nas SET routeros_host = '10.0.0.1' WHERE id = 1");
});
afterEach(() => store[Symbol.dispose]());

const words = (now: number) => checkConfigs(store.db, now).map(({ message }) => message);

test("a router whose configuration was not kept for three days is named with why, until it is or need not be", () => {
  const { db } = store;
  db.$client.run("INSERT INTO router_config_tries VALUES (1, ?, 'core: it does not answer', NULL)", [NOW]);
  expect(words(NOW + DAY)).toEqual([]);
  expect(words(NOW + 4 * DAY)).toEqual([
    "the configuration of core was never kept: core: it does not answer; keep it when that is mended: gatehouse nas config core save",
  ]);
  insertConfigs(db, 1, NOW + 4 * DAY);
  expect(words(NOW + 4 * DAY)).toEqual([]);
  expect(words(NOW + 7 * DAY)[0]).toContain("was not kept since 2030-01-18 12:00:00");
  write(db, (tx) => storeSetting(tx, "config_nightly", false));
  expect(words(NOW + 9 * DAY)).toEqual([]);
});

test("a processor at 80 % is named only where lines have queues of ours", () => {
  const { db } = store;
  const load = {
    hour: 1,
    sum: 1,
    looks: 1,
    days: { 20300114: 85 },
    shaper: "cake",
    since: NOW,
    before: 41,
  };
  db.$client.run("INSERT INTO router_readings (nas_id, tried_at, facts) VALUES (1, ?, ?)", [
    NOW,
    JSON.stringify({ load }),
  ]);
  expect(checkLoads(db)).toEqual([]);
  db.$client.run("UPDATE nas SET shaper = 'cake' WHERE id = 1");
  expect(checkLoads(db).map(({ message }) => message)).toEqual([
    "the processor of core was 85 % busy in the busiest hour of the week, 41 % before its lines got other queues; give its lines queues that cost less: gatehouse nas set core --shaper fq_codel, or none, and gatehouse nas setup",
  ]);
});
