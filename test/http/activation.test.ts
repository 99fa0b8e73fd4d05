import { describe, expect, test } from "bun:test";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { type Sent, undoneApps } from "../support/http.ts";
import { aPackage, aSubscriber, loadIsp, newSubscriber } from "../support/isp.ts";
import { NOW } from "../support/store.ts";

const temporaryApp = undoneApps();

const ACTIVATE = "/api/v1/activation/activate";
const admin = "ada:secret-1";
const reseller = "rex:secret-1";
const note =
  "An online session keeps its old profile; call /api/v1/activation/disconnect to move it to the new one.";

/** Subscriber 1 of the Admin and 2 of the Reseller were never activated; 3 is poor, 4 is on a router-API line, 5 has no salesperson. */
async function withSubscribers() {
  const app = temporaryApp();
  await loadIsp(app.db, {
    roles: [
      {
        code: 1,
        isp_id: 1,
        name: "Resellers",
        permissions: { api_access: 1, subscriber_view: 1, subscriber_activate: 1 },
      },
    ],
    packages: [
      aPackage(2, { price: "20.50" }),
      aPackage(3, { status: 0 }),
      aPackage(4, { billing_type: "postpaid", price: "45.00" }),
      aPackage(5, { duration: 121, price: 0 }),
      aPackage(9, { isp_id: 2 }),
    ],
    subscribers: [
      newSubscriber(1),
      newSubscriber(2, { salesperson_id: 2 }),
      newSubscriber(3, { balance: "14.99" }),
      newSubscriber(4, { connection_type_id: 3 }),
      newSubscriber(5, { salesperson_id: null }),
      aSubscriber(6),
      newSubscriber(7, { status: 0 }),
      newSubscriber(8, { connection_type_id: 4 }),
      newSubscriber(9, { connection_type_id: 5 }),
    ],
  });
  app.db.$client.run("UPDATE staff SET role_code = 1 WHERE username = 'rex'");
  return app;
}

