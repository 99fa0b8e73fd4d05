import { describe, expect, test } from "bun:test";
import { SignJWT } from "jose";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { setSubscriberStatus } from "../../src/domain/goods/subscribers/status.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import type { Received, Sent } from "../support/http.ts";
import { aSubscriber, DAY } from "../support/isp.ts";
import { cli, SECRET_1_HASH } from "../support/people.ts";
import { NOW } from "../support/store.ts";
import { callers, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const LOGIN = "/api/v1/subscriber/login";
const LOGOUT = "/api/v1/subscriber/logout";
const LOGOUT_ALL = "/api/v1/subscriber/logout-all";
const REFRESH = "/api/v1/subscriber/refresh-token";
const MOBILE = "/mobile-auto-login";

/** Subscriber 3 is disabled, 4 has a portal password of its own, `secret-1`. */
async function withSubscribers(options: Parameters<typeof withTenants>[0] = {}) {
  const app = await withTenants(options);
  await importDataSet(
    app.db,
    cli,
    {
      subscribers: [
        aSubscriber(3, { status: 0 }),
        aSubscriber(4, {
          email: "four@customers.example",
          portal_pass: SECRET_1_HASH,
          current_expiration_date: formatTime(NOW - DAY),
        }),
      ],
    },
    { now: NOW },
  );
  const login = async (username = "user1", password = "pw-1") =>
    tokenOf(await app.call("POST", LOGIN, { json: { username, password } }));
  /** A token is tried without using it up: where it is not valid, logging out would be refused. */
  const works = async (bearer: string) => (await app.call("GET", MOBILE, { bearer })).status === 302;
  return Object.assign(app, { login, works });
}

function tokenOf({ body }: Received): string {
  const token = /"token":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? "";
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  return token;
}

const refused = (message: string, errors?: object) => ({
  success: false,
  message,
  ...(errors && { errors }),
});
const denied = refused("wrong username or password");

describe("login", () => {
  test("an active subscriber: the whole body", async () => {
    using app = await withSubscribers();
    const answer = await app.call("POST", LOGIN, { json: { username: "user1", password: "pw-1" } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      message: "Logged in.",
      data: {
        subscriber: {
          id: 1,
          username: "user1",
          fullname: "User 1",
          email: "",
          phone: "M1",
          package_name: "Home 1",
          expiration_date: formatTime(NOW + 10 * DAY),
          status: "active",
        },
        token: tokenOf(answer),
        token_type: "bearer",
        expires_in: 2_592_000,
      },
    });
  });

  test.each([
    ["never activated", "user2", "pw-2", { status: "inactive", expiration_date: "" }],
    [
      "expired, by its portal password",
      "user4",
      "secret-1",
      {
        status: "expired",
        expiration_date: formatTime(NOW - DAY),
        email: "four@customers.example",
      },
    ],
    ["by the name in another case, with blanks", " USER1 ", "pw-1", { username: "user1" }],
  ])("%s", async (_name, username, password, subscriber) => {
    using app = await withSubscribers();
    for (const sent of [{ json: { username, password } }, { form: { username, password } }])
      expect(await app.call("POST", LOGIN, sent)).toMatchObject({
        status: 200,
        body: { data: { subscriber } },
      });
  });

  const missing = ["is required"];
  const cases: { name: string; sent: Sent; status: number; body: object }[] = [
    {
      name: "a wrong password",
      sent: { json: { username: "user1", password: "pw-2" } },
      status: 401,
      body: denied,
    },
    {
      name: "an unknown name",
      sent: { json: { username: "nobody", password: "pw-1" } },
      status: 401,
      body: denied,
    },
    {
      name: "the password of the line where the portal has its own",
      sent: { json: { username: "user4", password: "pw-4" } },
      status: 401,
      body: denied,
    },
    {
      name: "the password of the database",
      sent: { json: { username: "user4", password: SECRET_1_HASH } },
      status: 401,
      body: denied,
    },
    {
      name: "a disabled account, wrong password",
      sent: { json: { username: "user3", password: "x" } },
      status: 401,
      body: denied,
    },
    {
      name: "a disabled account",
      sent: { json: { username: "user3", password: "pw-3" } },
      status: 403,
      body: refused("the account is disabled; ask your provider"),
    },
    { name: "staff", sent: { json: { username: "ada", password: "secret-1" } }, status: 401, body: denied },
    {
      name: "nothing",
      sent: { json: {} },
      status: 422,
      body: refused("check username, password", { username: missing, password: missing }),
    },
    {
      name: "an empty password",
      sent: { form: { username: "user1", password: "" } },
      status: 422,
      body: refused("check password", { password: missing }),
    },
    {
      name: "an object",
      sent: { json: { username: { $gt: "" }, password: "pw-1" } },
      status: 422,
      body: refused("check username", { username: [expect.any(String)] }),
    },
    {
      name: "numbers instead of text",
      sent: { json: { username: 7, password: 8 } },
      status: 422,
      body: refused("check username, password", {
        username: ["must be text of 1 to 128 characters on one line, without control characters"],
        password: ["must be text of 1 to 1000 characters on one line, without control characters"],
      }),
    },
    { name: "a list", sent: { json: [] }, status: 400, body: refused("the body is not a JSON object") },
    {
      name: "XML",
      sent: { body: "<a/>", headers: { "content-type": "text/xml" } },
      status: 415,
      body: refused(expect.any(String)),
    },
  ];
  test.each(cases)("$name: $status", async ({ sent, status, body }) => {
    using app = await withSubscribers();
    for (const call of [app.call, app.callPublic]) {
      const answer = await call("POST", LOGIN, sent);
      expect(answer.body).toEqual(body);
      expect(answer.status).toBe(status);
    }
  });

  test("as many days as the configuration says", async () => {
    using app = await withSubscribers({ subscriberTokenDays: 2 });
    const answer = await app.call("POST", LOGIN, { json: { username: "user1", password: "pw-1" } });
    expect(answer.body).toMatchObject({ data: { expires_in: 172_800 } });
    app.clock.now += 172_799;
    expect(await app.works(tokenOf(answer))).toBe(true);
    app.clock.now += 1;
    expect(await app.works(tokenOf(answer))).toBe(false);
  });
});

describe("the limit of attempts", () => {
  test("five a minute over both listeners, by name without case; not those of staff nor of others", async () => {
    using app = await withSubscribers();
    const attempt = (call: typeof app.call, username: string, password: string) =>
      call("POST", LOGIN, { json: { username, password } });
    for (let i = 0; i < 8; i++) await app.call("POST", LOGIN, { json: { username: "user1" } }); // 422s do not count
    for (const [call, username] of [
      [app.call, "user1"],
      [app.callPublic, "USER1"],
      [app.call, " user1"],
      [app.callPublic, "user1"],
    ] as const)
      expect((await attempt(call, username, "wrong")).status).toBe(401);
    expect((await attempt(app.call, "user1", "pw-1")).status).toBe(200);
    for (const call of [app.call, app.callPublic]) {
      const sixth = await attempt(call, "user1", "pw-1");
      const seconds = Number(sixth.headers.get("retry-after"));
      expect(seconds).toBeWithin(1, 61);
      expect(sixth.status).toBe(429);
      expect(sixth.body).toEqual(refused(`too many login attempts; try again in ${seconds} s`));
    }
    expect((await attempt(app.call, "user2", "pw-2")).status).toBe(200);
    const staff = await app.call("POST", "/api/v1/users/login", { json: { email: "user1", password: "x" } });
    expect(staff.status).toBe(401);
  });
});

describe("a subscriber token", () => {
  test("refresh: a full life for the new one, the presented one is revoked at once", async () => {
    using app = await withSubscribers();
    const token = await app.login();
    app.clock.now += 10 * DAY;
    const answer = await app.call("POST", REFRESH, { bearer: token });
    const fresh = tokenOf(answer);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: { token: fresh, token_type: "bearer", expires_in: 2_592_000 },
    });
    expect([await app.works(token), await app.works(fresh)]).toEqual([false, true]);
    expect((await app.call("POST", REFRESH, { bearer: token })).status).toBe(401);
    app.clock.now += 30 * DAY - 1;
    expect(await app.works(fresh)).toBe(true);
    app.clock.now += 1;
    expect(await app.works(fresh)).toBe(false);
    expect((await app.call("POST", REFRESH, { bearer: fresh })).status).toBe(401);
  });

  test("of two refreshes at one moment one wins", async () => {
    using app = await withSubscribers();
    const token = await app.login();
    const refresh = () => app.call("POST", REFRESH, { bearer: token });
    const answers = await Promise.all([refresh(), refresh(), refresh()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test("logout revokes it alone, logout-all every one of the subscriber's and its portal sessions", async () => {
    using app = await withSubscribers();
    const [first, second, third] = [await app.login(), await app.login(), await app.login()];
    const other = await app.login("user2", "pw-2");
    const cookie = (await app.call("GET", MOBILE, { bearer: third })).headers.get("set-cookie") ?? "";
    const portal = () => app.call("GET", "/portal", { headers: { cookie: cookie.split(";")[0] ?? "" } });
    const out = await app.call("POST", LOGOUT, { bearer: first });
    expect(out.body).toEqual({ success: true, message: "Logged out." });
    expect([await app.works(first), await app.works(second)]).toEqual([false, true]);
    expect((await portal()).status).toBe(200);
    const all = await app.call("POST", LOGOUT_ALL, { bearer: second });
    expect(all.body).toEqual({ success: true, message: "Logged out on all devices." });
    expect([await app.works(second), await app.works(third), await app.works(other)]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await portal()).status).toBe(303);
  });

  test("dies with a disabled account for good, and with a password that is reset or changed", async () => {
    using app = await withSubscribers();
    const one = await app.login();
    for (const enabled of [false, true]) {
      setSubscriberStatus(app.db, cli, { subscriberId: 1, enabled }, { now: NOW });
      expect(await app.works(one)).toBe(false);
    }
    const two = await app.login();
    const basic = callers.admin;
    await app.call("POST", "/api/v1/subscriber/reset_password", {
      basic,
      form: { user_id: 1, new_password: "pw-x" },
    });
    expect(await app.works(two)).toBe(false);
    const three = await app.login("user1", "pw-x");
    await app.call("POST", "/api/v1/subscriber/update", {
      basic,
      form: { username: "user1", password: "pw-x" },
    });
    expect(await app.works(three)).toBe(true);
    await app.call("POST", "/api/v1/subscriber/update", {
      basic,
      form: { username: "user1", password: "pw-y" },
    });
    expect(await app.works(three)).toBe(false);
  });

  test("is not stored: the database holds its id, a copy of the database signs nothing", async () => {
    using app = await withSubscribers();
    const token = await app.login();
    const rows = app.db.$client.query("SELECT * FROM subscriber_tokens").all();
    expect(rows).toHaveLength(1);
    for (const part of token.split(".")) expect(JSON.stringify(rows)).not.toContain(part);
  });

  test("cannot be forged", async () => {
    using app = await withSubscribers();
    const token = await app.login();
    const [head = "", body = "", signature = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString());
    expect(Object.keys(claims).sort()).toEqual(["exp", "iat", "jti", "sub"]);
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = (key: Buffer, alg: string, changes: object = {}) =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg }).sign(key);
    const key = app.db.vault.deriveKey("subscriber token");
    const forged = [
      `${encode({ alg: "none" })}.${body}.`,
      `${encode({ alg: "HS256" })}.${encode({ ...claims, sub: "2" })}.${signature}`,
      `${head}.${body}.${"A".repeat(43)}`,
      `${head}.${body}`,
      await signed(Buffer.alloc(32), "HS256"),
      await signed(app.db.vault.deriveKey("seal"), "HS256"),
      await signed(Buffer.concat([key, key]), "HS512"),
      await signed(key, "HS256", { sub: "2" }),
      await signed(key, "HS256", { jti: crypto.randomUUID() }),
      await signed(key, "HS256", { jti: undefined }),
      await signed(key, "HS256", { exp: undefined }),
      await signed(key, "HS256", { exp: NOW - 1 }),
      `${token}x`,
      "x".repeat(5000),
    ];
    for (const bearer of forged) expect(await app.works(bearer)).toBe(false);
    expect(await app.works(await signed(key, "HS256"))).toBe(true);
  });

  const invalid = refused("the token is invalid, expired or revoked; log in again");
  test.each([
    ["POST", LOGOUT],
    ["POST", LOGOUT_ALL],
    ["POST", REFRESH],
    ["GET", MOBILE],
  ])("%s %s without one: 401", async (method, path) => {
    using app = await withSubscribers();
    const token = await app.login();
    const staff = await app.call("POST", "/api/v1/users/login", {
      json: { email: "ada", password: "secret-1" },
    });
    const staffToken = /"token":"([^"]+)"/.exec(JSON.stringify(staff.body))?.[1] ?? "";
    const cookie = (await app.call("GET", MOBILE, { bearer: token })).headers.get("set-cookie") ?? "";
    const elsewhere = `${path}?access_token=${token}&token=${token}`;
    const wrong: [string, Sent][] = [
      [path, {}],
      [path, { bearer: "nonsense" }],
      [path, { bearer: staffToken }],
      [path, { basic: "user1:pw-1" }],
      [path, { headers: { authorization: token } }],
      [path, { headers: { cookie: `token=${token}; ${cookie.split(";")[0]}` } }],
      [elsewhere, {}],
      ...(method === "POST" ? [[path, { form: { access_token: token } }] satisfies [string, Sent]] : []),
    ];
    for (const [url, sent] of wrong)
      for (const call of [app.call, app.callPublic]) {
        const answer = await call(method, url, sent);
        expect(answer.body).toEqual(invalid);
        expect(answer.status).toBe(401);
        expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="gatehouse"');
      }
    expect(await app.works(token)).toBe(true);
    const profile = await app.call("GET", "/api/v1/users/profile", { bearer: token });
    expect(profile.status).toBe(401);
  });
});

