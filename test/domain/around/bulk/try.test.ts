import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { listBulkRows } from "../../../../src/domain/around/bulk/jobs.ts";
import type { BulkName } from "../../../../src/domain/around/bulk/operations.ts";
import { runBulk } from "../../../../src/domain/around/bulk/run.ts";
import { startBulk } from "../../../../src/domain/around/bulk/start.ts";
import { type Tried, tryBulk } from "../../../../src/domain/around/bulk/try.ts";
import type { Input } from "../../../../src/domain/core/fields/fields.ts";
import { by, DAY } from "../../../support/isp.ts";
import { officePeople as copyOfOfficePeople } from "../../../support/office-people.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const officePeople = undoneStores(copyOfOfficePeople);

const at = { now: NOW };
const everybody = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

const words = ({ id, outcome }: Tried) =>
  outcome.kind === "refused" ? `${id}: ${outcome.message}` : `${id}: ${outcome.kind}`;

const dump = ({ $client }: Db) =>
  ["subscribers", "services", "extensions", "audit_entries", "login_stamps", "sqlite_sequence"].map((table) =>
    $client.query(`SELECT * FROM ${table}`).values(),
  );

test("says who will be extended until when, and who will not and why, and changes nothing", async () => {
  using store = await officePeople();
  const before = dump(store.db);
  const input = { hours: "24", reason: "outage" };
  const { tried, total } = await tryBulk(
    store.db,
    by,
    { operation: "extend", ids: everybody, values: input },
    at,
  );
  expect(total).toBe(10);
  expect(tried.map(words)).toEqual([
    "1: done",
    "2: done",
    "3: done",
    "4: the subscriber is disabled; enable it first",
    "5: the subscriber was never activated; activate a package first",
    "6: done",
    "7: done",
    expect.stringContaining("8: the service has been frozen since"),
    "9: there is no subscriber 9",
    "10: done",
  ]);
  const [one, , three] = tried;
  expect(one).toMatchObject({ hasEnded: false, outcome: { effect: { expiresAt: NOW + 11 * DAY } } });
  expect(three).toMatchObject({ hasEnded: true, outcome: { effect: { expiresAt: NOW + DAY } } });
  expect(dump(store.db)).toEqual(before);
});

const operations: [operation: BulkName, given: Input, same: number[]][] = [
  ["extend", { hours: "24", reason: "outage" }, []],
  ["extend", { until: "2030-01-20 12:00:00", reason: "outage" }, []],
  ["disable", {}, [4]],
  ["enable", {}, [1, 2, 3, 5, 6, 7, 8, 10]],
  ["package", { package_id: "2" }, [6]],
  ["salesperson", { salesperson_id: "1" }, [1, 2, 3, 4, 5, 6, 7, 8, 10]],
  ["router", { nas_id: "2" }, [2, 6]],
  ["area", { area_id: "1" }, [1, 2]],
  ["sms", { sms_status: "1" }, []],
  ["auto_renew", { auto_renew: "1" }, []],
  ["auto_renew", { auto_renew: "0" }, [1, 2, 3, 4, 5, 6, 7, 8, 10]],
  ["package", { package_id: "99" }, []],
];
test.each(operations)("%s %j does what was said of it", async (operation, input, same) => {
  using store = await officePeople();
  const { db } = store;
  const { tried } = await tryBulk(db, by, { operation, ids: everybody, values: input }, at);
  const id = startBulk(db, by, { operation, ids: everybody, values: input }, at);
  await runBulk(db, by, { clock: () => NOW });
  const page = { result: null, descending: false, limit: 20, offset: 0 };
  const results = listBulkRows(db, by, id, page).rows.map((row) => row.message);
  const text = tried.map(({ outcome }) => (outcome.kind === "refused" ? outcome.message.toString() : null));
  expect(text).toEqual(results);
  expect(tried.filter(({ outcome }) => outcome.kind === "same").map((one) => one.id)).toEqual(same);
});

test("is refused without what the operation takes, and without its flag", async () => {
  using store = await officePeople();
  const extend = { operation: "extend" as const, ids: [1], values: { hours: "1" } };
  await expect(tryBulk(store.db, by, extend, at)).rejects.toMatchObject({
    fields: { reason: ["is required"] },
  });
  const desk = { ...by, admin: false, flags: new Set(["subscriber_bulk"]) };
  await expect(
    tryBulk(store.db, desk, { ...extend, values: { hours: "1", reason: "x" } }, at),
  ).rejects.toThrow("subscriber_extend is missing");
});
