import { beforeAll, describe, expect, test } from "bun:test";
import type { Db } from "../../db/open.ts";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { operator } from "../../src/domain/core/actor/operator.ts";
import { everyListed, listSubscribers, readFilters } from "../../src/domain/goods/subscribers/list.ts";
import type { SubscriberRecord } from "../../src/domain/goods/subscribers/record.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { aSubscriber, by, DAY, loadIsp, newSubscriber } from "../support/isp.ts";
import { cli } from "../support/people.ts";
import { NOW, undoneEmptyStores } from "../support/store.ts";
import { callers, openSession, undoneTenants } from "../support/tenants.ts";

const temporaryStore = undoneEmptyStores();

const withTenants = undoneTenants();

const LIST = "/api/v1/subscriber/list";
const basic = callers.admin;
const ids = (body: unknown): number[] => (Array.isArray(body) ? body.map(({ id }) => Number(id)) : []);
const day = (seconds: number) => formatTime(seconds).slice(0, 10);

/** Subscriber 1 is active for ten days, 2 was never activated; the others differ in what the filters ask for. */
async function withSubscribers() {
  const app = await withTenants();
  await importDataSet(
    app.db,
    cli,
    {
      subscribers: [
        aSubscriber(3, {
          name: "anna",
          username: "zed",
          current_expiration_date: formatTime(NOW + 2 * DAY),
          balance: "-5.00",
        }),
        aSubscriber(4, {
          name: "Bert",
          username: "Yan",
          city_id: 1,
          area_id: 1,
          subarea_id: 1,
          balance: "7.00",
        }),
        newSubscriber(5, { name: "aaron", username: "xia", box_number: "B-1", balance: "0.00" }),
        aSubscriber(6, { name: "Zoe", username: "wim", balance: "100.01", auto_renew: 1 }),
      ],
    },
    { now: NOW },
  );
  openSession(app, 3);
  openSession(app, 4, "S2");
  app.db.$client.run(`UPDATE sessions SET started_at = ${NOW - 40 * DAY}, updated_at = ${NOW}`);
  app.db.$client.run(`UPDATE sessions SET stopped_at = ${NOW - 39 * DAY} WHERE subscriber_id = 4`);
  openSession(app, 6, "S3");
  app.db.$client.run(`UPDATE subscribers SET created_at = ${NOW - 100 * DAY} WHERE id <= 2`);
  app.db.$client.run(
    `UPDATE subscribers SET archived_at = ${NOW}, status = 0, username_key = username_key || char(0) || id WHERE id = 1`,
  );
  return app;
}

describe("what a day needs", () => {
  const cases: [query: string, expected: number[]][] = [
    ["", [2, 3, 4, 5, 6]],
    ["archived=1", [1]],
    ["archived=0", [2, 3, 4, 5, 6]],
    ["archived=1&username=user1", []], // the name is free
    [`expires_from=${day(NOW + 3 * DAY)}`, [4, 6]],
    [`expires_to=${day(NOW + 2 * DAY)}`, [3]],
    [`expires_from=${day(NOW)}&expires_to=${day(NOW + 2 * DAY)}`, [3]],
    [`expires_from=${formatTime(NOW + 2 * DAY + 1).replace(" ", "%20")}`, [4, 6]],
    ["balance_lt=0", [3]],
    ["balance_lt=-5.00", []],
    ["balance_lt=7", [3, 5]],
    ["balance_gt=100", [6]],
    ["balance_gt=-1&balance_lt=1", [5]],
    ["city_id=1", [4]],
    ["area_id=1&subarea_id=1", [4]],
    ["area_id=2", []],
    ["branch_id=12", [2]],
    ["salesperson_id=1", [2, 3, 4, 5, 6]],
    ["box_number=B-1", [5]],
    ["auto_renew=1", [6]],
    ["auto_renew=0", [2, 3, 4, 5]],
    ["no_login_for=30", [2, 4, 5]],
    ["no_login_for=60", [2, 5]],
    [`created_from=${day(NOW - DAY)}`, [3, 4, 5, 6]],
    [`created_to=${day(NOW - DAY)}`, [2]],
    ["sort=name", [5, 3, 4, 2, 6]],
    ["sort=-name", [6, 2, 4, 3, 5]],
    ["sort=username", [2, 6, 5, 4, 3]],
    ["sort=-username", [3, 4, 5, 6, 2]],
    ["sort=expires", [3, 4, 6, 2, 5]],
    ["sort=-expires", [6, 4, 3, 2, 5]],
    ["sort=expires&limit=2&offset=2", [6, 2]],
    ["sort=expires&limit=2&offset=4", [5]],
    ["sort=balance", [3, 5, 4, 2, 6]],
    ["sort=-balance&limit=1", [6]],
    ["sort=created_at", [2, 3, 4, 5, 6]],
    ["sort=-created_at", [6, 5, 4, 3, 2]],
    ["sort=-id&limit=2&offset=3", [3, 2]],
    ["sort=name&offset=5", []],
  ];
  test.each(cases)("%s", async (query, expected) => {
    using app = await withSubscribers();
    const { status, body } = await app.call("GET", `${LIST}?${query}`, { basic });
    expect({ status, ids: ids(body) }).toEqual({ status: 200, ids: expected });
  });

  test.each([
    ["sort=price", "sort"],
    ["balance_lt=1.234", "balance_lt"],
    ["expires_from=tomorrow", "expires_from"],
    ["no_login_for=0", "no_login_for"],
    ["archived=2", "archived"],
    ["frozen=1", "frozen"],
  ])("%s: 400 that names it", async (query, field) => {
    using app = await withSubscribers();
    const { status, body } = await app.call("GET", `${LIST}?${query}`, { basic });
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: `check ${field}`, errors: { [field]: [expect.any(String)] } },
    });
  });

  test("the next page keeps filters and order", async () => {
    using app = await withSubscribers();
    const { headers } = await app.call("GET", `${LIST}?sort=-name&auto_renew=0&limit=2`, { basic });
    expect(headers.get("x-total-count")).toBe("4");
    expect(headers.get("link")).toBe(`<${LIST}?sort=-name&auto_renew=0&limit=2&offset=2>; rel="next"`);
  });

  test("a file has all that match, in the order, whatever the page", async () => {
    using app = await withSubscribers();
    const { status, headers, body } = await app.call("GET", `${LIST}?sort=name&limit=1`, {
      basic,
      headers: { accept: "text/csv" },
    });
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    const lines = String(body).trim().split("\r\n");
    expect(lines[0]).toStartWith("id,isp_id,branch_id,name,username");
    expect(lines.slice(1).map((line) => Number(line.split(",")[0]))).toEqual([5, 3, 4, 2, 6]);
  });
});

