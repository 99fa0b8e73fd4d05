import { describe, expect, test } from "bun:test";
import { write } from "../../db/open.ts";
import { issueStaffToken } from "../../src/domain/people/staff/tokens.ts";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const STAFF = "/api/v1/staff";
const basic = callers.admin;

const rex = {
  id: 2,
  name: "Rex",
  username: "rex",
  email: "",
  phone: "",
  profile_type: 3,
  isp_id: 1,
  branch_id: 0,
  role_code: 1,
  status: 1,
  credit_limit: 0,
};

const post = (app: Tenants, action: string, json: object, caller = basic) =>
  app.call("POST", `${STAFF}/${action}`, { basic: caller, json });

/** Changes roles 1, which has every flag of these tests, to lack one. */
const take = ({ db }: Tenants, flag: string) =>
  db.$client.run("UPDATE role_permissions SET value = 0 WHERE role_code = 1 AND flag = ?", [flag]);

describe("accounts", () => {
  test.each([
    ["profile_type=3", ["rex", "rob"], "2"],
    ["profile_type=3&sort=-username", ["rob", "rex"], "2"],
    ["sort=id&limit=2&offset=1", ["rex", "rob"], "7"],
    ["username=ADA", ["ada"], "1"],
    ["email=Ada@ISP.example", ["ada"], "1"],
    ["status=0", ["off"], "1"],
    ["role_code=2", ["nil"], "1"],
  ])("list?%s", async (query, usernames, total) => {
    using app = await withTenants();
    const { body, headers } = await app.call("GET", `${STAFF}/list?${query}`, { basic });
    const listed: { username: string }[] = Array.isArray(body) ? body : [];
    expect(listed.map(({ username }) => username)).toEqual(usernames);
    expect(headers.get("x-total-count")).toBe(total);
  });

  test("get shows everything but the password", async () => {
    using app = await withTenants();
    expect((await app.call("GET", `${STAFF}/get/2`, { basic })).body).toEqual(rex);
  });

  test("create, and sign in with it", async () => {
    using app = await withTenants();
    const json = {
      isp_id: 1,
      name: "Grace",
      username: "grace",
      password: "correct-horse",
      profile_type: 3,
      role_code: 1,
      credit_limit: "50.00",
    };
    const { body } = await post(app, "create", json);
    expect(body).toEqual({ success: "Account created.", id: 10 });
    const own = await app.call("GET", `${STAFF}/list`, { basic: "grace:correct-horse" });
    expect(own.body).toEqual([{ ...rex, id: 10, name: "Grace", username: "grace", credit_limit: 50 }]);
  });

  test("update changes what is sent, clears what is sent empty, and leaves the rest", async () => {
    using app = await withTenants();
    const get = async () => (await app.call("GET", `${STAFF}/get/2`, { basic })).body;
    const changes = { phone: "101", email: "Rex@x.example", credit_limit: 12.5, branch_id: 11 };
    expect((await post(app, "update", { id: 2, ...changes })).body).toEqual({ success: "Account updated." });
    expect(await get()).toEqual({ ...rex, ...changes });
    await post(app, "update", { id: 2, phone: "", email: "", credit_limit: "", branch_id: 0, role_code: "" });
    expect(await get()).toEqual({ ...rex, role_code: null });
  });

  test("another password opens, the one before does not, and tokens are revoked", async () => {
    using app = await withTenants();
    const token = issue(app, 2);
    expect((await post(app, "password", { id: 2, password: "correct-horse" })).body).toEqual({
      success: "Password changed.",
    });
    const status = async (account: string) =>
      (await app.call("GET", `${STAFF}/list`, { basic: account })).status;
    expect([await status("rex:correct-horse"), await status(callers.reseller)]).toEqual([200, 401]);
    expect((await app.call("GET", "/api/v1/users/profile", { bearer: token })).status).toBe(401);
  });

  test("disabled is kept out at the next call and enabled is let in, without the tokens of before", async () => {
    using app = await withTenants();
    const token = issue(app, 2);
    const status = async () => (await app.call("GET", `${STAFF}/list`, { basic: callers.reseller })).status;
    expect(await status()).toBe(200);
    expect((await post(app, "disable", { id: 2 })).body).toEqual({ success: "Account disabled." });
    expect(await status()).toBe(403);
    expect((await post(app, "enable", { id: 2 })).body).toEqual({ success: "Account enabled." });
    expect(await status()).toBe(200);
    expect((await app.call("GET", "/api/v1/users/profile", { bearer: token })).status).toBe(401);
  });
});

function issue({ db, clock: { now } }: Tenants, staffId: number): string {
  return write(db, (tx) => issueStaffToken(tx, { staffId, now, days: 1 })).token;
}

