import { describe, expect, test } from "bun:test";
import type { Description } from "../../src/http/describe.ts";
import { request } from "../support/http.ts";
import { inSharedWorld, type Route, requestOf, routes, world } from "../support/route-calls.ts";
import { callers, stateOf, type Tenants, withTenants } from "../support/tenants.ts";

const gets = routes.filter(({ path }) => /\/get\/:|^\/api\/v1\/me$/.test(path));
const nounOf = (path: string) => path.replace(/\/[^/:]+(\/:\w+)?$/, "");
const nouns = new Set(gets.map(({ path }) => nounOf(path)).filter((noun) => noun !== "/api/v1"));
const changing = routes.filter(({ method, path }) => method !== "GET" && nouns.has(nounOf(path)));

const described = await (async () => {
  using app = await world();
  return new Map(
    app.app.routes.map(({ method, path, hooks }): [string, Description] => [
      `${method} ${path}`,
      hooks.detail,
    ]),
  );
})();
const takesIfMatch = ({ name }: Route) => described.get(name)?.condition === "change";

const because = (why: string, paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [`POST /api/v1/${path}`, why]));

const without: Record<string, string> = {
  ...because("there is none before it", [
    "address_pool/create",
    "api_key/create",
    "area/create",
    "branch/create",
    "bulk/start",
    "card_batch/create",
    "channel/create",
    "city/create",
    "feed/create",
    "isp/create",
    "message/send",
    "message_rule/create",
    "message_template/ready",
    "nas/create",
    "package/create",
    "payment/receive",
    "payment/refund",
    "payment/take",
    "payment_source/create",
    "role/create",
    "staff/create",
    "subarea/create",
    "subscriber/create",
    "webhook/create",
  ]),
  ...because("it stays as it is shown", [
    "bulk/preview",
    "card/find",
    "card/preview",
    "card/reprint",
    "channel/test/:id",
    "incoming_payment/bank_preview",
    "incoming_payment/raw/:id",
    "message/preview",
    "message_template/preview",
    "nas/script",
    "nas/test",
    "role/permissions_update",
    "subscriber/note_add",
    "webhook/replay/:id",
    "webhook/resend/:id",
    "webhook/secret/:id",
    "webhook/test/:id",
  ]),
  ...because("it is about several", [
    "incoming_payment/assign_many",
    "incoming_payment/bank_file",
    "message/again_many",
    "message/cancel_many",
  ]),
  ...because("it waits for a router or a thread, so that it is no transaction", [
    "nas/mend",
    "nas/setup",
    "nas/watch",
    "package/apply",
    "staff/password",
    "subscriber/archive",
    "subscriber/disable",
    "subscriber/freeze",
    "subscriber/portal_password",
  ]),
  ...because("it finds what it changes by its name, number or code", [
    "card/redeem",
    "card/sell",
    "message_template/save",
  ]),
  ...because("its answer is kept nowhere", ["api_key/rotate/:id"]),
  ...because("a subscriber signs in and out", [
    "subscriber/login",
    "subscriber/logout",
    "subscriber/logout-all",
    "subscriber/refresh-token",
  ]),
};

test("every call that changes a record of a noun that is got takes If-Match, or is named here with why not", () => {
  const silent = changing.filter((route) => !takesIfMatch(route)).map(({ name }) => name);
  expect(silent.toSorted()).toEqual(Object.keys(without).toSorted());
});

describe("a record has a tag, and is not sent to whoever has it", () => {
  test.each(gets)("$name", (route) =>
    inSharedWorld(route, async (app) => {
      const { url, headers } = await requestOf(app, route, 1);
      const ask = (ifNoneMatch?: string) => {
        const all = new Headers(headers);
        if (ifNoneMatch !== undefined) all.set("if-none-match", ifNoneMatch);
        return app.app.handle(new Request(url, { headers: all }));
      };
      const first = await ask();
      const tag = first.headers.get("etag") ?? "";
      expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
      expect(Object.keys(described.get(route.name)?.otherwise ?? {})).toContain("304");
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
        const { status, headers, body } = await ask(known);
        expect([known, status, headers.get("etag"), body]).toEqual([known, 304, tag, null]);
      }
      for (const other of ['"other"', tag.slice(1, -1)]) {
        const answer = await ask(other);
        expect([answer.status, await answer.text()]).toEqual([200, await (await ask()).text()]);
      }
    }),
  );
});

/** The address of the record that a request changes. */
async function recordOf(sent: Request, { path }: Route): Promise<string> {
  const [, inPath] = /\/(\d+)$/.exec(sent.url) ?? [];
  const { id, code, user_id, invoice_id } = Object(
    Object.fromEntries(new URLSearchParams(await sent.clone().text())),
  );
  return `${nounOf(path)}/get/${inPath ?? id ?? code ?? user_id ?? invoice_id ?? 1}`;
}

