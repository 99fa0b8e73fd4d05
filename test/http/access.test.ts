import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { flagNames } from "../../src/domain/import/roles.ts";
import type { Description } from "../../src/http/describe.ts";
import type { Managed } from "../../src/http/operation.ts";
import type { Sent } from "../support/http.ts";
import { fillMoney } from "../support/money.ts";
import { callers, openSession, stateOf, withTenants } from "../support/tenants.ts";

type Answered = 200 | 400 | 401 | 403 | 404 | 422;

interface Row {
  operation: string;
  sent: Sent;
  /** What staff of the subscriber's branch are answered where that is not 200. */
  branch?: Answered;
  /** What the operator of the box is answered where that is not 200. */
  operator?: Answered;
  /** What the subscriber's reseller is answered where that is not 200. */
  reseller?: Answered;
  /** What others of the same ISP, of another one, of another branch and another reseller are answered. */
  otherTenant: Answered;
  otherBranch: Answered;
  otherReseller: Answered;
}

const ROUTES = join(import.meta.dir, "../../src/http/routes");
const SUBSCRIBER = "/api/v1/subscriber";
const ROLE = "/api/v1/role";
const MONEY = "/api/v1/";

/** Roles belong to an ISP, not to a branch or a reseller: a branch reads them and changes none. */
const ofRoles = { otherTenant: 404, otherBranch: 200, otherReseller: 200 } as const;
const rolesChange = { ...ofRoles, branch: 403, otherBranch: 403 } as const;
const ofSubscribers = { otherTenant: 404, otherBranch: 404, otherReseller: 404 } as const;
const theirs = { otherTenant: 200, otherBranch: 200, otherReseller: 200 } as const;
const notTheirs = { otherTenant: 403, otherBranch: 403, otherReseller: 403 } as const;

/** Everybody has a till of their own, but Resellers; the account of the whole box one in each ISP, which it names. */
const ownTill = { ...theirs, reseller: 403, otherReseller: 403, operator: 400 } as const;

const profile = {
  isp_id: 1,
  branch_id: 11,
  name: "New",
  username: "new",
  password: "pw-new",
  package_id: 1,
  connection_type_id: 1,
  salesperson_id: 2,
  nas_id: 1,
  nic_number: "N-new",
  mobile_number: "M-new",
};
const mac_address = "AA:BB:CC:DD:EE:FF";

const acknowledge = async () => ({ kind: "acknowledged" }) as const;

const nobody = async () => ({ kind: "listed", users: [] }) as const;

