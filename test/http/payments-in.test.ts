import { createHmac } from "node:crypto";
import { describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import type { Db } from "../../db/open.ts";
import { readBalance } from "../../src/domain/core/amounts/balance.ts";
import { makeReference } from "../../src/domain/desk/incoming/reference.ts";
import { createPaymentSource } from "../../src/domain/desk/incoming/sources.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { forgetOldRows } from "../../src/domain/machine/retention/forget.ts";
import type { Subscriber } from "../../src/domain/goods/subscribers/find.ts";
import { PAY_CALLS_A_MINUTE } from "../../src/http/routes/pay.ts";
import { listen } from "../../src/http/server.ts";
import { request } from "../support/http.ts";
import { by, DAY } from "../support/isp.ts";
import { CALLBACK_TOKEN, callers, insertCalled, stateOf, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const RECEIVE = "/api/v1/payment/receive";
const payment = {
  external_id: "T-1",
  provider: "desk",
  amount: 15,
  currency: "USD",
  reference: makeReference(1),
  paid_at: "2030-01-15 12:00:00",
};
const wallet = (db: Db, subscriberId = 1) => readBalance(db, { subscriberId });
const arrived = ({ $client }: Db) =>
  $client
    .query<{ state: string; external: string }, []>(
      "SELECT state, external_id AS external FROM incoming_payments ORDER BY id",
    )
    .all()
    .map(({ state, external }) => `${state} ${external}`);

/** The tenants, of whom subscriber 1 has nothing and is over; and who was renewed. */
async function expired() {
  const renewed: number[] = [];
  const app = await withTenants({ renewed: ({ id }: Subscriber) => void renewed.push(id) });
  app.db.$client.run("UPDATE services SET expires_at = ? WHERE subscriber_id = 1", [app.clock.now - DAY]);
  const before = wallet(app.db);
  return Object.assign(app, { renewed, before, gained: () => wallet(app.db) - before });
}

describe("what a program tells with an account", () => {
  test("is booked once, renews a service that has ended, and is answered the same again", async () => {
    using app = await expired();
    const send = (json: object) => app.call("POST", RECEIVE, { basic: callers.admin, json });
    const first = await send(payment);
    expect(first).toMatchObject({
      status: 200,
      body: {
        state: "booked",
        user_id: 1,
        receipt_number: expect.any(String),
        renewed_until: expect.any(String),
      },
    });
    const balance = wallet(app.db);
    const { amount, ...rest } = payment;
    // in another order, which says the same
    const second = await send({ ...rest, amount });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await send({ ...payment, amount: 16 })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("another body") },
    });
    expect(wallet(app.db)).toBe(balance);
    expect(arrived(app.db)).toEqual(["booked T-1"]);
    expect(app.renewed).toEqual([1]);
  });

  test("says when it was paid in its own zone", async () => {
    using app = await expired();
    const json = { ...payment, paid_at: "2030-01-15T11:59:58+02:00" };
    expect(await app.call("POST", RECEIVE, { basic: callers.admin, json })).toMatchObject({ status: 200 });
    const prefer = { basic: callers.admin, headers: { prefer: "time=iso" } };
    const { body } = await app.call("GET", "/api/v1/incoming_payment/list?view=all", prefer);
    const [{ paid_at: paidAt } = { paid_at: "" }] = body as { paid_at: string }[];
    expect(Date.parse(paidAt)).toBe(Date.parse(json.paid_at));
  });

  test.each([
    ["an unknown reference", { reference: "0000" }, /nobody here is 0000/],
    ["another currency", { currency: "EUR" }, /in EUR/],
    ["somebody of another ISP", { reference: makeReference(9) }, /nobody here/],
  ])("of %s waits for staff, who are told", async (_, changes, reason) => {
    using app = await expired();
    const { status, body } = await app.call("POST", RECEIVE, {
      basic: callers.admin,
      json: { ...payment, ...changes },
    });
    expect([status, body]).toMatchObject([
      200,
      {
        state: "unmatched",
        reason: expect.stringMatching(reason),
        not_renewed: expect.stringMatching(reason),
      },
    ]);
    expect(app.gained()).toBe(0);
    const list = await app.call("GET", "/api/v1/incoming_payment/list", { basic: callers.admin });
    expect(list.body).toMatchObject([{ external_id: "T-1", state: "unmatched" }]);
    const assigned = await app.call("POST", "/api/v1/incoming_payment/assign/1", {
      basic: callers.admin,
      form: { user_id: 1 },
    });
    expect(assigned.status).toBe("currency" in changes ? 422 : 200);
    expect(app.renewed).toEqual("currency" in changes ? [] : [1]);
  });

  test.each([
    ["nobody", { reference: undefined }, "reference"],
    ["two ways", { username: "user1" }, "reference"],
    ["nothing", { amount: 0 }, "amount"],
    ["no currency", { currency: "dollars" }, "currency"],
  ])("that says %s is refused, and nothing is kept", async (_, changes, field) => {
    using app = await expired();
    const { status, body } = await app.call("POST", RECEIVE, {
      basic: callers.admin,
      json: { ...payment, ...changes },
    });
    expect([status, body]).toMatchObject([400, { errors: { [field]: [expect.any(String)] } }]);
    expect(arrived(app.db)).toEqual([]);
  });

  test("needs one permission, which is good for nothing else", async () => {
    using app = await expired();
    const admin = { basic: callers.admin };
    expect((await app.call("POST", RECEIVE, { basic: callers.noFlag, json: payment })).status).toBe(403);
    await app.call("POST", "/api/v1/role/permissions_update", {
      ...admin,
      form: { role_code: 2, api_access: 1, payment_receive: 1 },
    });
    expect(await app.call("POST", RECEIVE, { basic: callers.noFlag, json: payment })).toMatchObject({
      status: 200,
      body: { state: "booked", renewed_until: expect.any(String) },
    });
    for (const [method, path] of [
      ["GET", "/api/v1/subscriber/list"],
      ["GET", "/api/v1/payment/list"],
      ["GET", "/api/v1/incoming_payment/list"],
      ["GET", "/api/v1/payment_source/list"],
      ["POST", "/api/v1/payment/take"],
    ] as const)
      expect((await app.call(method, path, { basic: callers.noFlag })).status).toBe(403);
  });

  test("by the operator is of the only ISP, and names its ISP where there are several", async () => {
    using app = await expired();
    const send = (json: object) => app.call("POST", RECEIVE, { basic: callers.operator, json });
    app.db.$client.run("INSERT INTO isps (id, name) VALUES (7, 'Southlink')");
    expect((await send(payment)).body).toMatchObject({
      errors: { isp_id: [expect.stringContaining("several ISPs")] },
    });
    expect((await send({ ...payment, isp_id: 77 })).status).toBe(400);
    expect((await send({ ...payment, isp_id: 1 })).body).toMatchObject({ state: "booked" });
  });
});

