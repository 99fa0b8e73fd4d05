import { describe, expect, test } from "bun:test";
import { setStaffStatus } from "../../src/domain/people/staff/accounts.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { undoneApps, type Received, type Sent } from "../support/http.ts";
import { cli, insertRole, insertStaff } from "../support/people.ts";
import { NOW } from "../support/store.ts";
import { undoneTenants } from "../support/tenants.ts";

const temporaryApp = undoneApps();

const withTenants = undoneTenants();

const LOGIN = "/api/v1/users/login";
const paths = [LOGIN, "/api/auth-login"];
const DAY = 86_400;

async function withStaff() {
  const app = temporaryApp();
  insertRole(app.db, 1, 1, "Programs", ["api_access"]);
  insertRole(app.db, 2, 1, "Silent", ["role_view"]);
  await insertStaff(app.db, "ada", { phone: "100" });
  await insertStaff(app.db, "bob", { profile_type: 2, role_code: 1, branch_id: 11 });
  await insertStaff(app.db, "cid", { profile_type: 3, role_code: 2 });
  await insertStaff(app.db, "off", { status: 2 });
  return app;
}

function tokenOf({ body }: Received): string {
  const token = /"token":"([^"]+)"/.exec(JSON.stringify(body))?.[1];
  expect(token).toMatch(/^\d+\|[\w-]{40,}$/);
  return token ?? "";
}

describe.each(paths)("POST %s", (path) => {
  test("an Admin by username, with the whole body", async () => {
    using app = await withStaff();
    const answer = await app.call("POST", path, { json: { email: "ada", password: "secret-1" } });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      status: "success",
      message: "Logged in.",
      data: {
        user: {
          id: 1,
          name: "ADA",
          email: "ada@isp.example",
          profile_type: 1,
          isp_id: 1,
          branch_id: 0,
        },
        token: tokenOf(answer),
        token_type: "Bearer",
        expires_at: formatTime(NOW + 30 * DAY),
      },
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  const error = (message: string, errors?: object) => ({
    status: "error",
    message,
    ...(errors && { errors }),
  });
  const denied = error("wrong username or password");
  const cases: { name: string; sent: Sent; status: number; body: object }[] = [
    {
      name: "unknown user",
      sent: { json: { email: "eve", password: "secret-1" } },
      status: 401,
      body: denied,
    },
    { name: "wrong password", sent: { json: { email: "ada", password: "x" } }, status: 401, body: denied },
    {
      name: "numbers instead of text",
      sent: { json: { email: 7, password: 8 } },
      status: 422,
      body: error("check email, password", {
        email: ["must be text of 1 to 254 characters on one line, without control characters"],
        password: ["must be text of 1 to 1000 characters on one line, without control characters"],
      }),
    },
    {
      name: "a disabled account with a wrong password",
      sent: { json: { email: "off", password: "x" } },
      status: 401,
      body: denied,
    },
    {
      name: "a disabled account",
      sent: { json: { email: "off", password: "secret-1" } },
      status: 403,
      body: error("the account is disabled; ask an administrator to enable it"),
    },
    {
      name: "no api_access",
      sent: { json: { email: "CID@isp.example", password: "secret-1" } },
      status: 403,
      body: error("the permission api_access is missing; ask an administrator to set it in your role"),
    },
    {
      name: "nothing given",
      sent: { json: {} },
      status: 422,
      body: error("check email, password", { email: ["is required"], password: ["is required"] }),
    },
    {
      name: "no body at all",
      sent: {},
      status: 422,
      body: error("check email, password", { email: ["is required"], password: ["is required"] }),
    },
    {
      name: "an empty password, a null e-mail",
      sent: { json: { email: null, password: "" } },
      status: 422,
      body: error("check email, password", { email: ["is required"], password: ["is required"] }),
    },
    {
      name: "an object for a password",
      sent: { json: { email: "ada", password: { $ne: "" } } },
      status: 422,
      body: error("check password", {
        password: ["must be text of 1 to 1000 characters on one line, without control characters"],
      }),
    },
    {
      name: "a repeated field",
      sent: {
        body: "email=ada&password=secret-1&email=bob",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      },
      status: 422,
      body: error("check email", { email: ["was sent more than once"] }),
    },
    {
      name: "an array",
      sent: { json: ["ada"] },
      status: 400,
      body: error("the body is not a JSON object"),
    },
  ];
  test.each(cases)("$name: $status", async ({ sent, status, body }) => {
    using app = await withStaff();
    const answer = await app.call("POST", path, sent);
    expect(answer).toMatchObject({ status, body });
    expect(answer.body).toEqual(body);
    expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? 'Bearer realm="gatehouse"' : null);
  });

  test("a form is as good as JSON", async () => {
    using app = await withStaff();
    const answer = await app.call("POST", path, { form: { email: "BOB", password: "secret-1" } });
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { user: { profile_type: 2, branch_id: 11 } } },
    });
  });
});