describe("of thousands", () => {
  const COUNT = 4300;
  let db: Db;
  let everybody: SubscriberRecord[];
  const whole = operator("root", "cli");

  beforeAll(async () => {
    ({ db } = temporaryStore());
    const subscribers = Array.from({ length: COUNT }, (_, index) => {
      const id = index + 1;
      const more = {
        name: `${"pqrs"[id % 4]} ${(id * 7919) % 100}`,
        balance: ((id * 31) % 50) - 20,
        branch_id: 11,
      };
      const current_expiration_date = formatTime(NOW + ((id * 13) % 40) * DAY);
      return id % 10 === 0 ? newSubscriber(id, more) : aSubscriber(id, { ...more, current_expiration_date });
    });
    await loadIsp(db, { subscribers });
    db.$client.run(
      `UPDATE subscribers SET archived_at = ${NOW}, status = 0, username_key = username_key || char(0) || id WHERE id % 43 = 0`,
    );
    everybody = listAll({});
  });

  const listAll = (query: Record<string, string>) =>
    [...everyListed(db, by, readFilters(query), { now: NOW })].flat();

  const keys: Record<string, (record: SubscriberRecord) => string | number | null> = {
    name: ({ name }) => name,
    username: ({ username }) => username,
    expires: ({ current_expiration_date: at }) => at,
    balance: ({ balance }) => balance,
    created_at: ({ created_at }) => created_at,
    id: ({ id }) => id,
  };

  function sorted(sort: string): number[] {
    const backwards = sort.startsWith("-");
    const key = keys[sort.replace("-", "")] ?? (() => 0);
    const compare = (a: SubscriberRecord, b: SubscriberRecord) => {
      const [one, other] = [key(a), key(b)];
      if (one === null || other === null) return Number(one === null) - Number(other === null) || a.id - b.id;
      const order = one < other ? -1 : one > other ? 1 : a.id - b.id;
      return backwards ? -order : order;
    };
    return everybody.toSorted(compare).map(({ id }) => id);
  }

  const scopes = {
    everybody: whole,
    branch: { ...whole, scope: { ispId: 1, branchId: 11, salespersonId: null } },
  };
  const orders = Object.keys(keys).flatMap((name) => [name, `-${name}`]);
  test.each(orders)("by %s, on any page", (sort) => {
    const expected = sorted(sort);
    expect(expected).toHaveLength(COUNT - 100);
    expect(listAll({ sort }).map(({ id }) => id)).toEqual(expected);
    for (const actor of Object.values(scopes))
      for (const offset of [0, 900, 1500, 3000, 3775, 3790, 4150, 4195, 4300]) {
        const filters = readFilters({ sort, limit: "20", offset: String(offset) });
        const { records, total } = listSubscribers(db, actor, filters, { now: NOW });
        expect(total).toBe(expected.length);
        expect(records.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 20));
      }
  });
});
