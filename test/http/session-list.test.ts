import { describe, expect, test } from "bun:test";
import { recordDecisions } from "../../src/domain/service/access/auth-log.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { DAY } from "../support/isp.ts";
import { insertSessions } from "../support/sessions.ts";
import { NOW } from "../support/store.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

const LIST = "/api/v1/session/list";
const day = (at: number) => formatTime(at).slice(0, 10);

/** Sessions by their id: open ones, past ones of other days, and one of a name that is nobody's. */
async function someSessions() {
  const app = await withTenants();
  const stoppedAt = NOW - DAY;
  insertSessions(
    app.db,
    { acctSessionId: "past", startedAt: NOW - 5 * DAY, stoppedAt, mac: "AA:BB:CC:DD:EE:01" },
    { acctSessionId: "late", startedAt: NOW - 9 * DAY, stoppedAt, framedIp: "10.0.0.9" },
    { acctSessionId: "open", startedAt: NOW - 2 * DAY, framedIp: "10.0.0.7" },
    { acctSessionId: "v6", startedAt: NOW - DAY, framedIpv6Prefix: "2001:db8:1::/64" },
    { acctSessionId: "south", startedAt: NOW - DAY, nasId: 2, username: "user9", subscriberId: 9 },
    { acctSessionId: "stranger", startedAt: NOW, username: "x", subscriberId: null },
  );
  return app;
}

const found = async (app: Tenants, query: string, basic = callers.admin) => {
  const { body } = await app.call("GET", `${LIST}${query}`, { basic });
  return Array.isArray(body) ? body.map(({ session_id }) => session_id) : body;
};

describe("session/list", () => {
  test.each([
    ["", ["stranger", "v6", "open", "past", "late"]],
    ["?open=1", ["stranger", "v6", "open"]],
    ["?open=0", ["past", "late"]],
    ["?user_id=1&open=0", ["past", "late"]],
    ["?user_id=2", []],
    ["?nas_id=1&open=1", ["stranger", "v6", "open"]],
    ["?nas_id=1&user_id=1", ["v6", "open", "past", "late"]],
    ["?package_id=1", ["v6", "open", "past", "late"]],
    ["?package_id=2", []],
    ["?package_id=1&open=1&address=10.0.0.7", ["open"]],
    ["?address=2001:db8:1::5", ["v6"]],
    ["?mac_address=aabbccddee01", ["past"]],
    [`?from=${day(NOW - 5 * DAY)}&to=${day(NOW - 2 * DAY)}`, ["open", "past"]],
    ["?limit=2", ["stranger", "v6"]],
    ["?before=3", ["past", "late"]],
    ["?before=3&limit=1", ["past"]],
    ["?before=2", []],
    ["?before=99", []],
    ["?branch_id=11", ["v6", "open", "past", "late"]],
    ["?branch_id=12", []],
  ])("%s", async (query, expected) => {
    using app = await someSessions();
    expect(await found(app, query)).toEqual(expected);
  });

  test.each([
    ["operator", ["stranger", "south", "v6", "open", "past", "late"]],
    ["otherTenant", ["south"]],
    ["branch", ["v6", "open", "past", "late"]],
    ["reseller", ["v6", "open", "past", "late"]],
    ["otherReseller", []],
  ] as const)("%s sees its own", async (caller, expected) => {
    using app = await someSessions();
    expect(await found(app, "?nas_id=", callers[caller])).toEqual([...expected]);
  });

  test.each([
    ["?nas_id=2", 404],
    ["?adress=10.0.0.7", 400],
    ["?address=10.0.0", 400],
    ["?open=yes", 400],
  ])("%s is refused", async (query, status) => {
    using app = await someSessions();
    expect((await app.call("GET", `${LIST}${query}`, { basic: callers.admin })).status).toBe(status);
  });

  test("pages lead to each other, and so do those of many subscribers", async () => {
    using app = await someSessions();
    // more than are looked up one by one
    app.db.$client.run("PRAGMA foreign_keys = OFF");
    const other = app.db.$client
      .query<Record<string, never>, []>("SELECT * FROM subscribers WHERE id = 2")
      .get();
    const columns = Object.keys(other ?? {}).filter(
      (name) => !["id", "username", "username_key"].includes(name),
    );
    app.db.$client.run(
      `WITH RECURSIVE k(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM k WHERE n < 2200)
       INSERT INTO subscribers (id, username, username_key, ${columns}) SELECT n, 'u' || n, 'u' || n, ${columns} FROM k, subscribers WHERE id = 2`,
    );
    const pages: unknown[] = [];
    for (let path = `${LIST}?limit=2`; path !== "";) {
      const { body, headers } = await app.call("GET", path, { basic: callers.admin });
      pages.push(Array.isArray(body) ? body.map(({ session_id }) => session_id) : body);
      path = /<(.*)>/.exec(headers.get("link") ?? "")?.[1] ?? "";
    }
    expect(pages).toEqual([["stranger", "v6"], ["open", "past"], ["late"]]);
  });

  test("of a subscriber, with the whole record, and as a file", async () => {
    using app = await someSessions();
    const path = "/api/v1/subscriber/sessions/1?limit=1";
    const { body, headers } = await app.call("GET", path, { basic: callers.admin });
    expect(body).toEqual([
      {
        id: 4,
        username: "user1",
        name: "User 1",
        user_id: 1,
        ip: null,
        ipv6_prefix: "2001:db8:1::/64",
        ipv6_delegated_prefix: null,
        mac: null,
        nas: "core",
        nas_ip: "127.0.0.1",
        session_id: "v6",
        start_time: formatTime(NOW - DAY),
        last_update: formatTime(NOW - 60),
        stop_time: null,
        terminate_cause: null,
        session_time: 3540,
        input_octets: 1000,
        output_octets: 2000,
      },
    ]);
    expect(headers.get("link")).toBe('</api/v1/subscriber/sessions/1?limit=1&before=4>; rel="next"');
    const sent = { headers: { accept: "text/csv" }, basic: callers.admin };
    const csv = await app.call("GET", "/api/v1/subscriber/sessions/1?open=1", sent);
    expect(String(csv.body).split("\r\n")).toHaveLength(4);
  });
});