/** Every operation of HTTP Basic, on subscriber 1 and role 4 of ISP 1. */
const rows: Row[] = [
  { operation: `GET ${ROLE}/list`, sent: {}, ...theirs },
  { operation: `GET ${ROLE}/get/4`, sent: {}, ...ofRoles },
  {
    operation: `POST ${ROLE}/create`,
    sent: { form: { name: "A", isp_id: 1 } },
    ...rolesChange,
    otherTenant: 403,
  },
  { operation: `POST ${ROLE}/update`, sent: { form: { code: 4, name: "A" } }, ...rolesChange },
  { operation: `DELETE ${ROLE}/delete/4`, sent: {}, ...rolesChange },
  { operation: `GET ${ROLE}/permissions/4`, sent: {}, ...ofRoles },
  {
    operation: `POST ${ROLE}/permissions_update`,
    sent: { form: { role_code: 4, role_view: 1 } },
    ...rolesChange,
  },
  {
    operation: "POST /api/v1/activation/activate",
    sent: { form: { user_id: 1, package_id: 1 } },
    ...ofSubscribers,
  },
  { operation: "POST /api/v1/activation/disconnect", sent: { form: { user_id: 1 } }, ...ofSubscribers },
  { operation: "POST /api/v1/activation/apply", sent: { form: { user_id: 1 } }, ...ofSubscribers },
  { operation: "POST /api/v1/session/end", sent: { form: { session_id: "S1" } }, ...ofSubscribers },
  { operation: `GET ${SUBSCRIBER}/list`, sent: {}, ...theirs },
  { operation: `GET ${SUBSCRIBER}/get/1`, sent: {}, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/create`, sent: { form: profile }, ...notTheirs },
  {
    operation: `POST ${SUBSCRIBER}/update`,
    sent: { form: { username: "user1", name: "A" } },
    ...ofSubscribers,
  },
  { operation: `GET ${SUBSCRIBER}/usage/1`, sent: {}, ...ofSubscribers },
  { operation: `GET ${SUBSCRIBER}/notes/1`, sent: {}, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/note`, sent: { form: { user_id: 1, note: "A" } }, ...ofSubscribers },
  {
    operation: `POST ${SUBSCRIBER}/reset_password`,
    sent: { form: { user_id: 1, new_password: "pw" } },
    ...ofSubscribers,
  },
  {
    operation: `POST ${SUBSCRIBER}/mac_lock`,
    sent: { form: { user_id: 1, mac_address } },
    ...ofSubscribers,
  },
  { operation: `POST ${SUBSCRIBER}/mac_unlock`, sent: { form: { user_id: 1 } }, ...ofSubscribers },
  {
    operation: `POST ${SUBSCRIBER}/change_mac`,
    sent: { form: { user_id: 1, mac_address } },
    ...ofSubscribers,
  },
  {
    operation: `POST ${MONEY}payment/take`,
    sent: { form: { user_id: 1, amount: 1, method: "cash" } },
    ...ofSubscribers,
    reseller: 422,
  },
  { operation: `GET ${MONEY}payment/list`, sent: {}, ...theirs },
  { operation: `GET ${MONEY}payment/get/1`, sent: {}, ...ofSubscribers },
  { operation: `POST ${MONEY}payment/reverse`, sent: { form: { id: 1, reason: "A" } }, ...ofSubscribers },
  {
    operation: `POST ${MONEY}payment/refund`,
    sent: { form: { user_id: 1, amount: 1, method: "cash" } },
    ...ofSubscribers,
  },
  { operation: `GET ${MONEY}wallet/entries?user_id=1`, sent: {}, ...ofSubscribers },
  {
    operation: `POST ${MONEY}wallet/adjust`,
    sent: { form: { user_id: 1, amount: 1, direction: "down", reason: "A" } },
    ...ofSubscribers,
  },
  { operation: `GET ${MONEY}closing/open`, sent: {}, ...ownTill },
  { operation: `POST ${MONEY}closing/close`, sent: { form: { counted: 0 } }, ...ownTill },
  { operation: `GET ${MONEY}closing/list`, sent: {}, ...theirs },
  {
    operation: `POST ${MONEY}closing/confirm`,
    sent: { form: { id: 1 } },
    ...ofSubscribers,
    branch: 403,
    reseller: 404,
  },
  { operation: `GET ${MONEY}invoice/list`, sent: {}, ...theirs },
  { operation: `GET ${MONEY}invoice/get/1`, sent: {}, ...ofSubscribers },
];

describe.each(rows)("$operation", ({ operation, sent, ...others }) => {
  const [method = "", path = ""] = operation.split(" ");
  const table: [caller: string, basic: string | undefined, status: Answered][] = [
    ["an Admin", callers.admin, 200],
    ["the operator of the box", callers.operator, others.operator ?? 200],
    ["the reseller with every flag", callers.reseller, others.reseller ?? 200],
    ["the branch's staff with every flag", callers.branch, others.branch ?? 200],
    ["nobody", undefined, 401],
    ["a wrong password", "ada:wrong", 401],
    ["an unknown account", "eve:secret-1", 401],
    ["a disabled Admin", callers.disabled, 403],
    ["staff without the flag", callers.noFlag, 403],
    ["an Admin of another tenant", callers.otherTenant, others.otherTenant],
    ["staff of another branch", callers.otherBranch, others.otherBranch],
    ["another reseller", callers.otherReseller, others.otherReseller],
  ];
  test.each(table)("%s", async (_caller, basic, expected) => {
    using app = await withTenants({
      routers: { disconnect: acknowledge, changeRate: acknowledge, find: nobody },
    });
    openSession(app, 1);
    fillMoney(app.db, app.clock.now);
    const before = stateOf(app);
    const { status, body } = await app.call(method, path, { ...sent, ...(basic !== undefined && { basic }) });
    expect({ status, body }).toEqual({ status: expected, body: expect.anything() });
    if (expected !== 200) {
      expect(body).toEqual({
        error: expect.any(String),
        ...(expected === 400 && { errors: expect.anything() }),
      });
      expect(stateOf(app)).toEqual(before);
    }
  });
});

