import { describe, expect, test } from "bun:test";
import { write } from "../../db/open.ts";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { signToken, storeToken, verifySubscriberToken } from "../../src/domain/goods/subscribers/tokens.ts";
import type { Sent } from "../support/http.ts";
import { by } from "../support/isp.ts";
import { addMessages } from "../support/messages.ts";
import { vapidKeys } from "../../src/domain/people/push/vapid.ts";
import { browserKeys, subscriptionKeys } from "../support/push-receiver.ts";
import { openSession, refuseLogin, sellTopUps, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const ME = "/api/v1/me";

/** Subscriber 1 with a service that ends in ten days, a session, and its app. */
async function withApp() {
  const app = await withTenants();
  activate(app.db, by, { subscriberId: 1, packageId: 1 }, { now: app.clock.now });
  app.clock.now += 3600;
  openSession(app, 1);
  const token = await tokenOf(app, 1);
  return Object.assign(app, {
    token,
    own: (method: string, path: string, sent: Sent = {}) =>
      app.callPublic(method, `${ME}${path}`, { bearer: token, ...sent }),
  });
}

async function tokenOf({ db, clock: { now } }: Tenants, subscriberId: number): Promise<string> {
  const signed = await signToken(db, { subscriberId, now, days: 1 });
  write(db, (tx) => storeToken(tx, { ...signed, subscriberId, now }));
  return signed.token;
}

const balance = ({ db }: Tenants) =>
  db.$client
    .query<{ balance: number }, []>(
      "SELECT balance_after AS balance FROM ledger_entries WHERE subscriber_id = 1 ORDER BY id DESC LIMIT 1",
    )
    .get()?.balance;

test("the first page: how the line is, in the language of the app, and what is owed", async () => {
  using app = await withApp();
  expect((await app.own("GET", "")).body).toMatchObject({
    id: 1,
    username: "user1",
    status: "active",
    matter: { code: "online", title: expect.any(String) },
    package_id: 1,
    balance: 85,
    balance_minor: 8500,
    price_minor: 1500,
    payment_reference: expect.stringMatching(/^\d+$/),
    can_renew: true,
    quota: null,
    session: { since: expect.any(String) },
  });
  const french = await app.own("GET", "", { headers: { "accept-language": "fr" } });
  expect(Object(french.body).matter.code).toBe("online");
  app.clock.now += 400 * 86_400;
  const token = await tokenOf(app, 1);
  const titles: string[] = [];
  for (const language of ["en", "fr"]) {
    const { body } = await app.own("GET", "", { bearer: token, headers: { "accept-language": language } });
    expect(body).toMatchObject({ status: "expired", matter: { code: "expired" } });
    titles.push(Object(body).matter.title);
  }
  expect(new Set(titles).size).toBe(2);
});

test("is the subscriber's alone: no token, a token of staff, one that ended, a disabled account", async () => {
  using app = await withApp();
  const refused = { status: 401, body: { success: false }, refusal: { code: "token_invalid" } };
  for (const path of [
    "",
    "/usage",
    "/sessions",
    "/invoices",
    "/invoices/1",
    "/payments",
    "/messages",
    "/devices",
  ]) {
    expect(await app.callPublic("GET", `${ME}${path}`)).toMatchObject(refused);
    expect(await app.own("GET", path, { bearer: "1|secret" })).toMatchObject(refused);
    expect((await app.own("GET", path)).status).toBe(200);
  }
  app.db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 1");
  expect(await app.own("GET", "")).toMatchObject(refused);
  expect(await app.own("POST", "/renew", { json: { price: 15 } })).toMatchObject(refused);
});

test("what another subscriber has is as unknown as what there is not", async () => {
  using app = await withApp();
  activate(app.db, by, { subscriberId: 2, packageId: 1 }, { now: app.clock.now });
  const all = app.db.$client
    .query<{ id: number; subscriberId: number }, []>("SELECT id, subscriber_id AS subscriberId FROM invoices")
    .all();
  expect(all.length).toBeGreaterThan(1);
  for (const { id, subscriberId } of all)
    expect((await app.own("GET", `/invoices/${id}`)).status).toBe(subscriberId === 1 ? 200 : 404);
  const { body, headers } = await app.own("GET", "/invoices");
  expect(Object(body).map(({ id }: { id: number }) => id)).toEqual(
    all.filter(({ subscriberId }) => subscriberId === 1).map(({ id }) => id),
  );
  expect(headers.get("x-total-count")).toBe("1");
});

test("an invoice is a page of its own, without the portal's frame", async () => {
  using app = await withApp();
  const { body } = await app.own("GET", "/invoices/1");
  expect(String(body)).toStartWith("<!doctype html>");
  expect(String(body)).toContain("user1");
  expect(String(body)).not.toContain("/portal/sign-out");
});

test("lists have the newest first, as many as are asked for, and say how many there are", async () => {
  using app = await withApp();
  addMessages(app.db, app.clock.now);
  app.db.$client.run("UPDATE messages SET state = 'sent' WHERE subscriber_id = 1");
  for (let nth = 2; nth < 5; nth++) openSession(app, 1, `S${nth}`);
  for (const path of ["/sessions", "/invoices", "/payments", "/messages"]) {
    const whole = await app.own("GET", path);
    const rows: object[] = Object(whole.body);
    expect(whole.headers.get("x-total-count")).toBe(String(rows.length));
    const second = await app.own("GET", `${path}?limit=1&offset=1`);
    expect(second.body).toEqual(rows.slice(1, 2));
    expect(second.headers.get("x-total-count")).toBe(String(rows.length));
  }
  expect(await app.own("GET", "/sessions?limit=0")).toMatchObject({
    status: 422,
    refusal: { code: "invalid", param: "limit" },
  });
});

test("usage has every day that is asked for, today last", async () => {
  using app = await withApp();
  const { body } = await app.own("GET", "/usage?days=3");
  expect(Object(body).days.map(({ date }: { date: string }) => date)).toEqual([
    expect.stringMatching(/^2030-01-\d\d$/),
    expect.stringMatching(/^2030-01-\d\d$/),
    "2030-01-15",
  ]);
});

describe("a renewal", () => {
  test("does what its quote says, once for a key", async () => {
    using app = await withApp();
    const quote = Object((await app.own("GET", "/renew")).body);
    expect(quote).toMatchObject({ price: 15, price_minor: 1500, balance_minor: 8500, refusal: null });
    const sent = { json: { price: quote.price }, headers: { "idempotency-key": "press-1" } };
    const first = await app.own("POST", "/renew", sent);
    expect(first).toMatchObject({
      status: 200,
      body: { new_expiration: quote.new_expiration, balance: 70, balance_minor: 7000 },
    });
    app.clock.now += 300;
    const again = await app.own("POST", "/renew", sent);
    expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([first.body, "true"]);
    expect(balance(app)).toBe(7000);
  });

  test.each([
    ["too little money", "UPDATE packages SET price = 999999", "insufficient_balance"],
    ["a package that is sold no more", "UPDATE packages SET status = 0", "package_disabled"],
    ["no reseller", "UPDATE subscribers SET salesperson_id = NULL", "no_reseller"],
  ])("is refused as its quote says: %s", async (_, sql, code) => {
    using app = await withApp();
    app.db.$client.run(sql);
    const quote = Object((await app.own("GET", "/renew")).body);
    expect(quote).toMatchObject({ new_expiration: null, refusal: { code } });
    expect(await app.own("POST", "/renew", { json: { price: quote.price } })).toMatchObject({
      status: 422,
      body: { success: false },
      refusal: { code },
    });
    expect(balance(app)).toBe(8500);
  });

  test("at another price than it was seen is refused", async () => {
    using app = await withApp();
    const headers = { "accept-language": "fr" };
    expect(await app.own("POST", "/renew", { json: { price: 14 }, headers })).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/prix/) },
      refusal: { code: "price_changed" },
    });
    expect(balance(app)).toBe(8500);
  });

  test("a key is the subscriber's own", async () => {
    using app = await withApp();
    activate(app.db, by, { subscriberId: 2, packageId: 1 }, { now: app.clock.now - 600 });
    const sent = { json: { price: 15 }, headers: { "idempotency-key": "press-1" } };
    const first = await app.own("POST", "/renew", sent);
    const other = await app.own("POST", "/renew", { ...sent, bearer: await tokenOf(app, 2) });
    expect([first.status, other.status]).toEqual([200, 200]);
    expect(Object(other.body).invoice_id).not.toBe(Object(first.body).invoice_id);
  });
});

