import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type KeyCall, recordKeyCalls } from "../../src/domain/people/api-keys/calls.ts";
import { AttemptLimit } from "../../src/http/attempt-limit.ts";
import { BasicCredentials } from "../../src/http/basic.ts";
import { KeyCalls } from "../../src/http/key-calls.ts";
import { temporaryApp } from "../support/http.ts";
import { by } from "../support/isp.ts";
import { eventually } from "../support/radius-server.ts";
import { undoneTemplate } from "../support/store.ts";
import { fillTenants, insertKey, callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const PATH = "/api/v1/api_key";
let app: Tenants;
beforeEach(async () => {
  app = await withTenants();
});
afterEach(() => app[Symbol.dispose]());

const filled = undoneTemplate(fillTenants);
const call = (method: string, path: string, form?: object, basic = callers.admin) =>
  app.call(method, `${PATH}/${path}`, { basic, ...(form && { form: { ...form } }) });
/** What a key is answered: by HTTP Basic, and as a Bearer. */
async function asked(pair: string, path = "/api/v1/subscriber/list") {
  const basic = await app.call("GET", path, { basic: pair });
  const bearer = await app.call("GET", path, { bearer: pair });
  expect([bearer.status, bearer.body]).toEqual([basic.status, basic.body]);
  return basic;
}
const secretOf = ({ body }: { body: unknown }) => (body as { secret: string }).secret;

describe("a key", () => {
  test("is made, shown once, changed, and revoked for good", async () => {
    const made = await call("POST", "create", {
      name: "books",
      role_code: 1,
      flags: "subscriber_view, payment_view",
      ends_at: "2030-12-31",
    });
    const { api_key: key, secret } = made.body as { api_key: { key: string }; secret: string };
    expect(key).toEqual({
      id: 10,
      key: expect.stringMatching(/^key_[0-9a-f]{16}$/),
      isp_id: 1,
      branch_id: 0,
      name: "books",
      role_code: 1,
      flags: ["subscriber_view", "payment_view"],
      addresses: null,
      ends_at: "2030-12-31 23:59:59",
      former_secret_until: null,
      used_at: null,
      used_from: null,
      created_at: "2030-01-15 12:00:00",
      created_by: 1,
      revoked_at: null,
    } as unknown as { key: string });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect((await call("GET", "get/10")).body).toEqual(key);
    expect((await call("GET", "list")).body).toEqual([key]);
    expect(
      JSON.stringify(app.db.$client.query("SELECT * FROM api_keys, idempotency_keys").all()),
    ).not.toContain(secret);
    for (const [name, fault] of [
      ["books", "is taken by another key, 10"],
      ["ADA", "is taken by an account of staff"],
    ])
      expect((await call("POST", "create", { name, role_code: 1 })).body).toMatchObject({
        errors: { name: [fault] },
      });
    const pair = `${key.key}:${secret}`;
    expect((await asked(pair)).status).toBe(200);
    expect(
      (await call("POST", "update/10", { flags: "payment_view", addresses: "192.0.2.0/24, 2001:db8::1" }))
        .status,
    ).toBe(200);
    expect((await asked(pair)).refusal).toMatchObject({ code: "address_not_allowed" });
    expect((await call("POST", "update/10", { addresses: "", ends_at: "" })).body).toMatchObject({
      api_key: { flags: ["payment_view"], addresses: null, ends_at: null },
    });
    expect((await asked(pair)).refusal).toMatchObject({
      code: "permission_missing",
      param: "subscriber_view",
    });
    const gone = await call("POST", "revoke/10");
    expect(gone.body).toMatchObject({ success: "The key is revoked.", api_key: { role_code: null } });
    expect(await asked(pair)).toMatchObject({ status: 401, refusal: { code: "key_revoked" } });
    expect((await call("POST", "rotate/10")).refusal).toMatchObject({ code: "key_revoked" });
    expect((await call("POST", "create", { name: "books", role_code: 1 })).status).toBe(200);
    const trail = JSON.stringify(
      (await app.call("GET", "/api/v1/audit/list", { basic: callers.admin })).body,
    );
    expect(trail).toContain("api_key.revoke");
    expect(trail).not.toContain(secret);
  });

  test("does what its role may, in its branch, under its name, and nothing about keys", async () => {
    const pair = insertKey(app);
    const { body } = await asked(pair);
    expect(body).toMatchObject([{ id: 1 }]); // 2 is of another branch
    const note = await app.call("POST", "/api/v1/subscriber/note", {
      bearer: pair,
      form: { user_id: 1, note: "A" },
    });
    expect(note.status).toBe(200);
    const [entry] = app.db.$client
      .query("SELECT staff_id, actor FROM audit_entries ORDER BY id DESC LIMIT 1")
      .all();
    expect(entry).toEqual({ staff_id: 50, actor: "books" });
    for (const path of ["list", "get/50"]) expect((await asked(pair, `${PATH}/${path}`)).status).toBe(403);
    expect((await call("POST", "create", { name: "more", role_code: 1 }, pair)).status).toBe(403);
    const wider = { role_code: 1, api_key_manage: 1 };
    expect(
      (await app.call("POST", "/api/v1/role/permissions_update", { basic: pair, form: wider })).status,
    ).toBe(403);
  });

  test("is no person: no list has it, no password signs it in, no wallet is its own", async () => {
    const pair = insertKey(app);
    const [username = "", secret = ""] = pair.split(":");
    expect(
      JSON.stringify((await app.call("GET", "/api/v1/staff/list", { basic: callers.admin })).body),
    ).not.toContain("books");
    expect((await app.call("GET", "/api/v1/staff/get/50", { basic: callers.admin })).status).toBe(404);
    const { status } = await app.call("POST", "/api/v1/users/login", {
      json: { email: username, password: secret },
    });
    expect(status).toBe(401);
    expect((await app.call("GET", "/api/v1/users/profile", { bearer: pair })).status).toBe(401);
    const form = { staff_id: 50, amount: 1, direction: "credit", reason: "A" };
    expect((await app.call("POST", "/api/v1/wallet/adjust", { basic: callers.admin, form })).status).not.toBe(
      200,
    );
  });

  test("has what its role has at each call", async () => {
    const pair = insertKey(app, { flags: "subscriber_view" });
    const set = (flags: object) =>
      app.call("POST", "/api/v1/role/permissions_update", {
        basic: callers.admin,
        form: { role_code: 1, ...flags },
      });
    expect((await asked(pair)).status).toBe(200);
    await set({ subscriber_view: 0 });
    expect((await asked(pair)).status).toBe(403);
    await set({ subscriber_view: 1, api_access: 0 });
    expect((await asked(pair)).refusal).toMatchObject({ code: "permission_missing" });
    await set({ api_access: 1 });
    expect(await asked(pair, "/api/v1/payment/list")).toMatchObject({
      status: 403,
      body: {
        error:
          "the permission payment_view is missing; have it given to this key (in the console under API keys), and to the key's role where that lacks it too",
      },
      refusal: {
        code: "permission_missing",
        param: "payment_view",
        next: expect.stringContaining("api_key/update"),
      },
    });
    expect((await asked(pair)).status).toBe(200);
    expect((await app.call("DELETE", "/api/v1/role/delete/1", { basic: callers.admin })).body).toMatchObject({
      error: expect.stringContaining("of which 1 API keys"),
    });
  });
});

test("two secrets are valid while one is changed, and one that was never used is replaced", async () => {
  const first = insertKey(app);
  const [username = ""] = first.split(":");
  const rotated = async (form?: object) => `${username}:${secretOf(await call("POST", "rotate/50", form))}`;
  const statuses = async (...pairs: string[]) =>
    Promise.all(pairs.map(async (pair) => (await asked(pair)).status));
  await asked(first);
  const lost = await rotated({ keep_hours: 1 });
  const second = await rotated({ keep_hours: 24 });
  expect(await statuses(first, lost)).toEqual([200, 401]);
  app.clock.now += 3599;
  expect(await statuses(first)).toEqual([200]);
  app.clock.now += 1;
  expect(await statuses(first, second)).toEqual([401, 200]);
  const former = await rotated({ keep_hours: 1 });
  expect(await statuses(second)).toEqual([200]);
  app.clock.now += 3600;
  expect(await statuses(second, former)).toEqual([401, 200]);
  const third = await rotated({ keep_hours: 0 });
  expect(await statuses(former, third)).toEqual([401, 200]);
});

test("one that was revoked keeps no branch", async () => {
  app.db.$client.run("INSERT INTO branches (id, isp_id, name) VALUES (90, 1, 'Hill')");
  insertKey(app, { branch_id: 90 });
  const remove = () => app.call("DELETE", "/api/v1/branch/delete/90", { basic: callers.admin });
  expect((await remove()).status).toBe(400);
  expect((await call("POST", "revoke/50")).status).toBe(200);
  expect((await remove()).status).toBe(200);
});

describe("a call is refused", () => {
  test("from another address", async () => {
    const addresses = "192.0.2.0/24, 2001:db8::/64, 198.51.100.7";
    const authorization = `Bearer ${insertKey(app, { addresses })}`;
    const credentials = new BasicCredentials(app.db, () => app.clock.now, new AttemptLimit(10));
    for (const address of ["192.0.2.9", "2001:db8::9", "198.51.100.7"])
      expect(await credentials.actor(authorization, address)).toMatchObject({
        name: "books",
        source: address,
      });
    for (const address of ["192.0.3.9", "2001:db8:0:1::9", "198.51.100.8", "unknown"])
      expect(await credentials.actor(authorization, address).catch((error) => error)).toMatchObject({
        kind: "forbidden",
        code: "address_not_allowed",
      });
  });

  test("after the end, and with a wrong secret", async () => {
    const pair = insertKey(app, { ends_at: "2030-01-16 12:00:00" });
    expect((await asked(pair)).status).toBe(200);
    app.clock.now += 2 * 86_400;
    expect(await asked(pair)).toMatchObject({ status: 401, refusal: { code: "key_ended" } });
    expect(await asked(`${pair}x`)).toMatchObject({ status: 401, refusal: { code: "wrong_credentials" } });
  });

  test("after ten wrong secrets of a minute, and never with the right one, which a neighbour's tries would lock out", async () => {
    const pair = insertKey(app);
    for (let count = 0; count < 10; count++)
      expect((await app.call("GET", `${PATH}/list`, { bearer: `${pair}x` })).status).toBe(401);
    expect(await app.call("GET", `${PATH}/list`, { bearer: `${pair}x` })).toMatchObject({ status: 429 });
    expect((await asked(pair)).status).toBe(200);
  });
});

test.each([
  [{ role_code: 2, flags: "payment_view" }, { flags: ["has what the role does not have: payment_view"] }],
  [{ role_code: 4 }, { role_code: ["is a role without the permission api_access, which its programs need"] }],
  [{ role_code: 3 }, { role_code: ["is not a role of this ISP"] }],
  [{ addresses: "10.0.0.0/33" }, { addresses: [expect.stringContaining("IP addresses or CIDRs")] }],
  [{ ends_at: "2030-01-15 11:59:59" }, { ends_at: ["must be later than now"] }],
  [{ keep: 1, name: "" }, { name: ["is required"] }],
])("%j is refused at its field", async (more, errors) => {
  const { status, body } = await call("POST", "create", { name: "books", role_code: 1, ...more });
  expect({ status, body }).toMatchObject({ status: 400, body: { errors } });
});

describe("whoever makes one", () => {
  test("gives it no more than they have, and touches none that has more", async () => {
    const roles =
      "DELETE FROM role_permissions WHERE role_code = 2; INSERT INTO role_permissions SELECT 2, name, 1 FROM permission_flags WHERE name IN ('api_access', 'api_key_manage', 'subscriber_view')";
    app.db.$client.run(roles);
    insertKey(app, { branch_id: 0 });
    const own = (path: string, form: object) => call("POST", path, form, callers.noFlag);
    expect((await own("create", { name: "a", role_code: 1 })).refusal).toMatchObject({
      code: "permission_missing",
    });
    expect((await own("create", { name: "a", role_code: 1, flags: "subscriber_view" })).status).toBe(200);
    expect((await own("create", { name: "b", role_code: 2 })).status).toBe(200);
    for (const path of ["update/50", "rotate/50", "revoke/50"])
      expect([path, (await own(path, {})).refusal]).toMatchObject([path, { code: "permission_missing" }]);
    expect((await own("update/51", { flags: "subscriber_view, payment_view" })).status).toBe(403);
  });
});

test("no new username begins as the id of a key does, and one from before still signs in", async () => {
  const form = { isp_id: 1, name: "N", username: "KEY_1", password: "hush-hush-1", profile_type: 2 };
  const staff = await app.call("POST", "/api/v1/staff/create", { basic: callers.admin, form });
  const fault = { username: ["must not begin with key_, as ids of API keys do; take another one"] };
  expect(staff).toMatchObject({ status: 400, body: { errors: fault } });
  const line = {
    username: "key_1",
    isp_id: 1,
    name: "N",
    password: "p",
    package_id: 1,
    connection_type_id: 1,
  };
  const more = { salesperson_id: 1, nas_id: 1, nic_number: "N", mobile_number: "7" };
  const subscriber = await app.call("POST", "/api/v1/subscriber/create", {
    basic: callers.admin,
    form: { ...line, ...more },
  });
  expect(subscriber).toMatchObject({ status: 400, body: { errors: fault } });
  app.db.$client.run("UPDATE staff SET username = 'key_old', username_key = 'key_old' WHERE id = 1");
  expect((await call("GET", "list", undefined, "key_old:secret-1")).status).toBe(200);
  const changed = { id: 1, name: "Ada L." };
  expect(
    (await app.call("POST", "/api/v1/staff/update", { basic: "key_old:secret-1", form: changed })).status,
  ).toBe(200);
});

describe("calls of a key", () => {
  const of = (keyId: number, more: object = {}) => ({
    keyId,
    at: app.clock.now,
    method: "GET",
    path: "/a",
    status: 200,
    milliseconds: 3,
    address: "192.0.2.7",
    ...more,
  });
  const record = (...calls: ReturnType<typeof of>[]) => recordKeyCalls(app.db, by, calls);

  test("are written down behind the request, with what came of them and nothing of what was asked", async () => {
    const written: KeyCall[] = [];
    const calls = new KeyCalls((some) => void written.push(...some));
    using site = temporaryApp({ keyCalls: calls }, await filled());
    const pair = insertKey(site);
    await site.call("GET", "/api/v1/subscriber/list?username=user1", { basic: pair });
    await site.call("GET", "/api/v1/api_key/list", { bearer: pair });
    await site.call("GET", "/api/v1/api_key/list", { bearer: `${pair}x` });
    await site.call("GET", "/api/v1/api_key/list", { basic: callers.admin });
    expect(await eventually(() => (calls.flush(), written.length === 2))).toBe(true);
    expect(written.map(({ keyId, method, path, status }) => [keyId, method, path, status])).toEqual([
      [50, "GET", "/api/v1/subscriber/list", 200],
      [50, "GET", "/api/v1/api_key/list", 403],
    ]);
    recordKeyCalls(site.db, by, written);
    const list = async (query = "") =>
      (await site.call("GET", `${PATH}/requests/50${query}`, { basic: callers.admin })).body;
    expect(await list()).toMatchObject([{ status: 403 }, { status: 200, at: "2030-01-15 12:00:00" }]);
    expect(await list("?failed=1")).toMatchObject([{ status: 403 }]);
    const { body } = await site.call("GET", `${PATH}/get/50`, { basic: callers.admin });
    expect(body).toMatchObject({ used_at: "2030-01-15 12:00:00", used_from: "unknown" });
  });

  test("say when it was used, once a minute", () => {
    insertKey(app);
    const used = () => app.db.$client.query("SELECT used_at, used_from FROM api_keys").get();
    const { now } = app.clock;
    record(of(50));
    expect(used()).toEqual({ used_at: now, used_from: "192.0.2.7" });
    record(of(50, { at: now + 59, address: "192.0.2.8" }));
    expect(used()).toMatchObject({ used_at: now });
    record(of(50, { at: now + 60, address: "192.0.2.8" }));
    expect(used()).toEqual({ used_at: now + 60, used_from: "192.0.2.8" });
  });

  test("are a thousand at the most", () => {
    insertKey(app);
    record(...Array.from({ length: 1002 }, (_, nth) => of(50, { status: 200 + nth })));
    record(of(50));
    const [kept] = app.db.$client
      .query("SELECT count(*) AS n, min(status) AS first FROM api_key_calls")
      .all();
    expect(kept).toEqual({ n: 1000, first: 200 });
    expect(
      app.db.$client.query("SELECT min(status) AS n FROM api_key_calls WHERE status > 200").get(),
    ).toEqual({ n: 203 });
  });
});
