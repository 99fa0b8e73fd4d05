import { describe, expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { request, temporaryApp, type Sent } from "../support/http.ts";
import { insertStaff } from "../support/people.ts";
import { openSession, withTenants } from "../support/tenants.ts";

const basic = "ada:secret-1";
const form = { "content-type": "application/x-www-form-urlencoded" };
const large = "x".repeat(1024 * 1024 + 1);

async function withAdmin() {
  const app = temporaryApp();
  await insertStaff(app.db, "ada");
  return app;
}

describe("HTTP's own refusals, each in the shape of the path's family", () => {
  const staff = (message: string) => ({ status: "error", message });
  const managed = (error: string) => ({ error });
  const login = "/api/v1/users/login";
  const create = "/api/v1/role/create";
  const accepted = "send application/json, application/x-www-form-urlencoded or multipart/form-data";
  const cases: {
    name: string;
    method: string;
    path: string;
    sent?: Sent;
    status: number;
    body: object;
    allow?: string;
  }[] = [
    {
      name: "unknown staff path",
      method: "GET",
      path: "/api/v1/users/none",
      status: 404,
      body: staff("there is no /api/v1/users/none"),
    },
    {
      name: "unknown management path",
      method: "POST",
      path: "/api/v1/role/none",
      status: 404,
      body: managed("there is no /api/v1/role/none"),
    },
    { name: "unknown path", method: "GET", path: "/none", status: 404, body: managed("there is no /none") },
    {
      name: "a path in another case, without credentials",
      method: "GET",
      path: "/api/v1/ROLE/list",
      status: 404,
      body: managed("there is no /api/v1/ROLE/list"),
    },
    {
      name: "a trailing slash",
      method: "GET",
      path: "/api/v1/role/list/",
      status: 404,
      body: managed("there is no /api/v1/role/list/"),
    },
    {
      name: "wrong method on login",
      method: "GET",
      path: login,
      status: 405,
      body: staff("the method is not one of POST"),
      allow: "POST",
    },
    {
      name: "wrong method, without credentials",
      method: "POST",
      path: "/api/v1/role/list",
      status: 405,
      body: managed("the method is not one of GET, HEAD"),
      allow: "GET, HEAD",
    },
    {
      name: "wrong method on a path with a parameter",
      method: "GET",
      path: "/api/v1/role/delete/1",
      status: 405,
      body: managed("the method is not one of DELETE"),
      allow: "DELETE",
    },
    {
      name: "an unusual method",
      method: "OPTIONS",
      path: create,
      status: 405,
      body: managed("the method is not one of POST"),
      allow: "POST",
    },
    {
      name: "a body that is too large, management",
      method: "POST",
      path: create,
      sent: { basic, body: large, headers: form },
      status: 413,
      body: managed("the body is larger than 1 MiB"),
    },
    {
      name: "a body that is too large, staff",
      method: "POST",
      path: login,
      sent: { body: large, headers: { "content-type": "application/json" } },
      status: 413,
      body: staff("the body is larger than 1 MiB"),
    },
    {
      name: "text",
      method: "POST",
      path: create,
      sent: { basic, body: "name=A", headers: { "content-type": "text/plain" } },
      status: 415,
      body: managed(`text/plain is not accepted; ${accepted}`),
    },
    {
      name: "bytes without a type",
      method: "POST",
      path: create,
      sent: { basic, body: new TextEncoder().encode("name=A") },
      status: 415,
      body: managed(`the body has no content type; ${accepted}`),
    },
    {
      name: "XML for login",
      method: "POST",
      path: login,
      sent: { body: "<a/>", headers: { "content-type": "application/xml" } },
      status: 415,
      body: staff(`application/xml is not accepted; ${accepted}`),
    },
    {
      name: "a content type that is a name of Object.prototype",
      method: "POST",
      path: create,
      sent: { basic, body: "x", headers: { "content-type": "constructor" } },
      status: 415,
      body: managed(`constructor is not accepted; ${accepted}`),
    },
    {
      name: "broken JSON",
      method: "POST",
      path: create,
      sent: { basic, body: '{"name":', headers: { "content-type": "application/json" } },
      status: 400,
      body: managed("the body is not JSON"),
    },
    {
      name: "JSON nested without end",
      method: "POST",
      path: create,
      sent: { basic, body: "[".repeat(500_000), headers: { "content-type": "application/json" } },
      status: 400,
      body: managed("the body is not JSON"),
    },
    {
      name: "null",
      method: "POST",
      path: create,
      sent: { basic, body: "null", headers: { "content-type": "application/json" } },
      status: 400,
      body: managed("the body is not a JSON object"),
    },
    {
      name: "bytes that are not UTF-8",
      method: "POST",
      path: create,
      sent: { basic, body: new Uint8Array([123, 255, 125]), headers: { "content-type": "application/json" } },
      status: 400,
      body: managed("the body is not UTF-8"),
    },
    {
      name: "a form with a broken escape",
      method: "POST",
      path: create,
      sent: { basic, body: "name=%zz", headers: form },
      status: 400,
      body: managed("the form is not properly percent-encoded"),
    },
    {
      name: "a query whose escapes are not UTF-8",
      method: "GET",
      path: "/api/v1/role/list?isp_id=%ff",
      sent: { basic },
      status: 400,
      body: managed("the form is not properly percent-encoded"),
    },
    {
      name: "multipart without its boundary",
      method: "POST",
      path: create,
      sent: { basic, body: "nothing of the kind", headers: { "content-type": "multipart/form-data" } },
      status: 400,
      body: managed("the body is not multipart/form-data"),
    },
  ];
  test.each(cases)("$name: $status", async ({ method, path, sent, status, body, allow }) => {
    using app = await withAdmin();
    const answer = await app.call(method, path, sent);
    expect(answer.body).toEqual(body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("allow")).toBe(allow ?? null);
  });
});

describe("an unexpected failure", () => {
  test("says nothing but an id, which stands in the log beside its cause", async () => {
    using app = await withAdmin();
    app.db.$client.run("ALTER TABLE roles RENAME TO vanished");
    const { status, body } = await app.call("GET", "/api/v1/role/list", { basic });
    expect(status).toBe(500);
    expect(body).toEqual({ error: "internal error", id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const logged: { id: string; err: { stack: string } } = JSON.parse(app.lines[0] ?? "");
    expect(body).toMatchObject({ id: logged.id });
    expect(logged.err.stack).toContain("no such table");
  });

  test("is no unknown path, whatever the error calls itself", async () => {
    const failing = async () => {
      throw Object.assign(new Error("secret"), { code: "NOT_FOUND", status: 404 });
    };
    const routers = { disconnect: failing, changeRate: failing, changeTimeout: failing, find: failing };
    using app = await withTenants({ routers });
    openSession(app, 1);
    const { status, body } = await app.call("POST", "/api/v1/activation/disconnect", {
      basic,
      form: { user_id: 1 },
    });
    expect([status, body]).toEqual([500, { error: "internal error", id: expect.any(String) }]);
    expect(app.lines).toHaveLength(1);
  });

  test("in the body of the family", async () => {
    using app = await withAdmin();
    app.db.$client.run("ALTER TABLE staff RENAME TO vanished");
    const { status, body } = await app.call("POST", "/api/v1/users/login", {
      json: { email: "a", password: "b" },
    });
    expect(status).toBe(500);
    expect(body).toEqual({ status: "error", message: "internal error", id: expect.any(String) });
    expect(app.lines).toHaveLength(1);
  });
});

test("a damaged database is 503 with what to do, not a bug of the request", async () => {
  using app = await withAdmin();
  const { $client } = app.db;
  const root = $client
    .query("SELECT rootpage FROM sqlite_master WHERE name = 'subscribers'")
    .values()[0]?.[0];
  const size = $client.query("PRAGMA page_size").values()[0]?.[0];
  $client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const file = openSync(join(app.folder, "gatehouse.db"), "r+");
  writeSync(file, Buffer.alloc(Number(size), 0xa5), 0, Number(size), (Number(root) - 1) * Number(size));
  closeSync(file);
  $client.run("PRAGMA shrink_memory");
  const { status, body } = await app.call("GET", "/api/v1/subscriber/get/1", { basic });
  expect({ status, body }).toEqual({
    status: 503,
    body: { error: "the database is damaged; ask the operator of the box to bring the last backup back" },
  });
});

test("HEAD answers what GET answers, without the body", async () => {
  using app = await withAdmin();
  const answer = await app.call("HEAD", "/api/v1/role/list", { basic });
  expect(answer).toMatchObject({ status: 200, body: undefined });
  expect(await app.call("HEAD", "/api/v1/role/list")).toMatchObject({ status: 401 });
});

test("the public app serves the subscriber's own paths and nothing else", async () => {
  using app = await withAdmin();
  const served: string[] = [];
  for (const { path } of app.app.routes) {
    const response = await app.publicApp.handle(request("PUT", path.replace(/:\w+/, "1"), { basic }));
    if (response.status !== 404) served.push(path);
  }
  expect([...new Set(served)].sort()).toEqual([
    "/",
    "/api/v1/me",
    "/api/v1/me/device/take",
    "/api/v1/me/devices",
    "/api/v1/me/invoices",
    "/api/v1/me/invoices/:id",
    "/api/v1/me/language",
    "/api/v1/me/messages",
    "/api/v1/me/password",
    "/api/v1/me/payments",
    "/api/v1/me/push",
    "/api/v1/me/push/remove",
    "/api/v1/me/renew",
    "/api/v1/me/sessions",
    "/api/v1/me/top_up",
    "/api/v1/me/usage",
    "/api/v1/subscriber/card/preview",
    "/api/v1/subscriber/card/redeem",
    "/api/v1/subscriber/login",
    "/api/v1/subscriber/logout",
    "/api/v1/subscriber/logout-all",
    "/api/v1/subscriber/refresh-token",
    "/mobile-auto-login",
    "/pay/:key",
    "/pay/:key/check",
    "/portal",
    "/portal/assets/:file",
    "/portal/brand/:isp/:file",
    "/portal/card",
    "/portal/card/redeem",
    "/portal/hotspot/:isp/:language/:file",
    "/portal/invoices",
    "/portal/invoices/:id",
    "/portal/offline",
    "/portal/renew",
    "/portal/sessions",
    "/portal/settings",
    "/portal/settings/messages",
    "/portal/settings/password",
    "/portal/settings/push",
    "/portal/settings/push/follow",
    "/portal/settings/push/remove",
    "/portal/sign-in",
    "/portal/sign-out",
    "/portal/sign-out-everywhere",
    "/portal/top-up",
    "/portal/worker.js",
  ]);
});