describe("what a program signs", () => {
  const signed = async () => {
    const app = await expired();
    const made = createPaymentSource(
      app.db,
      by,
      { isp_id: 1, kind: "signed", name: "till", method: "bank" },
      { now: app.clock.now },
    );
    const send = (secret: string, body: string, { at = app.clock.now, sent = body } = {}) => {
      const signature = new Webhook(secret).sign("msg_1", new Date(at * 1000), body);
      const headers = {
        "content-type": "application/json",
        "webhook-id": "msg_1",
        "webhook-timestamp": String(at),
        "webhook-signature": signature,
      };
      return app.call("POST", RECEIVE, { headers, body: sent });
    };
    return Object.assign(app, { secret: made.secret ?? "", send });
  };
  const body = JSON.stringify(payment);

  test("needs no account, and reaches its ISP alone", async () => {
    using app = await signed();
    expect(await app.send(app.secret, body)).toMatchObject({
      status: 200,
      body: { state: "booked", user_id: 1 },
    });
    expect(
      await app.send(app.secret, JSON.stringify({ ...payment, external_id: "T-2", isp_id: 2 })),
    ).toMatchObject({ status: 403 });
    const { method } =
      app.db.$client.query<{ method: string }, []>("SELECT method FROM payments").get() ?? {};
    expect(method).toBe("bank");
  });

  test("proves nothing with another secret, an old time, or another body", async () => {
    using app = await signed();
    const before = stateOf(app);
    const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
    expect((await app.send(other, body)).status).toBe(401);
    expect((await app.send(app.secret, body, { at: app.clock.now - 301 })).status).toBe(401);
    expect((await app.send(app.secret, body, { sent: body.replace("15", "99") })).status).toBe(401);
    await app.call("POST", "/api/v1/payment_source/enable/1", { basic: callers.admin, form: { enabled: 0 } });
    expect((await app.send(app.secret, body)).status).toBe(401);
    expect(arrived(app.db)).toEqual([]);
    expect(app.gained()).toBe(0);
    expect(before).toBeDefined();
  });
});

