import { expect, test } from "bun:test";
import { recordDecisions } from "../../../../src/domain/service/access/auth-log.ts";
import { trimAuthLog } from "../../../../src/domain/service/access/trim-auth-log.ts";
import { storeSetting } from "../../../../src/domain/core/settings/settings.ts";
import { write } from "../../../../db/open.ts";
import { by } from "../../../support/isp.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const DAY = 86_400;
const entry = (at: number) => ({
  at,
  nasAddress: "10.0.0.1",
  username: "sam",
  accepted: true,
  reason: "accepted",
  class: null,
});
type Store = ReturnType<typeof temporaryStore>;
const ages = ({ db }: Store) =>
  db.$client
    .query("SELECT at FROM auth_log ORDER BY id")
    .values()
    .map(([at]) => (NOW - Number(at)) / DAY);

test("decisions older than auth_log_days are forgotten", async () => {
  using store = temporaryStore();
  recordDecisions(
    store.db,
    [100, 90.5, 89.5, 1].map((days) => entry(NOW - days * DAY)),
  );
  expect(await trimAuthLog(store.db, by, { now: NOW })).toBe(2);
  expect(ages(store)).toEqual([89.5, 1]);
  expect(await trimAuthLog(store.db, by, { now: NOW })).toBe(0);
});

test("the oldest beyond auth_log_rows are forgotten, in steps that let others write", async () => {
  using store = temporaryStore();
  recordDecisions(
    store.db,
    Array.from({ length: 5500 }, (_, i) => entry(NOW - 6000 + i)),
  );
  write(store.db, (tx) => storeSetting(tx, "auth_log_rows", 1000));
  const trimming = trimAuthLog(store.db, by, { now: NOW });
  expect(ages(store).length).toBe(4500);
  recordDecisions(store.db, [entry(NOW)]);
  expect(await trimming).toBe(4501);
  expect(ages(store).length).toBe(1000);
  expect(ages(store).at(-1)).toBe(0);
});

test("an empty log is no fault", async () => {
  using store = temporaryStore();
  expect(await trimAuthLog(store.db, by, { now: NOW })).toBe(0);
});
