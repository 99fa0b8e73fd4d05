import { describe, expect, test } from "bun:test";
import type { Description } from "../../src/http/describe.ts";
import { inSharedWorld, type Route, requestOf, routes, world } from "../support/route-calls.ts";
import { stateOf, type Tenants } from "../support/tenants.ts";

/** Those that take no key, with why. */
const without: Record<string, string> = {
  ...because("it changes nothing", [
    "POST /api/v1/bulk/preview",
    "POST /api/v1/card/find",
    "POST /api/v1/card/preview",
    "POST /api/v1/incoming_payment/bank_preview",
    "POST /api/v1/incoming_payment/raw/:id",
    "POST /api/v1/message/preview",
    "POST /api/v1/message_template/preview",
    "POST /api/v1/nas/config/read",
    "POST /api/v1/nas/script",
    "POST /api/v1/nas/test",
    "POST /api/v1/subscriber/card/preview",
    "POST /api/v1/webhook/secret/:id",
  ]),
  ...because("an assistant reads, by a protocol that has no such key", ["POST /mcp"]),
  ...because("its secret is kept nowhere, and one that was lost is replaced by the next", [
    "POST /api/v1/api_key/create",
    "POST /api/v1/api_key/rotate/:id",
  ]),
  ...because("a sign-in too many harms nobody, and what it answers is not kept", [
    "POST /api/auth-login",
    "POST /api/v1/subscriber/login",
    "POST /api/v1/users/login",
  ]),
  ...because("the token that it takes is gone after the first, so that the second does nothing", [
    "POST /api/v1/subscriber/logout",
    "POST /api/v1/subscriber/logout-all",
    "POST /api/v1/subscriber/refresh-token",
    "POST /api/v1/users/logout",
    "POST /api/v1/users/logout-all",
    "POST /api/v1/users/refresh-token",
  ]),
  ...because("what it is about tells by itself that it came before", [
    "POST /api/v1/payment/receive",
    "POST /api/v1/subscriber/card/redeem",
    "POST /pay/:key",
    "POST /pay/:key/check",
  ]),
};

function because(why: string, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, why]));
}

/** All that change something, but the forms of pages. */
const changing = routes.filter(
  ({ method, path }) => !/^(GET|HEAD|OPTIONS)$/.test(method) && !path.startsWith("/portal"),
);
const takesKey = (app: Tenants, { method, path }: Route) => {
  const found = app.app.routes.find((route) => route.method === method && route.path === path);
  const detail: Description | undefined = found?.hooks.detail;
  return detail?.once === true;
};

test("every call that changes something takes an Idempotency-Key, or is named here with why not", async () => {
  using app = await world();
  const silent = changing.filter((route) => !takesKey(app, route)).map(({ name }) => name);
  expect(silent.toSorted()).toEqual(Object.keys(without).toSorted());
});

describe("with a key it is done once, and answered twice", () => {
  const kept = changing.filter(({ name }) => !Object.hasOwn(without, name));
  test.each(kept)("$name", (route) =>
    inSharedWorld(route, async (app) => {
      const sent = await requestOf(app, route, 1, { "idempotency-key": "once" });
      const { url, method, headers } = sent;
      const bytes = await sent.bytes();
      const send = () =>
        app.app.handle(new Request(url, { method, headers, ...(bytes.length > 0 && { body: bytes }) }));
      const first = await send();
      expect(first.status).toBeLessThan(300);
      expect(first.headers.get("idempotent-replayed")).toBeNull();
      const after = stateOf(app);
      const second = await send();
      expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([first.status, "true"]);
      expect(stateOf(app)).toEqual(after);
      const [body, repeated] = [await first.json(), await second.json()].map((value) => Object(value));
      expect(Object.keys(repeated)).toEqual(Object.keys(body));
      if (!AFTERWARDS.test(route.path)) expect(repeated).toEqual(body);
    }),
  );
});

/** What came of it at the routers is asked each time. */
const AFTERWARDS = /activation\/(extend|top_up)|payment\/(take|reverse)|card\/(redeem|void)|invoice\/void/;

test("what has a secret in its answer is kept sealed", async () => {
  using app = await world();
  const route = changing.find(({ path }) => path === "/api/v1/webhook/rotate/:id");
  if (!route) throw new Error("there is no such route");
  const sent = await requestOf(app, route, 1, { "idempotency-key": "once" });
  const { secret } = Object(await (await app.app.handle(sent)).json());
  expect(secret).toStartWith("whsec_");
  expect(JSON.stringify(app.db.$client.query("SELECT * FROM idempotency_keys").all())).not.toContain(secret);
});