describe("activate", () => {
  test("first activation, then 429, then renewal and change of package", async () => {
    using app = await withSubscribers();
    const activate = (form: Record<string, unknown>) => app.call("POST", ACTIVATE, { basic: admin, form });
    const first = await activate({ user_id: 1, package_id: 1 });
    expect(first.body).toEqual({
      success: "Subscriber activated.",
      user_id: 1,
      package_id: 1,
      new_expiration: formatTime(NOW + 31 * 86_400),
      amount_charged: 15,
      note,
    });
    app.clock.now += 100;
    const again = await activate({ user_id: 1, package_id: 1 });
    expect(again).toMatchObject({
      status: 429,
      body: { error: expect.stringContaining("try again in 20 s") },
    });
    expect(again.headers.get("retry-after")).toBe("20");
    app.clock.now += 20;
    expect(await activate({ user_id: "1", package_id: "1", isp_id: 1 })).toMatchObject({
      status: 200,
      body: { new_expiration: formatTime(NOW + (31 + 28) * 86_400), amount_charged: 15 },
    });
    app.clock.now += 120;
    expect(await activate({ user_id: 1, package_id: 2 })).toMatchObject({
      status: 200,
      body: { package_id: 2, new_expiration: formatTime(NOW + 240 + 31 * 86_400), amount_charged: 20.5 },
    });
  });

  test("of those that are asked for at the same moment each is decided by itself, and a subscriber pays once", async () => {
    using app = await withSubscribers();
    const activate = (user_id: number) =>
      app.call("POST", ACTIVATE, { basic: admin, form: { user_id, package_id: 1 } });
    await activate(6); // the password is known from here on
    const answers = await Promise.all([1, 1, 3, 2].map(activate));
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 422, 200]);
    const paid = app.db.$client.query("SELECT subscriber_id AS id FROM invoices ORDER BY id").all();
    expect(paid).toEqual([{ id: 1 }, { id: 2 }, { id: 6 }]);
  });

  const missing = ["is required"];
  const anId = ["must be the whole number of an id, 1 or more"];
  const cases: { name: string; sent: Sent; status: number; body: object }[] = [
    {
      name: "nothing given",
      sent: { form: {} },
      status: 422,
      body: { error: "check user_id, package_id", errors: { user_id: missing, package_id: missing } },
    },
    {
      name: "malformed ids, each named",
      sent: { json: { user_id: 1.5, package_id: "1 OR 1=1", isp_id: -1 } },
      status: 422,
      body: {
        error: "check isp_id, user_id, package_id",
        errors: { isp_id: ["must be a whole number, 0 or more"], user_id: anId, package_id: anId },
      },
    },
    {
      name: "an unknown subscriber",
      sent: { form: { user_id: 99, package_id: 1 } },
      status: 404,
      body: { error: "there is no subscriber 99" },
    },
    {
      name: "an unknown package",
      sent: { form: { user_id: 1, package_id: 99 } },
      status: 404,
      body: { error: "there is no package 99 in the subscriber's ISP" },
    },
    {
      name: "another ISP named",
      sent: { form: { user_id: 1, package_id: 1, isp_id: 2 } },
      status: 404,
      body: { error: "there is no subscriber 1" },
    },
    {
      name: "a disabled package",
      sent: { form: { user_id: 1, package_id: 3 } },
      status: 422,
      body: { error: "the package Home 3 is disabled; choose another one" },
    },
    {
      name: "a router-API line",
      sent: { form: { user_id: 4, package_id: 1 } },
      status: 422,
      body: { error: "connection type 3 is not served over RADIUS; only types 1 and 2 can be activated" },
    },
    {
      name: "a router-API hotspot, without money too",
      sent: { json: { user_id: 8, package_id: 2 } },
      status: 422,
      body: { error: "connection type 4 is not served over RADIUS; only types 1 and 2 can be activated" },
    },
    {
      name: "a static address",
      sent: { form: { user_id: 9, package_id: 1 } },
      status: 422,
      body: { error: "connection type 5 is not served over RADIUS; only types 1 and 2 can be activated" },
    },
    {
      name: "a disabled subscriber",
      sent: { form: { user_id: 7, package_id: 1 } },
      status: 422,
      body: { error: "the subscriber is disabled; enable it first" },
    },
    {
      name: "a package of another ISP",
      sent: { form: { user_id: 1, package_id: 9 } },
      status: 404,
      body: { error: "there is no package 9 in the subscriber's ISP" },
    },
    {
      name: "no reseller",
      sent: { form: { user_id: 5, package_id: 1 } },
      status: 422,
      body: { error: "the subscriber has no reseller; set its salesperson_id first" },
    },
    {
      name: "an end too far ahead",
      sent: { form: { user_id: 1, package_id: 5 } },
      status: 422,
      body: {
        error: `the service would end more than 10 years from now, after ${formatTime(Date.UTC(2040, 0, 15, 12) / 1000)}; choose a shorter package`,
      },
    },
    {
      name: "insufficient balance",
      sent: { form: { user_id: 3, package_id: 1 } },
      status: 422,
      body: {
        error:
          "insufficient balance: the package costs 15.00, the wallet holds 14.99; credit the subscriber first",
      },
    },
  ];
  test.each(cases)("$name: $status", async ({ sent, status, body }) => {
    using app = await withSubscribers();
    const answer = await app.call("POST", ACTIVATE, { basic: admin, ...sent });
    expect(answer.body).toEqual(body);
    expect(answer.status).toBe(status);
  });

  test("a Reseller activates its own subscribers, and knows of no others", async () => {
    using app = await withSubscribers();
    const activate = (user_id: number) =>
      app.call("POST", ACTIVATE, { basic: reseller, form: { user_id, package_id: 1 } });
    expect((await activate(2)).status).toBe(200);
    expect(await activate(1)).toMatchObject({ status: 404, body: { error: "there is no subscriber 1" } });
  });

  test("a reseller that was disabled sells nothing: 422", async () => {
    using app = await withSubscribers();
    app.db.$client.run("UPDATE staff SET status = 0 WHERE username = 'rex'");
    const sent = { basic: admin, form: { user_id: 2, package_id: 1 } };
    expect(await app.call("POST", ACTIVATE, sent)).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining("reseller is disabled") },
    });
  });

  test("postpaid needs no balance: the wallet shows what is owed", async () => {
    using app = await withSubscribers();
    const sent = { basic: admin, form: { user_id: 3, package_id: 4 } };
    expect(await app.call("POST", ACTIVATE, sent)).toMatchObject({
      status: 200,
      body: { amount_charged: 45 },
    });
    const { body } = await app.call("GET", "/api/v1/subscriber/get/3", { basic: admin });
    expect(body).toMatchObject({ balance: -30.01, billing_type: "postpaid", profile_status: "active" });
  });

  test("leaves an online session alone", async () => {
    using app = await withSubscribers();
    app.db.$client.run(
      `INSERT INTO sessions (nas_address, acct_session_id, username, subscriber_id, started_at, updated_at)
       VALUES ('127.0.0.1', 'S1', 'user6', 6, ${NOW}, ${NOW})`,
    );
    const sent = { basic: admin, form: { user_id: 6, package_id: 2 } };
    expect(await app.call("POST", ACTIVATE, sent)).toMatchObject({ status: 200 });
    const { body } = await app.call("GET", "/api/v1/subscriber/usage/6", { basic: admin });
    expect(body).toMatchObject({ online: true, session: { session_id: "S1" } });
  });

  test("two calls at one moment: one succeeds, the other is too soon", async () => {
    using app = await withSubscribers();
    const call = () => app.call("POST", ACTIVATE, { basic: admin, form: { user_id: 1, package_id: 1 } });
    expect((await Promise.all([call(), call()])).map(({ status }) => status).sort()).toEqual([200, 429]);
  });
});