test("session/who names who had an address at a time", async () => {
  using app = await someSessions();
  const who = async (query: string) => {
    const { body } = await app.call("GET", `/api/v1/session/who?${query}`, { basic: callers.admin });
    return Array.isArray(body) ? body.map(({ session_id, name }) => [session_id, name]) : body;
  };
  expect(await who("address=10.0.0.7")).toEqual([["open", "User 1"]]);
  expect(await who("address=10.0.0.9")).toEqual([]);
  expect(await who(`address=10.0.0.9&at=${encodeURIComponent(formatTime(NOW - 3 * DAY))}`)).toEqual([
    ["late", "User 1"],
  ]);
  expect(await who("address=x")).toMatchObject({
    errors: { address: ["must be an IPv4 or IPv6 address, or an IPv6 prefix such as 2001:db8::/56"] },
  });
});

describe("login/list", () => {
  async function someLogins() {
    const app = await withTenants();
    const decided = (username: string, reason: string, more: object = {}) => ({
      at: NOW - DAY,
      nasId: 1,
      nasAddress: "127.0.0.1",
      username,
      reason,
      class: null,
      subscriberId: username === "user1" ? 1 : null,
      accepted: reason === "accepted",
      ...more,
    });
    recordDecisions(app.db, [
      decided("user1", "accepted"),
      decided("user1", "expired", { at: NOW, mac: "AA:BB:CC:DD:EE:01", method: "pap" }),
      decided("x", "unknown_user"),
      decided("y", "unknown_user", { nasId: 2 }),
    ]);
    return app;
  }
  const ids = async (app: Tenants, path: string, basic = callers.admin) => {
    const { body } = await app.call("GET", path, { basic });
    return Array.isArray(body) ? body.map(({ id }) => id) : body;
  };

  test.each([
    ["", [3, 2, 1]],
    ["?accepted=0", [3, 2]],
    ["?username=x", [3]],
    ["?user_id=1", [2, 1]],
    ["?user_id=1&username=user1&reason=expired", [2]],
    ["?mac_address=AA-BB-CC-DD-EE-01", [2]],
    ["?reason=unknown_user", [3]],
    ["?nas_id=1&limit=1", [3]],
    ["?before=3", [2, 1]],
    [`?from=${day(NOW)}`, [2]],
    [`?to=${day(NOW - DAY)}`, [3, 1]],
    [`?to=${day(NOW - DAY)}&before=3`, [1]],
    [`?to=${day(NOW - 9 * DAY)}`, []],
  ])("%s", async (query, expected) => {
    using app = await someLogins();
    expect(await ids(app, `/api/v1/login/list${query}`)).toEqual(expected);
  });

  test.each([
    ["operator", [4, 3, 2, 1]],
    ["otherTenant", [4]],
    ["reseller", [2, 1]],
    ["branch", [2, 1]],
    ["otherBranch", []],
  ] as const)(
    "%s sees those of its subscribers, and of nobody's names at its ISP's routers",
    async (caller, expected) => {
      using app = await someLogins();
      expect(await ids(app, "/api/v1/login/list", callers[caller])).toEqual([...expected]);
    },
  );

  test("of a subscriber, with the reason in words", async () => {
    using app = await someLogins();
    const { body } = await app.call("GET", "/api/v1/subscriber/logins/1?accepted=0", {
      basic: callers.admin,
    });
    expect(body).toEqual([
      {
        id: 2,
        at: formatTime(NOW),
        username: "user1",
        user_id: 1,
        name: "User 1",
        accepted: 0,
        reason: "expired",
        words: "rejected: expired; activate a package",
        method: "pap",
        mac: "AA:BB:CC:DD:EE:01",
        nas_id: 1,
        nas: "core",
        nas_ip: "127.0.0.1",
      },
    ]);
  });

  test("a reason that there is not is refused", async () => {
    using app = await someLogins();
    const path = "/api/v1/login/list?reason=late";
    expect((await app.call("GET", path, { basic: callers.admin })).status).toBe(400);
  });
});