describe("/pay/KEY", () => {
  const invoice = (changes: object = {}) =>
    JSON.stringify({
      id: "inv-1",
      status: "PAID",
      paid_amount: 15,
      currency: "USD",
      external_id: "user1",
      ...changes,
    });
  const site = async () => {
    const app = await expired();
    const key = insertCalled(app.db, app.clock.now);
    const send = async (
      body: string,
      { path = `/pay/${key}`, token = CALLBACK_TOKEN, method = "POST" } = {},
    ) => {
      const headers = { "x-callback-token": token, "content-type": "application/json" };
      const response = await app.publicApp.handle(
        request(method, path, { headers, ...(method === "POST" && { body }) }),
      );
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    return Object.assign(app, { key, send });
  };

  test("books what a provider tells, and brings the open session up to date", async () => {
    using app = await site();
    expect(await app.send(invoice())).toMatchObject({ status: 200, text: '{"received":true}' });
    expect(await app.send(invoice({ status: "SETTLED" }))).toMatchObject({ status: 200 });
    expect(arrived(app.db)).toEqual(["booked inv-1"]);
    expect(app.renewed).toEqual([1]);
    const { expires } = app.db.$client
      .query<{ expires: number }, []>("SELECT expires_at AS expires FROM services WHERE subscriber_id = 1")
      .get() ?? { expires: 0 };
    expect(expires).toBeGreaterThan(app.clock.now);
  });

  test("answers 2xx for what is unmatched or not paid yet, and stores the first alone", async () => {
    using app = await site();
    expect((await app.send(invoice({ status: "PENDING" }))).status).toBe(200);
    expect(arrived(app.db)).toEqual([]);
    expect((await app.send(invoice({ external_id: "nobody" }))).status).toBe(200);
    expect((await app.send("not json")).status).toBe(200);
    expect(arrived(app.db)).toEqual(["unmatched inv-1", expect.stringMatching(/^unmatched sha256 /)]);
  });

  test("a question before the payment is answered, and nothing is stored", async () => {
    using app = await site();
    expect(await app.send(invoice(), { path: `/pay/${app.key}/check` })).toMatchObject({
      status: 200,
      text: '{"received":true}',
    });
    expect(arrived(app.db)).toEqual([]);
  });

  test("without proof it is 401, and an unknown key is a path like any other", async () => {
    using app = await site();
    const refused = await app.send(invoice(), { token: "another one" });
    expect([refused.status, refused.headers.has("www-authenticate")]).toEqual([401, true]);
    const unknown = await app.send(invoice(), { path: "/pay/3f1c0a6a4be8d07d3ab2e2f3b1d0c9aa" });
    const anywhere = await app.send(invoice(), { path: "/paid/3f1c0a6a4be8d07d3ab2e2f3b1d0c9aa" });
    expect([unknown.status, unknown.text.replace("/pay/", "/paid/")]).toEqual([
      anywhere.status,
      anywhere.text,
    ]);
    expect(anywhere.status).toBe(404);
    await app.call("POST", "/api/v1/payment_source/enable/1", { basic: callers.admin, form: { enabled: 0 } });
    expect((await app.send(invoice())).status).toBe(404);
    expect(arrived(app.db)).toEqual([]);
  });

  test("a new address takes the place of the one before", async () => {
    using app = await site();
    const { body } = await app.call("POST", "/api/v1/payment_source/rotate/1", {
      basic: callers.admin,
      form: {},
    });
    const path = (body as { source: { path: string } }).source.path;
    expect((await app.send(invoice())).status).toBe(404);
    expect((await app.send(invoice(), { path })).status).toBe(200);
  });

  test("a body above 256 KiB and too many calls are refused", async () => {
    using app = await site();
    expect((await app.send(" ".repeat(256 * 1024 + 1))).status).toBe(413);
    const path = "/pay/3f1c0a6a4be8d07d3ab2e2f3b1d0c9aa";
    let status = 0;
    for (let nth = 0; nth <= PAY_CALLS_A_MINUTE; nth++) ({ status } = await app.send("", { path }));
    expect(status).toBe(429);
    expect((await app.send(invoice())).status).toBe(200);
  });

  test("a store that fails is 5xx, keeps nothing, and no key is in the log", async () => {
    using app = await site();
    app.db.$client.run("ALTER TABLE payments RENAME TO vanished");
    expect((await app.send(invoice())).status).toBe(500);
    app.db.$client.run("ALTER TABLE vanished RENAME TO payments");
    expect(arrived(app.db)).toEqual([]);
    expect(app.lines.join("\n")).toContain("/pay/…");
    expect(app.lines.join("\n")).not.toContain(app.key);
    expect(app.lines.join("\n")).not.toContain(CALLBACK_TOKEN);
    expect((await app.send(invoice())).status).toBe(200);
    expect(arrived(app.db)).toEqual(["booked inv-1"]);
  });

  test("what was sent is kept sealed for 90 days", async () => {
    using app = await site();
    await app.send(invoice({ payer_email: "somebody@mail.example" }));
    const raw = () =>
      app.db.$client
        .query<{ raw: Uint8Array | null }, []>("SELECT raw_sealed AS raw FROM incoming_payments")
        .get()?.raw ?? null;
    const sealed = raw();
    expect(sealed && app.db.vault.openText(sealed)).toContain("somebody@mail.example");
    expect(Buffer.from(sealed ?? []).includes("somebody@mail.example")).toBe(false);
    await forgetOldRows(app.db, by, { now: app.clock.now + 89 * DAY });
    expect(raw()).not.toBeNull();
    expect(await forgetOldRows(app.db, by, { now: app.clock.now + 91 * DAY })).toMatchObject({
      sentOfPayments: 1,
    });
    expect(raw()).toBeNull();
    expect(arrived(app.db)).toEqual(["booked inv-1"]);
  });

  test("of one ISP, it finds no subscriber of another", async () => {
    using app = await site();
    await app.send(invoice({ external_id: makeReference(9) }));
    expect(arrived(app.db)).toEqual(["unmatched inv-1"]);
  });
});

async function mobileMoney() {
  const app = await withTenants({ trustedProxies: ["127.0.0.1"] });
  app.db.$client.run("INSERT INTO settings (isp_id, key, value) VALUES (0, 'currency', '\"KES\"')");
  const mpesa = { isp_id: 1, kind: "provider", name: "mobile", method: "mobile", preset: "mpesa_c2b" };
  const { source } = createPaymentSource(
    app.db,
    by,
    { ...mpesa, addresses: "196.201.214.200" },
    { now: app.clock.now },
  );
  const server = listen(app.publicApp, { hostname: "127.0.0.1", port: 0 });
  const send = async (from: string, { reference = makeReference(1), path = "" } = {}) => {
    const response = await fetch(`http://${server.address}/pay/${source.key}${path}`, {
      method: "POST",
      headers: { "x-forwarded-for": from },
      body: JSON.stringify({
        TransID: "RKTQDM7W6S",
        TransAmount: "10",
        BillRefNumber: reference,
        FirstName: "John",
      }),
    });
    return [response.status, await response.text()];
  };
  return Object.assign(app, { send, stop: () => server.stop(0) });
}
const SAFARICOM = "196.201.214.200";
const accepted = [200, '{"ResultCode":0,"ResultDesc":"Accepted"}'];

test("M-Pesa is known by where it calls from, behind a trusted proxy too", async () => {
  using app = await mobileMoney();
  expect((await app.send("198.51.100.7"))[0]).toBe(401);
  expect((await app.send(`${SAFARICOM}, 198.51.100.7`))[0]).toBe(401);
  expect(await app.send(SAFARICOM)).toEqual(accepted);
  expect(arrived(app.db)).toEqual(["booked RKTQDM7W6S"]);
  await app.stop();
});

test("M-Pesa is told to refuse a mistyped reference where the ISP wants that, and nothing else", async () => {
  using app = await mobileMoney();
  const wrong = makeReference(1).replace(/.$/, (digit) => String((Number(digit) + 1) % 10));
  const ask = (reference: string) => app.send(SAFARICOM, { reference, path: "/check" });
  expect(await ask(wrong)).toEqual(accepted);
  changeSetting(app.db, by, { key: "check_references", value: true, ispId: 1 }, { now: app.clock.now });
  expect(await ask(wrong)).toEqual([200, '{"ResultCode":"C2B00012","ResultDesc":"Rejected"}']);
  for (const reference of [makeReference(1), "user1", "nobody", ""])
    expect(await ask(reference)).toEqual(accepted);
  app.db.$client.run("UPDATE subscribers SET username = ?1, username_key = ?1 WHERE id = 2", [wrong]);
  expect(await ask(wrong)).toEqual(accepted); // a username of digits
  expect(arrived(app.db)).toEqual([]);
  expect((await app.send("198.51.100.7", { reference: "5725", path: "/check" }))[0]).toBe(401);
  // what was paid all the same is kept
  expect(await app.send(SAFARICOM, { reference: "5725" })).toEqual(accepted);
  expect(arrived(app.db)).toEqual(["unmatched RKTQDM7W6S"]);
  await app.stop();
});

test("an address that does not decode is unknown", async () => {
  using app = await withTenants();
  for (const path of ["/pay/%zz", "/pay/%00", `/pay/${"a".repeat(5000)}`])
    expect((await app.publicApp.handle(request("POST", path, { body: "{}" }))).status).toBe(404);
});

test("a source's secret is never shown, nor in the trail", async () => {
  using app = await withTenants();
  const secret = "sk_live_never_shown";
  const made = await app.call("POST", "/api/v1/payment_source/create", {
    basic: callers.admin,
    form: { kind: "provider", name: "Paystack", method: "online", preset: "paystack", secret },
  });
  const { secret: value, source } = made.body as {
    secret: null;
    source: { path: string; has_secret: number };
  };
  expect([made.status, value, source.has_secret]).toEqual([200, null, 1]);
  expect(source.path).toMatch(/^\/pay\/[0-9a-f]{32}$/);
  const again = await app.call("POST", "/api/v1/payment_source/create", {
    basic: callers.admin,
    form: { kind: "provider", name: "Paystack", method: "online", preset: "paystack", secret },
  });
  expect(again.status).toBe(409);
  const record = [made, await app.call("GET", "/api/v1/payment_source/list", { basic: callers.admin })];
  const auditLog = app.db.$client.query("SELECT before, after FROM audit_entries").all();
  expect(JSON.stringify([record, auditLog])).not.toContain(secret);
  const signature = createHmac("sha512", secret).update("{}").digest("hex");
  const answer = await app.app.handle(
    request("POST", source.path, { headers: { "x-paystack-signature": signature }, body: "{}" }),
  );
  expect(answer.status).toBe(200);
});