describe("the limit of attempts", () => {
  test("the sixth in a minute is 429 on either path, in any case of the name, right password or not", async () => {
    using app = await withStaff();
    const attempt = (path: string, email: string, password = "wrong") =>
      app.call("POST", path, { json: { email, password } });
    const statuses: number[] = [];
    for (const [path, email] of [
      [LOGIN, "ada"],
      ["/api/auth-login", "ADA"],
      [LOGIN, " Ada "],
      ["/api/auth-login", "ada"],
    ] as const)
      statuses.push((await attempt(path, email)).status);
    statuses.push((await attempt(LOGIN, "ada", "secret-1")).status);
    expect(statuses).toEqual([401, 401, 401, 401, 200]);
    for (const path of paths) {
      const refused = await attempt(path, "ada", "secret-1");
      const seconds = Number(refused.headers.get("retry-after"));
      expect(refused).toMatchObject({
        status: 429,
        body: { status: "error", message: `too many login attempts; try again in ${seconds} s` },
      });
      expect(seconds).toBeWithin(1, 61);
    }
    expect(await attempt(LOGIN, "bob", "secret-1")).toMatchObject({ status: 200 });
  });

  test("a 422 does not count", async () => {
    using app = await withStaff();
    for (let i = 0; i < 8; i++) await app.call("POST", LOGIN, { json: { email: "ada" } });
    expect(await app.call("POST", LOGIN, { json: { email: "ada", password: "secret-1" } })).toMatchObject({
      status: 200,
    });
  });
});