test("a top-up of those that are offered is bought at its price", async () => {
  using app = await withApp();
  const package_id = sellTopUps(app.db);
  const { top_ups: offers } = Object((await app.own("GET", "")).body);
  expect(offers).toMatchObject([{ package_id, price: 1, price_minor: 100, days: 3 }]);
  expect(await app.own("POST", "/top_up", { json: { package_id, price: 2 } })).toMatchObject({
    refusal: { code: "price_changed" },
  });
  expect(await app.own("POST", "/top_up", { json: { package_id: 1, price: 15 } })).toMatchObject({
    refusal: { code: "not_a_top_up" },
  });
  expect(await app.own("POST", "/top_up", { json: { package_id, price: 1 } })).toMatchObject({
    status: 200,
    body: { balance_minor: 8400 },
  });
});

test("a key under which a password was refused is free again, and one under which it was changed answers for it", async () => {
  using app = await withApp();
  const change = (current: string, key: string) =>
    app.own("POST", "/password", {
      json: { current, new_password: "sunny-day-7" },
      headers: { "idempotency-key": key },
    });
  expect((await change("not-this-one", "press-1")).status).toBe(401);
  expect((await change("pw-1", "press-1")).status).toBe(200);
  const again = await change("pw-1", "press-1"); // which is no longer the present one
  expect({ status: again.status, replayed: again.headers.get("idempotent-replayed") }).toEqual({
    status: 200,
    replayed: "true",
  });
});

