import { describe, expect, spyOn, test } from "bun:test";
import { staff } from "../../db/schema.ts";
import { update } from "../../db/update.ts";
import { changeStaffPassword, setStaffStatus } from "../../src/domain/people/staff/accounts.ts";
import type { Description } from "../../src/http/describe.ts";
import { undoneApps, type Sent } from "../support/http.ts";
import { cli, insertRole, insertStaff } from "../support/people.ts";
import { NOW } from "../support/store.ts";

const temporaryApp = undoneApps();

const LIST = "/api/v1/role/list";
const CHALLENGE = 'Basic realm="gatehouse", charset="UTF-8"';

async function withStaff() {
  const app = temporaryApp();
  insertRole(app.db, 1, 1, "Programs", ["api_access", "role_view"]);
  insertRole(app.db, 2, 1, "Silent", ["role_view"]);
  insertRole(app.db, 3, 1, "Idle", ["api_access"]);
  await insertStaff(app.db, "ada");
  await insertStaff(app.db, "bob", { profile_type: 2, role_code: 1 });
  await insertStaff(app.db, "cid", { profile_type: 3, role_code: 2 });
  await insertStaff(app.db, "off", { status: 0 });
  await insertStaff(app.db, "idle", { profile_type: 2, role_code: 3 });
  await insertStaff(app.db, "two");
  update(app.db, staff, { totpSecret: app.db.vault.seal("x") }, { usernameKey: "two" });
  return app;
}

describe("credentials", () => {
  const ask = { error: "send an API key, or the username and password of a staff account, by HTTP Basic" };
  const wrong = { error: "wrong username or password" };
  const cases: { name: string; sent: Sent; status: number; body: object }[] = [
    { name: "none", sent: {}, status: 401, body: ask },
    { name: "a bearer token", sent: { bearer: "1|abc" }, status: 401, body: ask },
    { name: "not base64", sent: { headers: { authorization: "Basic a:b" } }, status: 401, body: ask },
    { name: "no colon", sent: { basic: "ada" }, status: 401, body: wrong },
    { name: "no password", sent: { basic: "ada:" }, status: 401, body: wrong },
    { name: "an unknown user", sent: { basic: "eve:secret-1" }, status: 401, body: wrong },
    { name: "a wrong password", sent: { basic: "ada:secret-2" }, status: 401, body: wrong },
    { name: "a disabled account, wrong password", sent: { basic: "off:x" }, status: 401, body: wrong },
    {
      name: "an account with a second factor",
      sent: { basic: "two:secret-1" },
      status: 403,
      body: {
        error:
          "the account has a second factor, which is for people at the console; give the program an account of its own",
      },
    },
    {
      name: "a disabled account",
      sent: { basic: "off:secret-1" },
      status: 403,
      body: { error: "the account is disabled; ask an administrator to enable it" },
    },
    {
      name: "no api_access",
      sent: { basic: "cid:secret-1" },
      status: 403,
      body: { error: "the permission api_access is missing; ask an administrator to set it in your role" },
    },
  ];
  test.each(cases)("$name: $status", async ({ sent, status, body }) => {
    using app = await withStaff();
    const answer = await app.call("GET", LIST, sent);
    expect(answer.body).toEqual(body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? CHALLENGE : null);
  });

  test.each(["ada", "ADA", "Ada@ISP.example"])(
    "%s signs in, whatever the case of the scheme",
    async (name) => {
      using app = await withStaff();
      const authorization = `bAsIc ${Buffer.from(`${name}:secret-1`).toString("base64")}`;
      expect(await app.call("GET", LIST, { headers: { authorization } })).toMatchObject({ status: 200 });
    },
  );

  test("a password may hold colons and letters of any alphabet", async () => {
    using app = await withStaff();
    await insertStaff(app.db, "zoë", { password: "a:b:Łódź" });
    expect(await app.call("GET", LIST, { basic: "zoë:a:b:Łódź" })).toMatchObject({ status: 200 });
  });

  test("are checked before the body is read", async () => {
    using app = await withStaff();
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(100_000));
      },
    });
    const headers = { "content-type": "text/plain" };
    const answer = await app.call("POST", "/api/v1/role/create", { basic: "ada:wrong", headers, body });
    expect(answer.status).toBe(401);
    expect(pulled).toBeLessThan(3);
  });
});

describe("a verified password is remembered", () => {
  test("for a few minutes: the second call verifies nothing", async () => {
    using app = await withStaff();
    await changeStaffPassword(app.db, cli, { username: "ada", password: "secret-9" }, { now: NOW });
    using verify = spyOn(Bun.password, "verify");
    const verifications = async () => {
      expect(await app.call("GET", LIST, { basic: "ada:secret-9" })).toMatchObject({ status: 200 });
      return verify.mock.calls.length;
    };
    expect([await verifications(), await verifications(), await verifications()]).toEqual([1, 1, 1]);
    app.clock.now += 301;
    expect(await verifications()).toBe(2);
  });

  test("but another password, status or role counts at the very next call", async () => {
    using app = await withStaff();
    const status = async (basic: string) => (await app.call("GET", LIST, { basic })).status;
    expect([await status("ada:secret-1"), await status("bob:secret-1")]).toEqual([200, 200]);
    await changeStaffPassword(app.db, cli, { username: "ada", password: "secret-9" }, { now: NOW });
    setStaffStatus(app.db, cli, { username: "bob", status: 0 }, { now: NOW });
    expect([
      await status("ada:secret-1"),
      await status("ada:secret-9"),
      await status("bob:secret-1"),
    ]).toEqual([401, 200, 403]);
    setStaffStatus(app.db, cli, { username: "bob", status: 1 }, { now: NOW });
    expect(await status("bob:secret-1")).toBe(200);
    app.db.$client.run("UPDATE role_permissions SET value = 0 WHERE role_code = 1 AND flag = 'role_view'");
    expect(await status("bob:secret-1")).toBe(403);
  });
});

