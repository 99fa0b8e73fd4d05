import { describe, expect, test } from "bun:test";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { RecordedRouters } from "../support/recorded-routers.ts";
import { type Sent, undoneApps } from "../support/http.ts";
import { aPackage, aSubscriber, by, DAY, loadIsp, newSubscriber } from "../support/isp.ts";
import { grantedAt, insertSessions } from "../support/sessions.ts";
import { NOW } from "../support/store.ts";

const temporaryApp = undoneApps();

const ACTIVATION = "/api/v1/activation";
const EXTEND = `${ACTIVATION}/extend`;
const FREEZE = "/api/v1/subscriber/freeze";
const THAW = "/api/v1/subscriber/thaw";
const VOID = "/api/v1/invoice/void";
const basic = "ada:secret-1";
const END = NOW + 10 * DAY;
const offline = "The subscriber is offline; the next login gets the current service.";
const missing = ["is required"];

/** Subscriber 1 ends in ten days, 2 was never activated; package 2 is 30 days for 12.00. `desk` may do all of this, and is no Admin. */
async function withSubscribers() {
  const routers = new RecordedRouters();
  const app = temporaryApp({ routers });
  const flags = ["api_access", "subscriber_extend", "subscriber_activate", "invoice_void", "subscriber_view"];
  await loadIsp(app.db, {
    roles: [
      { code: 1, isp_id: 1, name: "Desk", permissions: Object.fromEntries(flags.map((one) => [one, 1])) },
    ],
    packages: [aPackage(2, { price: "12.00", duration: 30, duration_unit: "day" })],
    subscribers: [aSubscriber(1), newSubscriber(2, { salesperson_id: 2, balance: "1.00", auto_renew: 1 })],
  });
  app.db.$client.run("UPDATE staff SET role_code = 1, profile_type = 2 WHERE username = 'rex'");
  return Object.assign(app, { routers });
}

describe("quote", () => {
  const ask = (query: string) => `${ACTIVATION}/quote?${query}`;

  test("says what activate then does", async () => {
    using app = await withSubscribers();
    const { body } = await app.call("GET", ask("user_id=1&package_id=2&credit_unused=1"), { basic });
    expect(body).toEqual({
      user_id: 1,
      package_id: 2,
      package_name: "Home 2",
      period_start: formatTime(NOW),
      new_expiration: formatTime(NOW + 30 * DAY),
      amount_charged: 12,
      credited: 0,
      balance: 100,
      balance_after: 88,
      paid: [],
    });
    const form = { user_id: 1, package_id: 2, credit_unused: 1 };
    const done = await app.call("POST", `${ACTIVATION}/activate`, { basic, form });
    expect(done.body).toMatchObject({
      new_expiration: formatTime(NOW + 30 * DAY),
      amount_charged: 12,
      credited: 0,
    });
    app.clock.now += 60;
    expect(await app.call("GET", ask("user_id=1&package_id=2"), { basic })).toMatchObject({
      status: 429,
      body: { error: expect.stringContaining("try again in 60 s") },
    });
  });

  test.each<[string, number, object]>([
    ["user_id=2&package_id=1", 422, { error: expect.stringContaining("disabled or not a reseller") }],
    ["user_id=9&package_id=1", 404, { error: "there is no subscriber 9" }],
    ["user_id=1", 422, { error: "check package_id", errors: { package_id: missing } }],
  ])("%s: %d", async (query, status, body) => {
    using app = await withSubscribers();
    expect(await app.call("GET", ask(query), { basic })).toMatchObject({ status, body });
  });
});