test("a new password ends every other token, and none is taken without the present one", async () => {
  using app = await withApp();
  const other = await tokenOf(app, 1);
  const change = (current: string, chosen: string) =>
    app.own("POST", "/password", { json: { current, new_password: chosen } });
  expect(await change("wrong", "sunny-day-7")).toMatchObject({
    status: 401,
    refusal: { code: "wrong_credentials" },
  });
  expect(await change("pw-1", "short")).toMatchObject({ status: 422, refusal: { param: "new_password" } });
  expect((await change("pw-1", "sunny-day-7")).status).toBe(200);
  expect((await app.own("GET", "")).status).toBe(200);
  await expect(verifySubscriberToken(app.db, other, app.clock.now)).rejects.toThrow("log in again");
  const login = { json: { username: "user1", password: "sunny-day-7" } };
  expect((await app.callPublic("POST", "/api/v1/subscriber/login", login)).status).toBe(200);
});

test("the language of messages is changed, and what is not sent stays", async () => {
  using app = await withApp();
  const saved = async (json: object) => {
    expect((await app.own("POST", "/language", { json })).status).toBe(200);
    const { language, messages_off } = Object((await app.own("GET", "")).body);
    return [language, messages_off];
  };
  expect(await saved({ language: "fr" })).toEqual(["fr", 0]);
  expect(await saved({ messages_off: 1 })).toEqual(["fr", 1]);
  expect(await saved({ language: null, messages_off: 0 })).toEqual([null, 0]);
  expect(await app.own("POST", "/language", { json: { language: "xx" } })).toMatchObject({ status: 422 });
});

test("a device that the lock kept out is taken; what had another fault is nobody's to take", async () => {
  using app = await withApp();
  const lock = "UPDATE subscribers SET mac_address = 'AA:BB:CC:DD:EE:09', mac_lock = 1 WHERE id = 1";
  app.db.$client.run(lock);
  const take = (json = {}) => app.own("POST", "/device/take", { json });
  expect(await take()).toMatchObject({ status: 422, refusal: { code: "no_device_seen" } });
  refuseLogin(app.db);
  app.db.$client.run("UPDATE auth_log SET reason = 'wrong_password'");
  expect(await take()).toMatchObject({ status: 422, refusal: { code: "no_device_seen" } });
  app.db.$client.run("UPDATE auth_log SET reason = 'mac_locked'");
  expect((await app.own("GET", "/devices")).body).toMatchObject({
    mac_address: "AA:BB:CC:DD:EE:09",
    mac_lock: 1,
    refused: { mac_address: "AA:BB:CC:DD:EE:01" },
  });
  expect(await take()).toMatchObject({ status: 200, body: { mac_address: "AA:BB:CC:DD:EE:01" } });
  expect((await app.own("GET", "/devices")).body).toMatchObject({
    mac_address: "AA:BB:CC:DD:EE:01",
    mac_lock: 1,
    refused: null,
  });
});