describe("a change is held against the tag of its record", () => {
  test.each(changing.filter(takesIfMatch))("$name", (route) =>
    inSharedWorld(route, async (app) => {
      const sent = await requestOf(app, route, 1);
      const target = await recordOf(sent, route);
      const { url, method, headers: own } = sent;
      const bytes = await sent.bytes();
      const send = (more: Record<string, string>) => {
        const headers = new Headers([...own, ...Object.entries(more)]);
        return app.app.handle(
          new Request(url, { method, headers, ...(bytes.length > 0 && { body: bytes }) }),
        );
      };
      const basic = callers.operator;
      const tagNow = async () =>
        (await app.app.handle(request("GET", `${target}?archived=1`, { basic }))).headers.get("etag") ??
        "none";
      const before = stateOf(app);
      for (const stale of ['"other"', `W/${await tagNow()}`]) {
        const refused = await send({ "if-match": stale });
        expect([refused.status, Object(await refused.json()).code]).toEqual([412, "stale"]);
      }
      expect(stateOf(app)).toEqual(before);
      const tag = await tagNow();
      const matching = { "if-match": `"other", ${tag}`, "idempotency-key": "once" };
      const first = await send(matching);
      expect([first.status, await first.clone().text()]).toEqual([200, expect.any(String)]);
      if (!route.path.includes("/enable")) expect(await tagNow()).not.toBe(tag); // it was on before
      const second = await send(matching);
      expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    }),
  );
});

describe("one call after the other", () => {
  const basic = callers.admin;
  const rename = (app: Tenants, name: string, tag: string | null, headers = {}) =>
    app.call("POST", "/api/v1/subscriber/update", {
      basic,
      form: { username: "user1", name },
      headers: { "if-match": tag ?? "", ...headers },
    });
  const get = (app: Tenants, more = {}) =>
    app.call("GET", "/api/v1/subscriber/get/1", { basic, headers: more });

  test("of two who change what both have read, the second is refused, and goes on with what it reads then", async () => {
    using app = await withTenants();
    const tag = (await get(app)).headers.get("etag");
    expect((await rename(app, "Ann", tag)).status).toBe(200);
    expect(await rename(app, "Bea", tag)).toMatchObject({
      status: 412,
      body: { error: "it is another one by now than If-Match says; nothing was done" },
      refusal: { code: "stale", next: "Get it again, and decide anew." },
    });
    const { headers, body } = await get(app);
    expect(body).toMatchObject({ name: "Ann" });
    expect((await rename(app, "Bea", headers.get("etag"))).status).toBe(200);
    expect((await get(app)).body).toMatchObject({ name: "Bea" });
  });

  test("a key whose call was refused for its tag is free, one whose call was done has its answer whatever the tag", async () => {
    using app = await withTenants();
    const key = { "idempotency-key": "rename" };
    const tag = (await get(app)).headers.get("etag");
    expect((await rename(app, "Ann", '"other"', key)).status).toBe(412);
    expect((await rename(app, "Ann", tag, key)).headers.get("idempotent-replayed")).toBeNull();
    const again = await rename(app, "Ann", tag, key);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  });

  test("a tag changes with what others cause too, such as the name of a city", async () => {
    using app = await withTenants();
    app.db.$client.run("UPDATE subscribers SET city_id = 1 WHERE id = 1");
    const tag = (await get(app)).headers.get("etag") ?? "";
    expect((await get(app, { "if-none-match": tag })).status).toBe(304);
    app.db.$client.run("UPDATE cities SET name = 'Quay' WHERE id = 1");
    expect((await get(app, { "if-none-match": tag })).headers.get("etag")).not.toBe(tag);
  });

  test("without the permission to see it nobody holds a change against it", async () => {
    using app = await withTenants();
    app.db.$client.run("DELETE FROM role_permissions WHERE flag = 'subscriber_view'");
    const form = { user_id: 1, mac_address: "AA:BB:CC:DD:EE:FF" };
    const sent = { basic: callers.branch, form, headers: { "if-match": "*" } };
    expect(await app.call("POST", "/api/v1/subscriber/mac_lock", sent)).toMatchObject({
      status: 403,
      refusal: { code: "permission_missing", param: "subscriber_view" },
    });
  });

  test("a call that would not be held against it refuses If-Match, and changes nothing", async () => {
    using app = await withTenants();
    const before = stateOf(app);
    const sent = { basic, form: { name: "Night" }, headers: { "if-match": '"any"' } };
    expect(await app.call("POST", "/api/v1/role/create", sent)).toMatchObject({
      status: 400,
      refusal: { code: "if_match_not_taken" },
    });
    expect(stateOf(app)).toEqual(before);
  });
});