describe("extend", () => {
  const form = { user_id: 1, hours: 24, reason: "storm" };

  test("gives time, and repeats its answer to a key", async () => {
    using app = await withSubscribers();
    const sent = { basic, form, headers: { "idempotency-key": "one" } };
    const body = {
      success: "Subscriber extended.",
      user_id: 1,
      new_expiration: formatTime(END + DAY),
      paid_until: formatTime(END),
      session: offline,
    };
    for (let count = 0; count < 2; count++)
      expect(await app.call("POST", EXTEND, sent)).toMatchObject({ status: 200, body });
    expect((await app.call("POST", EXTEND, { ...sent, form: { ...form, hours: 25 } })).status).toBe(409);
  });

  test("tells an open session its new end", async () => {
    using app = await withSubscribers();
    insertSessions(app.db, grantedAt(app.db));
    const { body } = await app.call("POST", EXTEND, { basic, form });
    expect(body).toMatchObject({ session: "The open session has the current rate and end now." });
    expect(app.routers.take()).toEqual([`timeout 81000001 ${END + DAY - (NOW - 3600)}`]);
    app.routers.answer = { kind: "failed", reason: "prohibited" };
    expect((await app.call("POST", EXTEND, { basic, form })).body).toMatchObject({
      session: expect.stringMatching(/dials in again once. \(prohibited\)$/),
    });
    expect(await app.call("POST", `${ACTIVATION}/apply`, { basic, form: { user_id: 1 } })).toMatchObject({
      status: 200,
      body: { success: expect.stringContaining("dials in again once") },
    });
  });

  const cases: [string, Sent, number, object][] = [
    [
      "nothing",
      { form: {} },
      422,
      { error: "check user_id, reason", errors: { user_id: missing, reason: missing } },
    ],
    [
      "neither hours nor until",
      { form: { user_id: 1, reason: "storm" } },
      422,
      {
        error: "say how long: hours or until, one of both",
        errors: { hours: ["is required, or until; not both"] },
      },
    ],
    [
      "never activated",
      { form: { ...form, user_id: 2 } },
      422,
      { error: "the subscriber was never activated; activate a package first" },
    ],
    ["unknown", { form: { ...form, user_id: 9 } }, 404, { error: "there is no subscriber 9" }],
    [
      "too long for who is no Admin",
      { basic: "rex:secret-1", form: { ...form, hours: 169 } },
      403,
      {
        error: `the last paid period ended or ends ${formatTime(END)}, and you may extend to ${formatTime(END + 7 * DAY)} (extend_days_max 7); ask an Admin for more`,
      },
    ],
  ];
  test.each(cases)("%s", async (_, sent, status, body) => {
    using app = await withSubscribers();
    expect(await app.call("POST", EXTEND, { basic, ...sent })).toMatchObject({ status, body });
  });
});

describe("freeze and thaw", () => {
  const form = { user_id: 1 };
  test("a walk", async () => {
    using app = await withSubscribers();
    insertSessions(app.db, grantedAt(app.db));
    expect(await app.call("POST", FREEZE, { basic, form })).toMatchObject({
      status: 200,
      body: {
        success: "Subscriber frozen.",
        user_id: 1,
        frozen_since: formatTime(NOW),
        thaws_at: formatTime(NOW + 90 * DAY),
        sessions_ended: 1,
        failures: [],
      },
    });
    const frozen = { error: `the service has been frozen since ${formatTime(NOW)}; thaw first` };
    const refused = { status: 422, body: frozen };
    const calls: [string, object][] = [
      [`${ACTIVATION}/activate`, { user_id: 1, package_id: 1 }],
      [EXTEND, { user_id: 1, hours: 1, reason: "storm" }],
      [FREEZE, form],
    ];
    for (const [path, sent] of calls)
      expect(await app.call("POST", path, { basic, json: sent })).toMatchObject(refused);
    app.clock.now += DAY;
    expect(await app.call("POST", THAW, { basic, form })).toMatchObject({
      status: 200,
      body: { success: "Subscriber thawed.", user_id: 1, new_expiration: formatTime(END + DAY) },
    });
    expect(await app.call("POST", THAW, { basic, form })).toMatchObject({
      status: 422,
      body: { error: "the service is not frozen; there is nothing to thaw" },
    });
  });
});

describe("void", () => {
  test("with end_service the service goes back, and its session is given that", async () => {
    using app = await withSubscribers();
    activate(app.db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
    insertSessions(app.db, { ...grantedAt(app.db), startedAt: NOW + 1 });
    app.db.$client.run("UPDATE services SET rate_limit = '1M/1M'");
    const form = { invoice_id: 1, reason: "mistake", end_service: 1 };
    const sent = { basic, form, headers: { "idempotency-key": "one" } };
    const body = {
      success: "Invoice void.",
      invoice_id: 1,
      number: "I-2030-000001",
      user_id: 1,
      given_back: 12,
    };
    const first = await app.call("POST", VOID, sent);
    expect(first).toMatchObject({
      status: 200,
      body: { ...body, session: "The open session has the current service already." },
    });
    expect(await app.call("POST", VOID, sent)).toMatchObject({ status: 200, body });
    expect(await app.call("POST", VOID, { basic, form })).toMatchObject({
      status: 409,
      body: { error: `the invoice I-2030-000001 is void since ${formatTime(NOW)}` },
    });
    expect((await app.call("GET", "/api/v1/subscriber/get/1", { basic })).body).toMatchObject({
      balance: 100,
      package_id: 1,
      current_expiration_date: formatTime(END),
    });
  });

  test.each(["invoice/void", "payment/reverse"])(
    "of the first invoice that a subscriber ever had, by %s, ends its session",
    async (path) => {
      using app = await withSubscribers();
      app.db.$client.run("UPDATE subscribers SET salesperson_id = 1 WHERE id = 2");
      const form = { user_id: 2, amount: 15, method: "cash", activate: 1 };
      expect(await app.call("POST", "/api/v1/payment/take", { basic, form })).toMatchObject({ status: 200 });
      insertSessions(app.db, { ...grantedAt(app.db, "user2"), subscriberId: 2, username: "user2" });
      const what = path === "invoice/void" ? { invoice_id: 1, end_service: 1 } : { id: 1, void: 1 };
      expect(
        await app.call("POST", `/api/v1/${path}`, { basic, form: { ...what, reason: "mistake" } }),
      ).toMatchObject({
        status: 200,
        body: { session: "The session was ended, so that the next login gets the current service." },
      });
      expect(app.routers.take()).toEqual(["disconnect 81000001"]);
    },
  );

  test("after an extension: 409 names it", async () => {
    using app = await withSubscribers();
    activate(app.db, by, { subscriberId: 1, packageId: 1 }, { now: NOW });
    await app.call("POST", EXTEND, { basic, form: { user_id: 1, hours: 24, reason: "storm" } });
    const form = { invoice_id: 1, reason: "mistake", end_service: 1 };
    expect(await app.call("POST", VOID, { basic, form })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining(`an extension of ${formatTime(NOW)} by ada moved its end`) },
    });
  });

  test.each<[string, Record<string, unknown>, number, object]>([
    [
      "nothing",
      {},
      400,
      { error: "check invoice_id, reason", errors: { invoice_id: missing, reason: missing } },
    ],
    ["unknown", { invoice_id: 9, reason: "x" }, 404, { error: "there is no invoice 9" }],
  ])("%s", async (_, form, status, body) => {
    using app = await withSubscribers();
    expect(await app.call("POST", VOID, { basic, form })).toMatchObject({ status, body });
  });
});