describe("refuses", () => {
  const invalid = (errors: Record<string, string[]>) => ({
    error: `check ${Object.keys(errors).join(", ")}`,
    errors,
  });
  const cases: [name: string, action: string, json: object, status: number, body: object, caller?: string][] =
    [
      [
        "a credit limit for who is no reseller",
        "update",
        { id: 6, credit_limit: 5 },
        400,
        invalid({ credit_limit: ["is for a Reseller alone; leave it 0"] }),
      ],
      [
        "a username that somebody signs in with",
        "update",
        { id: 2, username: "Ada@isp.example" },
        400,
        invalid({ username: ["is taken by another account"] }),
      ],
      [
        "another ISP's account",
        "update",
        { id: 8, name: "A" },
        404,
        { error: "there is no staff account 8; see: staff/list" },
      ],
      [
        "another ISP's role",
        "update",
        { id: 2, role_code: 3 },
        400,
        invalid({ role_code: ["is not a role of this ISP"] }),
      ],
      [
        "an update under another ISP than the account's",
        "update",
        { id: 2, isp_id: 2, name: "A" },
        404,
        { error: "there is no staff account 2; see: staff/list" },
        callers.operator,
      ],
      [
        "to take the salesperson of subscribers away",
        "update",
        { id: 2, profile_type: 2 },
        400,
        { error: "rex is the salesperson of 1 subscribers; give them another one first" },
      ],
      [
        "the own account disabled",
        "disable",
        { id: 1 },
        400,
        { error: "nobody disables the own account; ask another Admin" },
      ],
      [
        "the last Admin disabled",
        "disable",
        { id: 1 },
        400,
        { error: "ada is the last Admin of the ISP; make another account an Admin first" },
        callers.operator,
      ],
      [
        "the last Admin made somebody else",
        "update",
        { id: 1, profile_type: 3 },
        400,
        { error: "ada is the last Admin of the ISP; make another account an Admin first" },
      ],
      [
        "the last Admin sent to a branch",
        "update",
        { id: 9, branch_id: 11 },
        400,
        invalid({ branch_id: ["is not a branch of this ISP"] }),
        callers.operator,
      ],
      [
        "to manage an Admin without being one",
        "password",
        { id: 1, password: "correct-horse" },
        404,
        { error: "there is no staff account 1; see: staff/list" },
        callers.branch,
      ],
      [
        "to make oneself an Admin",
        "update",
        { id: 4, profile_type: 1 },
        403,
        { error: "only an Admin can do this to an Admin; ask one" },
        callers.branch,
      ],
      [
        "to see the whole ISP",
        "update",
        { id: 4, branch_id: 0 },
        403,
        { error: "branch_id 0 is not your branch; yours is 11" },
        callers.branch,
      ],
      [
        "a reseller to raise its own limit",
        "update",
        { id: 2, credit_limit: 1000 },
        403,
        { error: "a reseller has no staff of its own" },
        callers.reseller,
      ],
    ];
  test.each(cases)("%s", async (_, action, json, status, body, caller = basic) => {
    using app = await withTenants();
    const answer = await post(app, action, json, caller);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
  });

  test("who has a permission that is lacking, and to give it", async () => {
    using app = await withTenants();
    app.db.$client.run("UPDATE staff SET branch_id = NULL, role_code = 4 WHERE id = 4");
    app.db.$client.run(
      "INSERT INTO role_permissions (role_code, flag, value) VALUES (4, 'api_access', 1), (4, 'staff_manage', 1)",
    );
    take(app, "staff_manage");
    const lacking = expect.stringContaining(
      "the role has permissions that you lack: api_key_manage, audit_view",
    );
    const refusal = { status: 403, body: { error: lacking } };
    expect(await post(app, "disable", { id: 5 }, callers.branch)).toMatchObject(refusal);
    expect(await post(app, "update", { id: 6, role_code: 1 }, callers.branch)).toMatchObject(refusal);
  });

  test("to lend more to a Reseller by who may not correct wallets", async () => {
    using app = await withTenants();
    app.db.$client.run("UPDATE staff SET branch_id = NULL WHERE id = 4");
    app.db.$client.run("UPDATE staff SET credit_limit = 500 WHERE id = 3");
    take(app, "wallet_adjust");
    const limit = (credit_limit: number) => post(app, "update", { id: 3, credit_limit }, callers.branch);
    const refusal = { status: 403, body: { error: expect.stringContaining("wallet_adjust is missing") } };
    expect(await limit(5.01)).toMatchObject(refusal);
    const json = { name: "Nia", username: "nia", password: "secret-99", profile_type: 3, credit_limit: 1 };
    expect(await post(app, "create", json, callers.branch)).toMatchObject(refusal);
    expect((await limit(5)).status).toBe(200);
    expect((await limit(0)).status).toBe(200);
  });

  test("with another Admin beside, the first one can be disabled", async () => {
    using app = await withTenants();
    expect((await post(app, "update", { id: 6, profile_type: 1, role_code: "" })).status).toBe(200);
    expect((await post(app, "disable", { id: 1 }, callers.noFlag)).status).toBe(200);
    expect((await post(app, "enable", { id: 1 })).status).toBe(403);
  });
});

describe("what an account is", () => {
  const money = (app: Tenants, call: string, json: object, caller = basic) =>
    app.call("POST", `/api/v1/${call}`, { basic: caller, json });
  const correct = { staff_id: 3, amount: 5, reason: "old account" };

  test("a Reseller whose wallet is not empty stays one: nobody else has a wallet", async () => {
    using app = await withTenants();
    const change = () => post(app, "update", { id: 3, profile_type: 2 });
    await money(app, "wallet/adjust", { ...correct, direction: "down" });
    const error =
      "the wallet of rob holds -5.00; bring it to 0 first (payment/take, payment/refund or wallet/adjust)";
    expect(await change()).toMatchObject({ status: 400, body: { error } });
    await money(app, "wallet/adjust", { ...correct, direction: "up" });
    expect((await change()).status).toBe(200);
  });

  test("who has money in the till does not become a Reseller, who has none", async () => {
    using app = await withTenants();
    const taken = { user_id: 1, amount: 40, method: "cash" };
    const change = () => post(app, "update", { id: 4, profile_type: 3 });
    expect((await money(app, "payment/take", taken, callers.branch)).status).toBe(200);
    const error = "mia took or handed back money since the last day's close; it has to be closed first";
    expect(await change()).toMatchObject({ status: 400, body: { error } });
    await money(app, "closing/close", { counted: 40 }, callers.branch);
    expect((await change()).status).toBe(200);
  });
});
