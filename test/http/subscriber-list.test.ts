import { describe, expect, test } from "bun:test";
import { aSubscriber, DAY, newSubscriber } from "../support/isp.ts";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { cli } from "../support/people.ts";
import { NOW } from "../support/store.ts";
import { callers, openSession, withTenants } from "../support/tenants.ts";

const LIST = "/api/v1/subscriber/list";
const basic = callers.admin;

/** Each of these differs from the others in what the filters ask for. */
async function withSubscribers() {
  const app = await withTenants();
  await importDataSet(
    app.db,
    cli,
    {
      subscribers: [
        newSubscriber(3, { username: "Zoë", email: "Zoe@Customers.Example", phone_number: "P3" }),
        aSubscriber(4, { current_expiration_date: formatTime(NOW - DAY), connection_type_id: 2 }),
        aSubscriber(5, { status: 0, sms_status: 1, package_id: 2 }),
        aSubscriber(6, {
          static_ip: "10.0.0.6",
          mac_address: "02:00:00:00:00:06",
          mac_lock: 1,
          salesperson_id: 3,
        }),
        aSubscriber(7, { current_expiration_date: formatTime(NOW) }),
      ],
    },
    { now: NOW },
  );
  openSession(app, 6);
  openSession(app, 4, "S2");
  app.db.$client.run(`UPDATE sessions SET stopped_at = ${NOW} WHERE subscriber_id = 4`);
  return app;
}

const ids = (body: unknown): number[] => (Array.isArray(body) ? body.map(({ id }) => Number(id)) : []);
const all = [1, 2, 3, 4, 5, 6, 7];

describe("filters", () => {
  const cases: [query: string, expected: number[]][] = [
    ["", all],
    ["user_id=3", [3]],
    ["user_id=9", []],
    ["username=ZO%C3%8B", [3]],
    ["username=Zo%65%CC%88", [3]],
    ["username=user", []],
    ["mobile=M4", [4]],
    ["mobile=m4", []],
    ["phone=P3", [3]],
    ["email=ZOE%40customers.example", [3]],
    ["nic=N5", [5]],
    ["package_id=2", [5]],
    ["salesperson_id=3", [6]],
    ["salesperson_id=2", [1]],
    ["nas_id=1", all],
    ["nas_id=2", []],
    ["static_ip=10.0.0.6", [6]],
    ["mac_address=02-00-00-00-00-06", [6]],
    ["mac_address=0200.0000.0006", [6]],
    ["mac_address=020000000006", [6]],
    ["profile_status=disabled", [5]],
    ["profile_status=inactive", [2, 3]],
    ["profile_status=expired", [4, 7]],
    ["profile_status=active", [1, 6]],
    ["connection_status=online", [6]],
    ["connection_status=offline", [1, 2, 3, 4, 5, 7]],
    ["connection_type=2", [4]],
    ["sms_status=1", [5]],
    ["sms_status=0", [1, 2, 3, 4, 6, 7]],
    ["mac_lock=1", [6]],
    ["profile_status=active&connection_status=offline", [1]],
    ["profile_status=active&package_id=2", []],
    ["username=&user_id=3&email=", [3]],
    ["limit=2", [1, 2]],
    ["limit=2&offset=5", [6, 7]],
    ["offset=7", []],
    ["limit=1000&offset=9007199254740991", []],
  ];
  test.each(cases)("%s", async (query, expected) => {
    using app = await withSubscribers();
    const { status, body } = await app.call("GET", `${LIST}?${query}`, { basic });
    expect({ status, ids: ids(body) }).toEqual({ status: 200, ids: expected });
  });

  const malformed: [query: string, field: string][] = [
    ["user_id=0", "user_id"],
    ["user_id=0x10", "user_id"],
    ["user_id=1e0", "user_id"],
    ["user_id=-1", "user_id"],
    ["user_id=1.5", "user_id"],
    ["user_id=9007199254740993", "user_id"],
    ["user_id=1&user_id=2", "user_id"],
    ["package_id=one", "package_id"],
    ["static_ip=10.0.0", "static_ip"],
    ["static_ip=010.0.0.1", "static_ip"],
    ["mac_address=nonsense", "mac_address"],
    ["profile_status=Active", "profile_status"],
    ["connection_status=up", "connection_status"],
    ["connection_type=6", "connection_type"],
    ["sms_status=yes", "sms_status"],
    ["mac_lock=2", "mac_lock"],
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["offset=-1", "offset"],
    ["isp_id=x", "isp_id"],
    ["usernme=sam", "usernme"],
    ["constructor=1", "constructor"],
    ["username[]=sam", "username[]"],
    ["username=a%00b", "username"],
  ];
  test.each(malformed)("%s: 400 that names it", async (query, field) => {
    using app = await withSubscribers();
    const { status, body } = await app.call("GET", `${LIST}?${query}`, { basic });
    expect(status).toBe(400);
    expect(body).toEqual({ error: `check ${field}`, errors: { [field]: [expect.any(String)] } });
  });

  test("__proto__ is a misspelt filter like any other", async () => {
    using app = await withSubscribers();
    const { status, body } = await app.call("GET", `${LIST}?__proto__=1&__proto__=2`, { basic });
    expect({ status, body: JSON.stringify(body) }).toEqual({
      status: 400,
      body: '{"error":"check __proto__","errors":{"__proto__":["is not a filter of this list"]}}',
    });
  });
});