describe("a subscriber", () => {
  test("get shows the record; the password only with subscriber_password", async () => {
    using app = await withSubscribers();
    const seen = await app.call("GET", "/api/v1/subscriber/get/2", { basic: admin });
    expect(seen).toMatchObject({
      status: 200,
      body: { id: 2, username: "user2", password: "pw-2", balance: 100, profile_status: "inactive" },
    });
    expect(JSON.stringify(seen.body)).not.toContain("portal_pass");
    expect(await app.call("GET", "/api/v1/subscriber/get/2", { basic: reseller })).toMatchObject({
      status: 200,
      body: { id: 2, password: null },
    });
  });

  test("usage shows who is offline", async () => {
    using app = await withSubscribers();
    const { body } = await app.call("GET", "/api/v1/subscriber/usage/6", { basic: admin });
    expect(body).toEqual({
      user_id: 6,
      username: "user6",
      online: false,
      session: null,
      data_quota: { enabled: false, total_bytes: 0, used_bytes: 0 },
    });
  });

  test("usage shows the open session", async () => {
    using app = await withSubscribers();
    app.db.$client.run(
      `INSERT INTO sessions (nas_address, acct_session_id, username, subscriber_id, nas_ip, mac, framed_ip, started_at, updated_at)
       VALUES ('127.0.0.1', 'S1', 'user6', 6, '192.0.2.1', 'AA:BB:CC:DD:EE:FF', '10.0.0.7', ${NOW - 60}, ${NOW})`,
    );
    const { body } = await app.call("GET", "/api/v1/subscriber/usage/6", { basic: admin });
    expect(body).toMatchObject({
      online: true,
      session: {
        ip: "10.0.0.7",
        nas_ip: "192.0.2.1",
        session_id: "S1",
        mac: "AA:BB:CC:DD:EE:FF",
        start_time: formatTime(NOW - 60),
        last_update: formatTime(NOW),
      },
    });
  });

  test.each(["get", "usage"])("%s of what is not there, not theirs, or no id: 404", async (operation) => {
    using app = await withSubscribers();
    const read = (id: string, basic: string) =>
      app.call("GET", `/api/v1/subscriber/${operation}/${id}`, { basic });
    for (const id of ["99", "0", "-1", "1.0", "1e0", "x", "99999999999999999999"])
      expect(await read(id, admin)).toMatchObject({
        status: 404,
        body: { error: `there is no subscriber ${id}` },
      });
    expect(await read("1", reseller)).toMatchObject({
      status: 404,
      body: { error: "there is no subscriber 1" },
    });
    expect(await read("1?isp_id=2", admin)).toMatchObject({ status: 404 });
    expect(await read("1?branch_id=11", admin)).toMatchObject({ status: 404 });
  });
});