describe("notifications", () => {
  const subscription = (nth: number) => ({
    endpoint: `https://push.example/${nth}`,
    ...subscriptionKeys(browserKeys()),
  });
  const endpoints = async (app: { own: (method: string, path: string) => Promise<{ body: unknown }> }) =>
    Object((await app.own("GET", "/push")).body).devices.map(({ id }: { id: number }) => id);

  test("a browser is kept, shown and removed; ten at the most, and the oldest goes", async () => {
    using app = await withApp();
    expect((await app.own("GET", "/push")).body).toEqual({
      public_key: vapidKeys(app.db).publicKey,
      is_offered: false,
      devices: [],
    });
    for (let nth = 1; nth <= 11; nth++)
      expect((await app.own("POST", "/push", { json: subscription(nth) })).status).toBe(200);
    const ids = await endpoints(app);
    expect(ids.length).toBe(10);
    expect(ids.at(-1)).toBe(2);
    expect((await app.own("POST", "/push/remove", { json: { id: 11 } })).status).toBe(200);
    const other = await tokenOf(app, 2);
    await app.own("POST", "/push/remove", { bearer: other, json: { id: 2 } });
    expect((await endpoints(app)).length).toBe(9);
  });

  test("a browser is of who asked last", async () => {
    using app = await withApp();
    await app.own("POST", "/push", { json: subscription(1) });
    await app.own("POST", "/push", { bearer: await tokenOf(app, 2), json: subscription(1) });
    expect(await endpoints(app)).toEqual([]);
  });

  test.each([
    ["endpoint", "http://push.example/1"],
    ["endpoint", "https://user@push.example/1"],
    ["endpoint", "https://10.0.0.5/1"],
    ["endpoint", "https://[fd00::1]/1"],
    ["endpoint", "https://2130706433/1"],
    ["endpoint", "https://localhost/1"],
    ["endpoint", `https://push.example/${"x".repeat(1000)}`],
    ["p256dh", Buffer.alloc(65, 4).toString("base64url")],
    ["p256dh", subscriptionKeys(browserKeys()).auth],
    ["auth", subscriptionKeys(browserKeys()).p256dh],
    ["auth", ""],
  ])("%s %s is refused", async (name, value) => {
    using app = await withApp();
    expect(await app.own("POST", "/push", { json: { ...subscription(1), [name]: value } })).toMatchObject({
      status: 422,
      body: { errors: { [name]: [expect.any(String)] } },
    });
    expect(await endpoints(app)).toEqual([]);
  });

  test("they end with the token that asked for them, and go on with the one that takes its place", async () => {
    using app = await withApp();
    const count = () =>
      app.db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM push_devices").get()?.n;
    const session = (call: string, bearer: string) =>
      app.callPublic("POST", `/api/v1/subscriber/${call}`, { bearer });
    const kept = await tokenOf(app, 1);
    await app.own("POST", "/push", { json: subscription(1) });
    await app.own("POST", "/push", { bearer: kept, json: subscription(2) });
    const { body } = await session("refresh-token", app.token);
    await session("logout", Object(body).data.token);
    expect(count()).toBe(1);
    const chosen = { current: "pw-1", new_password: "sunny-day-7" };
    await app.own("POST", "/push", { bearer: await tokenOf(app, 1), json: subscription(3) });
    expect((await app.own("POST", "/password", { bearer: kept, json: chosen })).status).toBe(200);
    expect(count()).toBe(1);
    await session("logout-all", kept);
    expect(count()).toBe(0);
  });
});