describe("a staff token", () => {
  async function signedIn() {
    const app = await withStaff();
    const login = async (email = "ada") =>
      tokenOf(await app.call("POST", LOGIN, { json: { email, password: "secret-1" } }));
    const works = async (bearer: string) =>
      (await app.call("GET", "/api/v1/users/profile", { bearer })).status === 200;
    return Object.assign(app, { login, works, token: await login() });
  }

  test("shows the profile", async () => {
    using app = await signedIn();
    const { status, body } = await app.call("GET", "/api/v1/users/profile", { bearer: app.token });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "success",
      data: {
        user: {
          id: 1,
          name: "ADA",
          username: "ada",
          email: "ada@isp.example",
          phone: "100",
          profile_type: 1,
          isp_id: 1,
          branch_id: 0,
          status: 1,
        },
      },
    });
  });

  test("is exchanged by refresh-token, once; the new one lives in full", async () => {
    using app = await signedIn();
    app.clock.now += 10 * DAY;
    const answer = await app.call("POST", "/api/v1/users/refresh-token", { bearer: app.token });
    const fresh = tokenOf(answer);
    expect(answer.body).toEqual({
      status: "success",
      message: "Token refreshed.",
      data: { token: fresh, token_type: "Bearer", expires_at: formatTime(NOW + 40 * DAY) },
    });
    expect([await app.works(app.token), await app.works(fresh)]).toEqual([false, true]);
    const again = await app.call("POST", "/api/v1/users/refresh-token", { bearer: app.token });
    expect(again.status).toBe(401);
    expect(await app.works(fresh)).toBe(true);
  });

  test("is exchanged once only when two ask at the same moment", async () => {
    using app = await signedIn();
    const refresh = () => app.call("POST", "/api/v1/users/refresh-token", { bearer: app.token });
    const answers = await Promise.all([refresh(), refresh()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("logout revokes it alone, logout-all every one of the user's", async () => {
    using app = await signedIn();
    const [second, third, other] = [await app.login(), await app.login(), await app.login("bob")];
    expect(await app.call("POST", "/api/v1/users/logout", { bearer: app.token })).toMatchObject({
      status: 200,
      body: { status: "success", message: "Logged out." },
    });
    expect([await app.works(app.token), await app.works(second)]).toEqual([false, true]);
    expect(await app.call("POST", "/api/v1/users/logout-all", { bearer: second })).toMatchObject({
      status: 200,
      body: { status: "success", message: "Logged out on all devices." },
    });
    expect([await app.works(second), await app.works(third), await app.works(other)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("expires, and does not come back with an account that was disabled", async () => {
    using app = await signedIn();
    const bobs = await app.login("bob");
    app.clock.now += 30 * DAY - 1;
    expect(await app.works(app.token)).toBe(true);
    app.clock.now += 1;
    expect(await app.works(app.token)).toBe(false);
    app.clock.now = NOW;
    for (const status of [0, 1] as const)
      setStaffStatus(app.db, cli, { username: "bob", status }, { now: NOW });
    expect(await app.works(bobs)).toBe(false);
  });

  test("ends its use and its refreshing when api_access is taken away, by whatever way", async () => {
    using app = await signedIn();
    const taken = {
      status: 401,
      body: {
        message: "the permission api_access was taken away; ask an administrator to set it in your role",
      },
    };
    const ways = [
      [
        "UPDATE role_permissions SET value = 0 WHERE flag = 'api_access'",
        "UPDATE role_permissions SET value = 1",
      ],
      [
        "UPDATE staff SET role_code = NULL WHERE username = 'bob'",
        "UPDATE staff SET role_code = 1 WHERE username = 'bob'",
      ],
    ] as const;
    const token = await app.login("bob");
    for (const [take, give] of ways) {
      app.db.$client.run(take);
      for (const [method, path] of [
        ["GET", "profile"],
        ["POST", "refresh-token"],
        ["POST", "logout"],
      ] as const)
        expect(await app.call(method, `/api/v1/users/${path}`, { bearer: token })).toMatchObject(taken);
      expect(await app.works(app.token)).toBe(true); // an Admin needs no role
      app.db.$client.run(give);
      expect(await app.works(token)).toBe(true);
    }
  });

  const invalid = { message: "the token is invalid, expired or revoked; log in again" };
  test.each([
    ["GET", "/api/v1/users/profile"],
    ["POST", "/api/v1/users/refresh-token"],
    ["POST", "/api/v1/users/logout"],
    ["POST", "/api/v1/users/logout-all"],
  ])("%s %s without one: 401 with a message alone", async (method, path) => {
    using app = await signedIn();
    const { token } = app;
    const wrong: Sent[] = [
      {},
      { bearer: "1|nonsense" },
      { bearer: `${token}x` },
      { basic: "ada:secret-1" },
      { headers: { authorization: token } },
      { headers: { authorization: `Bearer${token}` } },
      { headers: { authorization: `BearerX ${token}` } },
      { headers: { authorization: `Bearer ${token} ${token}` } },
    ];
    for (const sent of wrong) {
      const answer = await app.call(method, path, sent);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(invalid);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="gatehouse"');
    }
    const elsewhere = `?access_token=${encodeURIComponent(token)}`;
    expect(await app.call(method, path + elsewhere)).toMatchObject({ status: 401 });
    expect(await app.call(method, path + elsewhere, { basic: "ada:secret-1" })).toMatchObject({
      status: 401,
    });
    if (method === "POST") {
      expect(await app.call(method, path, { form: { access_token: token } })).toMatchObject({ status: 401 });
      expect(await app.call(method, path, { json: { access_token: token } })).toMatchObject({ status: 401 });
    }
    expect(await app.works(token)).toBe(true);
  });

  test.each(["bearer", "BEARER", "bEaReR", "Bearer "])("the scheme %p is without case", async (scheme) => {
    using app = await signedIn();
    const headers = { authorization: `${scheme} ${app.token}` };
    expect(await app.call("GET", "/api/v1/users/profile", { headers })).toMatchObject({ status: 200 });
  });
});

test("the older path of the login says until when it stays, and what replaces it", async () => {
  using app = await withTenants();
  const json = { email: "ada", password: "secret-1" };
  const older = await app.call("POST", "/api/auth-login", { json });
  expect(["deprecation", "sunset", "link"].map((name) => older.headers.get(name))).toEqual([
    "@1795910400",
    "Wed, 31 Dec 2031 00:00:00 GMT",
    '</api/v1/users/login>; rel="successor-version"',
  ]);
  const { headers } = await app.call("POST", "/api/v1/users/login", { json });
  expect([headers.get("deprecation"), headers.get("sunset")]).toEqual([null, null]);
  const { body } = await app.call("GET", "/openapi.json");
  const marked = Object.entries<Record<string, { deprecated?: boolean }>>(Object(body).paths).filter(
    ([, item]) => Object.values(item).some(({ deprecated }) => deprecated),
  );
  expect(marked.map(([path]) => path)).toEqual(["/api/auth-login"]);
});