describe("ten failures a minute", () => {
  test("then 429 for the right password too, for that name only", async () => {
    using app = await withStaff();
    expect(await app.call("GET", LIST, { basic: "ada:secret-1" })).toMatchObject({ status: 200 });
    for (let i = 0; i < 10; i++)
      expect(await app.call("GET", LIST, { basic: `ADA:wrong-${i}` })).toMatchObject({ status: 401 });
    for (const basic of ["ada:wrong", "ada:secret-1"]) {
      const refused = await app.call("GET", LIST, { basic });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61);
    }
    expect(await app.call("GET", LIST, { basic: "bob:secret-1" })).toMatchObject({ status: 200 });
  });

  test("guesses sent at once do not slip through together", async () => {
    using app = await withStaff();
    const guesses = Array.from({ length: 20 }, (_, i) => app.call("GET", LIST, { basic: `ada:wrong-${i}` }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  test("a busy client is not held back: any number of right calls, at once or in turn", async () => {
    using app = await withStaff();
    const calls = Array.from({ length: 30 }, () => app.call("GET", LIST, { basic: "ada:secret-1" }));
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
    for (let i = 0; i < 30; i++)
      expect(await app.call("GET", LIST, { basic: "ada:secret-1" })).toMatchObject({ status: 200 });
  });
});

describe("ten failures a minute of an account from one address, over all of its names", () => {
  const login = (app: Awaited<ReturnType<typeof withStaff>>, email: string, password: string) =>
    app.call("POST", "/api/v1/users/login", { json: { email, password } });

  test("and the right password is too soon by each of them", async () => {
    using app = await withStaff();
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) {
      statuses.push((await login(app, "ada", `wrong-${i}`)).status);
      statuses.push((await login(app, "ada@isp.example", `wrong-${i}`)).status);
      statuses.push((await app.call("GET", LIST, { basic: `ada:guess-${i}` })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    for (const name of ["ada", "Ada@ISP.example"]) {
      expect(await app.call("GET", LIST, { basic: `${name}:secret-1` })).toMatchObject({ status: 429 });
      const refused = await login(app, name, "secret-1");
      expect(refused).toMatchObject({ status: 429, body: { status: "error" } });
      expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61);
    }
    expect(await login(app, "bob", "secret-1")).toMatchObject({ status: 200 });
  });

  test("names that lead nowhere have ten each, like an account", async () => {
    using app = await withStaff();
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await login(app, " Nobody ", "wrong")).status);
      statuses.push((await app.call("GET", LIST, { basic: `nobody:guess-${i}` })).status);
    }
    statuses.push((await app.call("GET", LIST, { basic: "nobody:guess" })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });

  test("what was right does not count: nine failures and any number of successes leave one", async () => {
    using app = await withStaff();
    for (let i = 0; i < 9; i++) {
      expect(await app.call("GET", LIST, { basic: `ada:wrong-${i}` })).toMatchObject({ status: 401 });
      expect(await app.call("GET", LIST, { basic: "ada:secret-1" })).toMatchObject({ status: 200 });
    }
    for (let i = 0; i < 3; i++) {
      expect(await login(app, "ada", "secret-1")).toMatchObject({ status: 200 });
      expect(await login(app, "ada@isp.example", "secret-1")).toMatchObject({ status: 200 });
    }
    expect(await login(app, "ada", "wrong")).toMatchObject({ status: 401 });
    expect(await app.call("GET", LIST, { basic: "ada:secret-1" })).toMatchObject({ status: 429 });
  });
});

test("every route of HTTP Basic asks for credentials, and for the permission that it documents", async () => {
  using app = await withStaff();
  const described: { method: string; path: string; hooks: { detail: Description } }[] = app.app.routes;
  const managed = described.filter(({ hooks }) => typeof hooks.detail.access === "object");
  expect(managed.length).toBeGreaterThan(9);
  for (const { method, path, hooks } of managed) {
    const url = path.replace(/:\w+/, "1");
    expect(await app.call(method, url)).toMatchObject({ status: 401 });
    const { access } = hooks.detail;
    const flag = typeof access === "object" ? access.flag : "";
    expect(await app.call(method, url, { basic: "idle:secret-1" })).toMatchObject({
      status: 403,
      body: { error: `the permission ${flag} is missing; ask an administrator to set it in your role` },
    });
  }
});