describe("paging", () => {
  test("X-Total-Count counts all matches; Link leads through them with the same filters", async () => {
    using app = await withSubscribers();
    const seen: number[][] = [];
    let next: string | undefined = `${LIST}?sms_status=0&nas_id=1&username=&limit=4`;
    while (next !== undefined) {
      const { headers, body } = await app.call("GET", next, { basic });
      expect(headers.get("x-total-count")).toBe("6");
      seen.push(ids(body));
      const link = headers.get("link");
      next = link === null ? undefined : /^<([^>]+)>; rel="next"$/.exec(link)?.[1];
      if (link !== null) expect(next).toBe(`${LIST}?sms_status=0&nas_id=1&limit=4&offset=4`);
    }
    expect(seen).toEqual([
      [1, 2, 3, 4],
      [6, 7],
    ]);
  });

  test("a hundred are a page unless it is said otherwise", async () => {
    using app = await withSubscribers();
    const subscribers = Array.from({ length: 110 }, (_, index) => newSubscriber(100 + index));
    await importDataSet(app.db, cli, { subscribers }, { now: NOW });
    const { headers, body } = await app.call("GET", LIST, { basic });
    expect(ids(body)).toHaveLength(100);
    expect(headers.get("x-total-count")).toBe("117");
    expect(headers.get("link")).toBe(`<${LIST}?limit=100&offset=100>; rel="next"`);
    const rest = await app.call("GET", `${LIST}?offset=100`, { basic });
    expect(ids(rest.body)).toHaveLength(17);
    expect(rest.headers.get("link")).toBeNull();
  });

  test.each(["admin", "branch", "operator", "otherTenant"] as const)(
    "every page of %s is its part of the whole, also where there is one ISP",
    async (caller) => {
      using app = await withSubscribers();
      const basic = callers[caller];
      const compare = async () => {
        const whole = ids((await app.call("GET", LIST, { basic })).body);
        for (let limit = 1; limit <= 9; limit++)
          for (let offset = 0; offset <= 10; offset++) {
            const { headers, body } = await app.call("GET", `${LIST}?limit=${limit}&offset=${offset}`, {
              basic,
            });
            expect(ids(body)).toEqual(whole.slice(offset, offset + limit));
            expect(headers.get("x-total-count")).toBe(String(whole.length));
          }
        return whole;
      };
      const before = await compare();
      app.db.$client.run("PRAGMA foreign_keys = OFF");
      app.db.$client.run("DELETE FROM subscribers WHERE isp_id = 2");
      expect(await compare()).toEqual(before.filter((id) => id !== 9));
    },
  );

  test("HEAD has the headers too", async () => {
    using app = await withSubscribers();
    const { status, headers } = await app.call("HEAD", `${LIST}?limit=1`, { basic });
    expect({ status, total: headers.get("x-total-count") }).toEqual({ status: 200, total: "7" });
  });
});

test("a record has every key, and the password only for who may reset it", async () => {
  using app = await withSubscribers();
  const { body } = await app.call("GET", `${LIST}?user_id=6`, { basic });
  expect(body).toEqual([
    {
      id: 6,
      isp_id: 1,
      branch_id: 0,
      name: "User 6",
      username: "user6",
      password: "pw-6",
      package_id: 1,
      connection_type_id: 1,
      salesperson_id: 3,
      nas_id: 1,
      nic_number: "N6",
      mobile_number: "M6",
      phone_number: null,
      email: null,
      address: null,
      city_id: null,
      area_id: null,
      subarea_id: null,
      area_data: { area: null, subarea: null, city: null },
      latitude: null,
      longitude: null,
      box_number: null,
      box_address: null,
      uplink_port: null,
      fiber_code: null,
      fiber_color: null,
      switch_board: null,
      switch_port: null,
      backup_connection: null,
      electricity_socket: null,
      cable_type: null,
      static_ip: "10.0.0.6",
      framed_ipv6_prefix: null,
      delegated_ipv6_prefix: null,
      mac_address: "02:00:00:00:00:06",
      mac_lock: 1,
      mac_login: 0,
      sms_status: 0,
      auto_renew: 0,
      any_connection: 0,
      language: null,
      messages_off: 0,
      reply_attributes: null,
      circuit_id: null,
      remote_id: null,
      pool_ip: null,
      pool_prefix: null,
      credit_limit: null,
      archived_at: null,
      balance: 100,
      billing_type: "prepaid",
      profile_status: "active",
      connection_status: "online",
      frozen_since: null,
      current_expiration_date: formatTime(NOW + 10 * DAY),
      created_at: formatTime(NOW),
      updated_at: formatTime(NOW),
      payment_reference: "0068",
    },
  ]);
  expect((await app.call("GET", "/api/v1/subscriber/get/6", { basic })).body).toEqual(
    Array.isArray(body) ? body[0] : undefined,
  );
  app.db.$client.run("UPDATE role_permissions SET value = 0 WHERE flag = 'subscriber_password'");
  const others = await app.call("GET", LIST, { basic: callers.reseller });
  expect(others.body).toMatchObject([{ id: 1, password: null }]);
});