test("the audit trail knows who signed in and out, and holds no token", async () => {
  using app = await withSubscribers();
  const tokens = [await app.login(), await app.login()];
  await app.call("POST", LOGOUT, { bearer: tokens[0] ?? "" });
  await app.call("POST", LOGOUT_ALL, { bearer: tokens[1] ?? "" });
  const entries = app.db.$client
    .query("SELECT action, actor, entity_id, isp_id, staff_id FROM audit_entries ORDER BY id DESC LIMIT 4")
    .all();
  const entry = { actor: "subscriber user1", entity_id: "1", isp_id: 1, staff_id: null };
  expect(entries).toEqual([
    { action: "subscriber.logout_all", ...entry },
    { action: "subscriber.logout", ...entry },
    { action: "subscriber.sign_in", ...entry },
    { action: "subscriber.sign_in", ...entry },
  ]);
});

test("dead tokens do not pile up", async () => {
  using app = await withSubscribers();
  let token = await app.login();
  for (let i = 0; i < 30; i++) {
    token = tokenOf(await app.call("POST", REFRESH, { bearer: token }));
    await app.call("GET", MOBILE, { bearer: token });
  }
  const rows = app.db.$client
    .query("SELECT kind, count(*) AS count FROM subscriber_tokens GROUP BY kind")
    .all();
  expect(rows).toEqual([
    { kind: "app", count: 1 },
    { kind: "portal", count: 10 },
  ]);
});
