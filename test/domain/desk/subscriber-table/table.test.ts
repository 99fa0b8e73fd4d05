import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { loadActor } from "../../../../src/domain/people/staff/sign-in.ts";
import { setTableColumns, tableColumns } from "../../../../src/domain/people/staff/table-columns.ts";
import {
  everyTableRow,
  subscriberTable,
  tableIds,
} from "../../../../src/domain/desk/subscriber-table/table.ts";
import { readTableFilters } from "../../../../src/domain/desk/subscriber-table/table-filters.ts";
import {
  countSilent,
  tableViews,
  viewFilters,
} from "../../../../src/domain/desk/subscriber-table/table-views.ts";
import { by, DAY } from "../../../support/isp.ts";
import { officePeople as copyOfOfficePeople } from "../../../support/office-people.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const officePeople = undoneStores(copyOfOfficePeople);

const at = { now: NOW };
const ofIsp: Actor = { ...by, scope: { ...everything, ispId: 1 } };
const ofBranch: Actor = { ...by, scope: { ...everything, ispId: 1, branchId: 11 } };

function actor(db: Db, id: number): Actor {
  const found = loadActor(db, id, "192.0.2.1");
  if (!found) throw new Error(`there is no account ${id}`);
  return found;
}

describe("filters", () => {
  const cases: [query: Record<string, string>, expected: number[]][] = [
    [{}, [1, 7, 8, 10, 2, 3, 6, 4, 5]],
    [{ status: "active" }, [1, 7, 10, 2, 6]],
    [{ status: "expired" }, [3]],
    [{ status: "disabled" }, [8, 4]],
    [{ status: "inactive" }, [5]],
    [{ status: "expired,inactive" }, [3, 5]],
    [{ line: "online" }, [1, 7, 3, 6]],
    [{ line: "garden" }, [3]],
    [{ line: "offline", status: "active" }, [10, 2]],
    [{ package: "2" }, [6]],
    [{ package: "2,3" }, [6]],
    [{ router: "2" }, [2, 6]],
    [{ area: "1" }, [1, 2]],
    [{ area: "1,2", router: "1" }, [1, 3, 4]],
    [{ salesperson: "2" }, []],
    [{ owes: "1" }, [3, 4]],
    [{ box: "BOX-7" }, [5]],
    [{ no_login_for: "14", status: "active" }, [10]],
    [{ expires_from: "2030-01-15", expires_to: "2030-01-17" }, [7, 6]],
    [{ sort: "-balance", owes: "1" }, [3, 4]],
    [{ sort: "expires", status: "active" }, [7, 6, 1, 2, 10]],
    [{ page: "2" }, [1, 7, 8, 10, 2, 3, 6, 4, 5]], // there is one page
  ];
  test.each(cases)("%j", async (query, expected) => {
    using store = await officePeople();
    const filters = readTableFilters(query);
    const { rows, total, everybody } = subscriberTable(store.db, ofIsp, filters, at);
    expect({ ids: rows.map(({ id }) => id), total, everybody }).toEqual({
      ids: expected,
      total: expected.length,
      everybody: 9,
    });
    expect(tableIds(store.db, ofIsp, filters, at)).toEqual(expected);
    const streamed = [...everyTableRow(store.db, ofIsp, filters, at)].flat();
    expect(streamed.map(({ id }) => id)).toEqual(expected);
  });

  test.each<[Record<string, string>, string]>([
    [{ status: "gone" }, "status"],
    [{ status: "active,gone" }, "status"],
    [{ area: "0" }, "area"],
    [{ area: "1;2" }, "area"],
    [{ router: Array.from({ length: 101 }, (_, index) => index + 1).join(",") }, "router"],
    [{ name: "a" }, "name"],
  ])("%j is refused by its name", (query, name) => {
    expect(() => readTableFilters(query)).toThrow(`check ${name}`);
  });
});

test("each row says how its line is, what it owes, and when it ends", async () => {
  using store = await officePeople();
  const { rows, sums } = subscriberTable(store.db, ofIsp, {}, at);
  const states = Object.fromEntries(rows.map(({ id, status, line }) => [id, [status, line]]));
  expect(states).toEqual({
    1: ["active", { kind: "online", since: NOW - 18_000 }],
    2: ["active", { kind: "refused", times: 4, since: NOW - 597 }],
    3: ["expired", { kind: "garden", since: NOW - 7200 }],
    4: ["disabled", { kind: "never" }],
    5: ["inactive", { kind: "never" }],
    6: ["active", { kind: "unsure", since: NOW - 660 }],
    7: ["active", { kind: "online", since: NOW - 20 * DAY }],
    8: ["disabled", { kind: "never" }],
    10: ["active", { kind: "offline", since: NOW - 16 * DAY }],
  });
  expect(rows.find(({ id }) => id === 8)).toMatchObject({ isFrozen: true, expiresAt: NOW + 11 * DAY });
  expect(sums).toEqual({ balances: 48_200, owed: 1800 });
});

test("a refusal counts while it is the newest that happened, and of the last hour", async () => {
  using store = await officePeople();
  const lineOf = (now: number) =>
    subscriberTable(store.db, by, { router: [2], status: ["active"] }, { now }).rows[0]?.line;
  expect(lineOf(NOW + 3600)).toEqual({ kind: "offline", since: NOW - 3 * 3600 });
  store.db.$client.run(`UPDATE sessions SET stopped_at = ${NOW - 60} WHERE subscriber_id = 2`);
  expect(lineOf(NOW)).toEqual({ kind: "offline", since: NOW - 60 });
});

test.each([
  ["the box", by],
  ["an ISP", ofIsp],
  ["a branch", ofBranch],
])("the count of a view is that of its list: %s", async (_, who) => {
  using store = await officePeople();
  store.db.$client.run(`UPDATE services SET expires_at = ${NOW - 60} WHERE subscriber_id = 4`); // lapsed, but disabled
  const counts = { ...subscriberTable(store.db, who, {}, at).views, silent: countSilent(store.db, who, at) };
  for (const view of tableViews) {
    const { total } = subscriberTable(store.db, who, viewFilters(view, NOW), at);
    expect({ view, count: counts[view] }).toEqual({ view, count: total });
  }
});

test("who sees no wallets gets no sums", async () => {
  using store = await officePeople();
  expect(subscriberTable(store.db, actor(store.db, 3), {}, at).sums).toBeNull();
  expect(subscriberTable(store.db, actor(store.db, 4), {}, at).sums).toEqual({ balances: 10_000, owed: 0 });
});

test("columns are one's own", async () => {
  using store = await officePeople();
  const [sal, mia] = [actor(store.db, 3), actor(store.db, 4)];
  const usual = tableColumns(store.db, mia);
  setTableColumns(store.db, sal, { columns: ["box", "username"] });
  setTableColumns(store.db, sal, { columns: ["line", "username"] });
  expect([tableColumns(store.db, sal), tableColumns(store.db, mia)]).toEqual([["username", "line"], usual]);
  expect(() => setTableColumns(store.db, sal, { columns: ["password"] })).toThrow("must be some of");
  expect(() => setTableColumns(store.db, by, { columns: [] })).toThrow("accounts of staff");
});
