import { afterAll, beforeAll, expect, test } from "bun:test";
import { write } from "../../db/open.ts";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { signToken, storeToken } from "../../src/domain/goods/subscribers/tokens.ts";
import { request, type Sent } from "../support/http.ts";
import { by } from "../support/isp.ts";
import { type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

/** ISP 1 has two apps, ISP 2 one of its own; subscriber 1 is of ISP 1. */
const SOUTHERN = 9;
const NORTH = "https://app.north.example";
const SOUTH = "https://app.south.example";
const NEITHER = "https://evil.example";
const PHONE = "capacitor://localhost";

let app: Tenants;

async function tokenOf(subscriberId: number): Promise<string> {
  const { db, clock } = app;
  const signed = await signToken(db, { subscriberId, now: clock.now, days: 1 });
  write(db, (tx) => storeToken(tx, { ...signed, subscriberId, now: clock.now }));
  return signed.token;
}

beforeAll(async () => {
  app = await withTenants();
  const { db, clock } = app;
  const at = { now: clock.now };
  changeSetting(db, by, { key: "app_origins", value: `${NORTH} ${PHONE}`, ispId: 1 }, at);
  changeSetting(db, by, { key: "app_origins", value: SOUTH, ispId: 2 }, at);
});
afterAll(() => app[Symbol.dispose]());

const ask = (method: string, path: string, origin: string | undefined, sent: Sent = {}) =>
  app.callPublic(method, path, { ...sent, headers: { ...sent.headers, ...(origin && { origin }) } });

/** Asked on both listeners: the document describes no preflight. */
function preflight(path: string, origin: string): Promise<Response[]> {
  const headers = { origin, "access-control-request-method": "POST" };
  return Promise.all(
    [app.app, app.publicApp].map((listener) => listener.handle(request("OPTIONS", path, { headers }))),
  );
}

test.each([
  ["/api/v1/me", NORTH, true],
  ["/api/v1/me", PHONE, true],
  ["/api/v1/me/renew", SOUTH, true],
  ["/api/v1/me/invoices/7", NORTH, true],
  ["/api/v1/subscriber/login", NORTH, true],
  ["/api/v1/subscriber/refresh-token", SOUTH, true],
  ["/api/v1/subscriber/card/redeem", NORTH, true],
  ["/api/v1/me", NEITHER, false],
  ["/api/v1/me", "null", false],
  ["/api/v1/me", `${NORTH}.evil.example`, false],
  ["/api/v1/me", "http://app.north.example", false],
  ["/portal", NORTH, false],
  ["/mobile-auto-login", NORTH, false],
  ["/api/v1/subscriber/list", NORTH, false],
  ["/api/v1/users/login", NORTH, false],
])("a preflight of %s for %s: %p", async (path, origin, isAllowed) => {
  for (const { status, headers } of await preflight(path, origin)) {
    expect(headers.get("access-control-allow-origin")).toBe(isAllowed ? origin : null);
    expect(status === 204).toBe(isAllowed);
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  }
});

test("a preflight says which methods and headers there are, and that it depends on the origin", async () => {
  const [answer] = await preflight("/api/v1/me/renew", NORTH);
  const headers = answer?.headers ?? new Headers();
  expect(headers.get("access-control-allow-methods")).toBe("GET, POST");
  expect(headers.get("access-control-allow-headers")).toContain("Authorization");
  expect(headers.get("access-control-allow-headers")).toContain("Idempotency-Key");
  expect(headers.get("vary")).toBe("Origin");
});

const wrong = { username: "user1", password: "wrong" };

test.each<[string, string, string, Sent & { token?: number }, string | undefined, number, boolean]>([
  ["its own ISP's app", "GET", "/api/v1/me", { token: 1 }, NORTH, 200, true],
  ["an app on a phone", "GET", "/api/v1/me", { token: 1 }, PHONE, 200, true],
  ["another ISP's app", "GET", "/api/v1/me", { token: 1 }, SOUTH, 200, false],
  ["the other way round", "GET", "/api/v1/me", { token: SOUTHERN }, SOUTH, 200, true],
  ["no ISP's app", "GET", "/api/v1/me", { token: 1 }, NEITHER, 200, false],
  ["no page", "GET", "/api/v1/me", { token: 1 }, undefined, 200, false],
  ["a list", "GET", "/api/v1/me/invoices", { token: 1 }, NORTH, 200, true],
  ["a refusal", "GET", "/api/v1/me/invoices/99", { token: 1 }, NORTH, 404, true],
  ["a refusal, elsewhere", "GET", "/api/v1/me/invoices/99", { token: 1 }, SOUTH, 404, false],
  ["a change", "POST", "/api/v1/me/language", { token: 1, json: { language: "fr" } }, NORTH, 200, true],
  ["no token", "GET", "/api/v1/me", {}, NORTH, 401, true],
  ["no token, elsewhere", "GET", "/api/v1/me", {}, NEITHER, 401, false],
  ["a wrong password", "POST", "/api/v1/subscriber/login", { json: wrong }, NORTH, 401, true],
  ["a card", "POST", "/api/v1/subscriber/card/preview", { token: 1, json: { code: "x" } }, NORTH, 404, true],
  [
    "a card, elsewhere",
    "POST",
    "/api/v1/subscriber/card/preview",
    { token: 1, json: { code: "x" } },
    SOUTH,
    404,
    false,
  ],
  [
    "a new token, elsewhere",
    "POST",
    "/api/v1/subscriber/refresh-token",
    { token: SOUTHERN },
    NORTH,
    200,
    false,
  ],
])("%s", async (_, method, path, { token, ...sent }, origin, status, isReadable) => {
  const bearer = token === undefined ? undefined : await tokenOf(token);
  const answer = await ask(method, path, origin, { ...sent, ...(bearer !== undefined && { bearer }) });
  const { headers } = answer;
  expect({ status: answer.status, origin: headers.get("access-control-allow-origin") }).toEqual({
    status,
    origin: isReadable ? (origin ?? null) : null,
  });
  expect(headers.get("vary")).toContain("Origin");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  expect(headers.get("access-control-expose-headers")?.includes("X-Total-Count") ?? false).toBe(isReadable);
});

test("an answer depends on the origin too where it is compressed, or a page", async () => {
  activate(app.db, by, { subscriberId: 1, packageId: 1 }, { now: app.clock.now });
  const bearer = await tokenOf(1);
  const { body } = await ask("GET", "/api/v1/me/invoices", NORTH, { bearer });
  const [{ id }] = Object(body);
  for (const encoding of ["gzip", "identity"])
    for (const path of ["/api/v1/me/usage?days=90", `/api/v1/me/invoices/${id}`]) {
      const sent = { bearer, headers: { origin: NORTH, "accept-encoding": encoding } };
      const { headers } = await app.publicApp.handle(request("GET", path, sent));
      expect(headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
      expect(headers.get("vary")).toContain("Origin");
      expect(headers.get("access-control-allow-origin")).toBe(NORTH);
    }
});

test("whoever logs in with the app of another ISP gets nothing to read", async () => {
  const login = (origin: string) =>
    ask("POST", "/api/v1/subscriber/login", origin, { json: { username: "user1", password: "pw-1" } });
  for (const [origin, readable] of [
    [NORTH, NORTH],
    [SOUTH, null],
  ] as const) {
    const { status, headers } = await login(origin);
    expect({ status, origin: headers.get("access-control-allow-origin") }).toEqual({
      status: 200,
      origin: readable,
    });
    expect(headers.get("set-cookie")).toBeNull();
  }
});