interface Served {
  method: string;
  path: string;
  hooks: { detail: Description };
}

test("the table has every operation of HTTP Basic", async () => {
  using app = await withTenants();
  const routes: Served[] = app.app.routes;
  const managed = routes
    .filter(({ method, hooks }) => method !== "ALL" && typeof hooks.detail.access === "object")
    .map(({ method, path }) => `${method} ${path}`);
  const tested = rows.map(({ operation }) =>
    operation.replace(/\?.*/, "").replace(/\/[14]$/, (id) => (id === "/4" ? "/:code" : "/:id")),
  );
  expect(tested.sort()).toEqual(managed.sort());
});

test("every operation that a file of routes declares is served", async () => {
  using app = await withTenants();
  const routes: Served[] = app.app.routes;
  const served = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const declared: string[] = [];
  for (const file of new Glob("*.ts").scanSync(ROUTES))
    for (const [name, value] of Object.entries<unknown>(await import(join(ROUTES, file))))
      if (name.endsWith("Operations"))
        declared.push(...(value as Managed[]).map(({ method, path }) => `${method} ${path}`));
  expect(declared).toHaveLength(rows.length);
  expect(declared.filter((operation) => !served.has(operation))).toEqual([]);
});

test("every flag that an operation of HTTP Basic needs can be set in a role", async () => {
  using app = await withTenants();
  const routes: Served[] = app.app.routes;
  const needed = routes.flatMap(({ hooks: { detail } }) =>
    typeof detail.access === "object" ? [detail.access.flag] : [],
  );
  expect(needed.length).toBeGreaterThan(10);
  expect(new Set(needed).difference(new Set(flagNames(app.db)))).toEqual(new Set());
});

describe("lists show what the caller sees", () => {
  const ids = (body: unknown) => (Array.isArray(body) ? body.map(({ id }) => id) : body);
  test.each([
    ["an Admin", callers.admin, [1, 2]],
    ["the operator", callers.operator, [1, 2, 9]],
    ["a reseller", callers.reseller, [1]],
    ["another reseller", callers.otherReseller, []],
    ["a branch", callers.branch, [1]],
    ["another branch", callers.otherBranch, [2]],
    ["another tenant", callers.otherTenant, [9]],
  ])("%s", async (_caller, basic, expected) => {
    using app = await withTenants();
    const answer = await app.call("GET", `${SUBSCRIBER}/list`, { basic });
    expect(ids(answer.body)).toEqual(expected);
    expect(answer.headers.get("x-total-count")).toBe(String(expected.length));
  });

  test.each([
    ["isp_id=1", [1, 2]],
    ["isp_id=2", [9]],
    ["isp_id=0", [1, 2, 9]],
    ["isp_id=", [1, 2, 9]],
    ["branch_id=12", [2]],
    ["isp_id=2&branch_id=12", []],
    ["isp_id=3", []],
  ])("the operator narrows with %s", async (query, expected) => {
    using app = await withTenants();
    const { body } = await app.call("GET", `${SUBSCRIBER}/list?${query}`, { basic: callers.operator });
    expect(ids(body)).toEqual(expected);
  });

  test.each([
    ["isp_id=2", callers.admin, []],
    ["branch_id=12", callers.branch, []],
    ["branch_id=11", callers.admin, [1]],
  ])("narrowing never widens: %s", async (query, basic, expected) => {
    using app = await withTenants();
    expect(ids((await app.call("GET", `${SUBSCRIBER}/list?${query}`, { basic })).body)).toEqual(expected);
  });
});