describe("payment", () => {
  const TAKE = "/api/v1/payment/take";
  const REVERSE = "/api/v1/payment/reverse";
  const form = { user_id: 1, amount: 15, method: "cash", activate: 1 };

  test("with a renewal tells the open session its new end, and the reversal of both its old one", async () => {
    using app = await withSubscribers();
    insertSessions(app.db, grantedAt(app.db));
    const taken = await app.call("POST", TAKE, { basic, form });
    expect(taken.body).toMatchObject({
      activation: { status: 200, amount_charged: 15 },
      session: "The open session has the current rate and end now.",
    });
    expect(taken.body).not.toHaveProperty("activation.note");
    expect(app.routers.take()).toEqual([expect.stringMatching(/^timeout 81000001 \d+$/)]);
    const undone = { basic, form: { id: 1, reason: "a neighbour's", void: 1 } };
    const reversed = await app.call("POST", REVERSE, undone);
    expect(reversed.body).toMatchObject({
      balance: 100,
      session: "The open session has the current rate and end now.",
    });
    expect(app.routers.take()).toEqual([`timeout 81000001 ${END - (NOW - 3600)}`]);
  });

  test("without anything that was activated or is void asks no router", async () => {
    using app = await withSubscribers();
    insertSessions(app.db, grantedAt(app.db));
    const { body } = await app.call("POST", TAKE, { basic, form: { ...form, activate: 0 } });
    expect(body).not.toHaveProperty("session");
    const undone = await app.call("POST", REVERSE, { basic, form: { id: 1, reason: "a neighbour's" } });
    expect(undone).toMatchObject({ status: 200 });
    expect(undone.body).not.toHaveProperty("session");
    expect(app.routers.take()).toEqual([]);
  });

  test("that opens a line anew takes its session out of the walled garden; a void of it ends the session", async () => {
    using app = await withSubscribers();
    app.db.$client.run("UPDATE packages SET expired_pool = 'garden' WHERE id = 1");
    app.db.$client.run("UPDATE services SET expired_pool = 'garden'");
    app.clock.now = END + DAY;
    insertSessions(app.db, { ...grantedAt(app.db, "user1", END + DAY), startedAt: END + DAY - 60 });
    const { body } = await app.call("POST", TAKE, { basic, form });
    expect(body).toMatchObject({ session: expect.stringContaining("was ended, so that the next login") });
    expect(app.routers.take()).toEqual(["disconnect 81000001"]);
  });
});

test("renewals that are due within a week, with why they will fail", async () => {
  using app = await withSubscribers();
  app.db.$client.run("UPDATE subscribers SET auto_renew = 1, package_id = 2 WHERE id = 1");
  app.db.$client.run("UPDATE packages SET price = 99900 WHERE id = 2");
  const list = `${ACTIVATION}/renewals`;
  expect(await app.call("GET", list, { basic })).toMatchObject({ status: 200, body: [] });
  app.clock.now += 5 * DAY;
  const { headers, body } = await app.call("GET", list, { basic });
  expect(body).toEqual([
    {
      user_id: 1,
      username: "user1",
      name: "User 1",
      package_id: 2,
      package_name: "Home 2",
      price: 999,
      current_expiration_date: formatTime(END),
      renews_at: formatTime(END),
      reason:
        "insufficient balance: the package costs 999.00, the wallet holds 100.00; credit the subscriber first",
    },
  ]);
  expect(headers.get("x-total-count")).toBe("1");
  expect((await app.call("GET", `${list}?sort=name`, { basic })).status).toBe(400);
});
