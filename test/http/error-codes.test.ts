import { expect, test } from "bun:test";
import { refusals } from "../../src/domain/core/errors/codes.ts";
import { calls, inCalls } from "../../src/http/calls.ts";
import { request, type Sent } from "../support/http.ts";
import { callers, sam, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const admin = { basic: callers.admin };
const activation = { json: { user_id: 1, package_id: 1 } };
const login = "/api/v1/users/login";

const cases: [
  name: string,
  call: [method: string, path: string, sent: Sent],
  answer: [status: number, body: object],
  before?: string,
][] = [
  [
    "too little money",
    ["POST", "/api/v1/activation/activate", { ...admin, ...activation }],
    [
      422,
      {
        error: expect.stringContaining("insufficient balance"),
        code: "insufficient_balance",
        next: "Take a payment: payment/take. Then call again.",
      },
    ],
    "UPDATE packages SET price = 99999999",
  ],
  [
    "no reseller",
    ["POST", "/api/v1/activation/activate", { ...admin, ...activation }],
    [
      422,
      {
        error: "the subscriber has no reseller; set its salesperson_id first",
        code: "no_reseller",
        next: "Set its salesperson_id: subscriber/update.",
      },
    ],
    "UPDATE subscribers SET salesperson_id = NULL",
  ],
  [
    "a package that is not there",
    ["POST", "/api/v1/activation/activate", { ...admin, json: { user_id: 1, package_id: 999 } }],
    [404, { error: expect.any(String), code: "not_found", param: "package_id" }],
  ],
  [
    "a permission that is missing",
    ["GET", "/api/v1/audit/list", { basic: callers.branch }],
    [
      403,
      {
        error: expect.stringContaining("audit_view"),
        code: "permission_missing",
        param: "audit_view",
        next: expect.stringContaining("role/permissions_update"),
      },
    ],
    "DELETE FROM role_permissions WHERE flag = 'audit_view'",
  ],
  [
    "a username that somebody has",
    ["POST", "/api/v1/subscriber/create", { ...admin, json: { ...sam, username: "user1" } }],
    [
      400,
      {
        error: "check username",
        code: "taken",
        param: "username",
        errors: { username: ["is taken by another subscriber"] },
      },
    ],
  ],
  [
    "disconnecting that is off, by a call in place of a command",
    ["POST", "/api/v1/activation/disconnect", { ...admin, json: { user_id: 1 } }],
    [
      422,
      {
        error: "disconnecting is switched off; switch it on with: setting/set disconnect_enabled true",
        code: "disconnect_disabled",
        next: "Switch disconnect_enabled on: setting/set.",
      },
    ],
    "INSERT INTO settings (isp_id, key, value) VALUES (0, 'disconnect_enabled', 'false')",
  ],
  [
    "a sign-in of staff",
    ["POST", login, { json: { email: "ada", password: "wrong" } }],
    [401, { status: "error", message: "wrong username or password", code: "wrong_credentials" }],
  ],
  [
    "a field of a sign-in of staff",
    ["POST", login, { json: { email: "ada" } }],
    [
      422,
      {
        status: "error",
        message: "check password",
        code: "required",
        param: "password",
        errors: { password: ["is required"] },
      },
    ],
  ],
  [
    "a token of staff, which has its message alone",
    ["GET", "/api/v1/users/profile", { bearer: "1|none" }],
    [401, { message: expect.any(String) }],
  ],
  [
    "a sign-in of a subscriber",
    ["POST", "/api/v1/subscriber/login", { json: { username: "user1", password: "wrong" } }],
    [401, { success: false, message: expect.any(String), code: "wrong_credentials" }],
  ],
];

const answerOf = async ({ app }: Tenants, [method, path, sent]: [string, string, Sent]) => {
  const response = await app.handle(request(method, path, sent));
  return [response.status, await response.json()];
};

test.each(cases.map(([name, call, answer, before]) => ({ name, call, answer, before })))(
  "$name",
  async (row) => {
    const { call, answer, before } = row;
    using app = await withTenants();
    if (before) app.db.$client.run(before);
    expect(await answerOf(app, call)).toEqual(answer);
  },
);

test.each([
  ["see: gatehouse staff list", "see: staff/list"],
  ["keep one with: gatehouse nas config 7 save", "keep one with: nas/config/save"],
  [
    'make it larger (gatehouse pool set "homes" --range RANGE)',
    'make it larger (address_pool/update "homes" range)',
  ],
  ["see: gatehouse nas list --json", "see: nas/list"],
  ["detach them (--detach, detach=1), or not", "detach them (detach=1), or not"],
  ["the service of gatehouse is theirs -- not ours", "the service of gatehouse is theirs -- not ours"],
])("the API says %p as %p", (said, words) => {
  expect(inCalls(said)).toBe(words);
});

test("every call that a refusal names is one that there is", async () => {
  using app = await withTenants();
  const paths = [...new Set(app.app.routes.map(({ path }) => path))];
  const isCall = (name: string) =>
    paths.some((path) => path === `/api/v1/${name}` || path.startsWith(`/api/v1/${name}/:`));
  const next = Object.values(refusals).map((meaning) => ("next" in meaning ? meaning.next : ""));
  const named = next.flatMap((text) => text.match(/\b[a-z_]+\/[a-z_]+\b/g) ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect([...named, ...Object.values(calls)].filter((name) => !isCall(name))).toEqual([]);
});
