import { describe, expect, test } from "bun:test";
import { openWriter } from "../../db/open.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { by } from "../support/isp.ts";
import { NOW } from "../support/store.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

const MONEY = "/api/v1/";
const basic = callers.admin;
const post = (app: Tenants, path: string, form: Record<string, unknown>, who = basic, key?: string) =>
  app.call("POST", MONEY + path, {
    basic: who,
    form,
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });
const get = (app: Tenants, path: string, who = basic) => app.call("GET", MONEY + path, { basic: who });
const entries = ({ db }: Tenants) => db.$client.query("SELECT count(*) AS n FROM ledger_entries").get();
const at = formatTime(NOW);

const payment = {
  id: 1,
  number: "R-2030-000001",
  kind: "payment",
  isp_id: 1,
  branch_id: 11,
  user_id: 1,
  staff_id: null,
  username: "user1",
  name: "User 1",
  amount: 12.5,
  currency: "USD",
  method: "bank",
  reference: "TX-1",
  note: null,
  taken_by: 1,
  taken_by_name: "Ada",
  reseller_id: null,
  created_at: at,
  invoice_id: null,
  invoice_number: null,
  closing_id: null,
  reversed_at: null,
  reversed_by: null,
  reversal_reason: null,
};

describe("payment", () => {
  test("a payment waits while another connection writes, and is taken once", async () => {
    using app = await withTenants();
    const other = openWriter(app.folder, { busyTimeout: 0 });
    other.$client.run("BEGIN IMMEDIATE");
    const form = { user_id: 1, amount: "12.50", method: "bank", reference: "TX-9" };
    const before = entries(app);
    const answers = [
      post(app, "payment/take", form, basic, "press-9"),
      post(app, "payment/take", { user_id: 1, amount: 3, method: "cash" }),
    ];
    await Bun.sleep(300);
    expect(entries(app)).toEqual(before);
    other.$client.run("ROLLBACK");
    for (const answer of answers) expect(await answer).toMatchObject({ status: 200 });
    expect(entries(app)).toEqual({ n: (before as { n: number }).n + 2 });
    other.$client.close();
  });

  test("take answers the payment and the balance; with a key it is done once", async () => {
    using app = await withTenants();
    const form = { user_id: 1, amount: "12.50", method: "bank", reference: "TX-1" };
    const first = await post(app, "payment/take", form, basic, "press-1");
    expect(first).toMatchObject({ status: 200 });
    expect(first.body).toEqual({
      success: "Payment taken: receipt R-2030-000001.",
      balance: 112.5,
      activation: null,
      payment: { ...payment, print: expect.objectContaining({ total: 12.5, balance_after: 112.5 }) },
    });
    const booked = entries(app);
    app.clock.now += 600;
    expect((await post(app, "payment/take", form, basic, "press-1")).body).toEqual(first.body);
    expect(await post(app, "payment/take", { ...form, amount: 13 }, basic, "press-1")).toMatchObject({
      status: 409,
    });
    expect(await post(app, "payment/take", form)).toMatchObject({
      status: 409,
      body: {
        error:
          "the reference TX-1 was taken already: receipt R-2030-000001 of User 1; look at that one first",
      },
    });
    expect(entries(app)).toEqual(booked);
    app.db.$client.run("UPDATE staff SET status = 0 WHERE id = 1");
    expect(await post(app, "payment/take", form, basic, "press-1")).toMatchObject({ status: 403 });
  });

  test("activates with it, or says with keep why not", async () => {
    using app = await withTenants();
    const form = { user_id: 2, amount: 15, method: "cash", activate: 1, keep: 1 };
    const first = await post(app, "payment/take", form);
    expect(first.body).toMatchObject({
      payment: {
        invoice_id: 1,
        invoice_number: "I-2030-000001",
        print: { issuer: { name: "Northlink" }, total: 15, balance_after: 115 },
      },
      balance: 100,
      activation: { status: 200, package_id: 1, amount_charged: 15 },
    });
    app.clock.now += 20;
    expect((await post(app, "payment/take", form)).body).toMatchObject({
      balance: 115,
      activation: {
        status: 429,
        error: "the subscriber was activated 20 s ago; try again in 100 s",
        retry_after: 100,
      },
    });
    expect(await post(app, "payment/take", { ...form, keep: 0 })).toMatchObject({ status: 429 });
    expect((await post(app, "payment/take", { ...form, package_id: 9 })).body).toMatchObject({
      activation: { status: 404, error: "there is no package 9 in the subscriber's ISP" },
    });
    app.clock.now += 200;
    const bare = { ...form, user_id: 2 };
    app.db.$client.run("DELETE FROM role_permissions WHERE flag = 'subscriber_activate'");
    const { status, body } = await post(app, "payment/take", bare, callers.otherBranch);
    expect({ status, body }).toEqual({
      status: 403,
      body: { error: expect.stringContaining("subscriber_activate") },
    });
  });

  const amount = "must be an amount above 0 with at most two decimals, such as 15.00";
  test.each<[string, Record<string, unknown>, number, object]>([
    ["nothing", {}, 400, { amount: ["is required"], method: ["is required"] }],
    ["three decimals", { amount: "1.005" }, 400, { amount: [amount] }],
    ["nothing of it", { amount: 0 }, 400, { amount: [amount] }],
    ["less than nothing", { amount: -1 }, 400, { amount: [amount] }],
    ["more than can be booked", { amount: "10000000000.01" }, 400, { amount: [amount] }],
    [
      "another method",
      { method: "barter" },
      400,
      { method: [expect.stringContaining("must be one of cash, bank")] },
    ],
    ["no wallet", { user_id: "" }, 400, { user_id: [expect.any(String)] }],
    ["two wallets", { staff_id: 2 }, 400, { user_id: [expect.any(String)] }],
  ])("take refuses %s", async (name, more, status, errors) => {
    using app = await withTenants();
    const before = entries(app);
    const form = name === "nothing" ? {} : { user_id: 1, amount: 1, method: "cash", ...more };
    const answer = await post(app, "payment/take", form);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: { error: expect.any(String), errors },
    });
    expect(entries(app)).toEqual(before);
  });

  test("reverse and refund, and what the receipt prints", async () => {
    using app = await withTenants();
    const { db } = app;
    const own = {
      isp_address: "1 Harbour Road|Riverton",
      isp_tax_number: "VAT 1",
      tax_percent: 18,
      tax_name: "VAT",
    };
    for (const [key, value] of Object.entries(own))
      changeSetting(db, by, { key, value, ispId: 1 }, { now: NOW });
    const taken = { user_id: 2, amount: 22, method: "cash", activate: 1, note: "at the door" };
    await post(app, "payment/take", taken, callers.otherBranch);
    expect((await get(app, "payment/get/1")).body).toMatchObject({
      number: "R-2030-000001",
      note: "at the door",
      taken_by: 5,
      taken_by_name: "Max",
      invoice_id: 1,
      print: {
        issuer: { name: "Northlink", address_lines: ["1 Harbour Road", "Riverton"], tax_number: "VAT 1" },
        paid_by: { name: "User 2", username: "user2" },
        total: 22,
        balance_after: 122,
      },
    });
    expect((await get(app, "invoice/get/1")).body).toMatchObject({
      number: "I-2030-000001",
      amount: 15,
      net: 12.71,
      tax_name: "VAT",
      tax_percent: 18,
      tax: 2.29,
      state: "paid",
      open: 0,
      payment_id: 1,
      credit_notes: [],
      print: { lines: [{ description: "Home 1", amount: 15 }], billed_to: { name: "User 2" }, total: 15 },
    });
    expect((await post(app, "payment/refund", { user_id: 2, amount: 107.01, method: "cash" })).body).toEqual({
      error: "the wallet of User 2 holds 107.00; hand back at most what it holds",
    });
    expect(
      (await post(app, "payment/refund", { user_id: 2, amount: 107, method: "cash" })).body,
    ).toMatchObject({
      success: "Money handed back: receipt R-2030-000002.",
      balance: 0,
      payment: { id: 2, kind: "refund", amount: 107 },
    });
    app.clock.now += 60;
    expect((await post(app, "payment/reverse", { id: 1, reason: "bad note" })).body).toMatchObject({
      success: "Payment reversed: receipt R-2030-000001.",
      balance: -22,
      payment: { reversed_at: formatTime(NOW + 60), reversed_by: 1, reversal_reason: "bad note" },
    });
    expect(await post(app, "payment/reverse", { id: 1, reason: "bad note" })).toMatchObject({ status: 409 });
    expect(await post(app, "payment/reverse", { id: 2, reason: "bad note" })).toMatchObject({ status: 422 });
    expect((await get(app, "invoice/list?state=open&user_id=2")).body).toMatchObject([{ id: 1, open: 15 }]);
  });

  test("list is newest first by pages, with filters that are known, and as a file", async () => {
    using app = await withTenants();
    for (const amount of [1, 2, 3]) await post(app, "payment/take", { user_id: 1, amount, method: "cash" });
    await post(app, "payment/take", { user_id: 2, amount: 4, method: "bank", note: "=1+1" });
    await post(app, "payment/take", { staff_id: 2, amount: 5, method: "bank" });
    const ids = async (query: string, who = basic) => {
      const { body } = await get(app, `payment/list${query}`, who);
      return Array.isArray(body) ? body.map(({ id }) => id) : body;
    };
    const page = await get(app, "payment/list?limit=2");
    expect(page.headers.get("link")).toBe(`</api/v1/payment/list?limit=2&before=4>; rel="next"`);
    expect([await ids("?limit=2"), await ids("?before=4")]).toEqual([
      [5, 4],
      [3, 2, 1],
    ]);
    expect([await ids("?method=bank"), await ids("?user_id=1&from=2030-01-15")]).toEqual([
      [5, 4],
      [3, 2, 1],
    ]);
    expect([await ids("?to=2030-01-14"), await ids("?number=R-2030-000003")]).toEqual([[], [3]]);
    expect(await ids("", callers.reseller)).toEqual([5, 3, 2, 1]);
    expect([await ids("", callers.branch), await ids("", callers.otherBranch)]).toEqual([[3, 2, 1], [4]]);
    expect([await ids("", callers.otherTenant), await ids("?isp_id=2", callers.operator)]).toEqual([[], []]);
    expect(await get(app, "payment/list?metod=bank")).toMatchObject({
      status: 400,
      body: { errors: { metod: ["is not a filter of this list"] } },
    });
    const file = await app.app.handle(
      new Request(`http://localhost${MONEY}payment/list?user_id=2`, {
        headers: { authorization: `Basic ${btoa(basic)}`, accept: "text/csv" },
      }),
    );
    const [head = "", row = ""] = (await file.text()).split("\r\n");
    expect(head).toStartWith("id,number,kind,");
    expect(row).toContain(",'=1+1,");
  });
});

test("a reseller's own wallet is debited, and it sees the entries of its wallet and of its subscribers", async () => {
  using app = await withTenants();
  const form = { user_id: 1, amount: 10, method: "cash" };
  expect(await post(app, "payment/take", form, callers.reseller)).toMatchObject({
    status: 422,
    body: { error: "your wallet would be at -10.00, and may not fall below 0.00; pay into it first" },
  });
  await post(app, "payment/take", { staff_id: 2, amount: 10, method: "bank" });
  expect((await post(app, "payment/take", form, callers.reseller)).body).toMatchObject({
    payment: { reseller_id: 2, taken_by: 2 },
  });
  expect((await get(app, "wallet/entries?staff_id=2", callers.reseller)).body).toMatchObject([
    { kind: "transfer", amount: -10, balance_after: 0, receipt_number: "R-2030-000002", acting_name: "Rex" },
    { kind: "payment", amount: 10, balance_after: 10, receipt_number: "R-2030-000001", acting_name: "Ada" },
  ]);
  expect(await get(app, "wallet/entries?user_id=2", callers.reseller)).toMatchObject({ status: 404 });
  expect(await get(app, "wallet/entries?staff_id=3", callers.reseller)).toMatchObject({ status: 404 });
  expect(
    await post(app, "payment/take", { ...form, user_id: "", staff_id: 2 }, callers.reseller),
  ).toMatchObject({
    status: 403,
  });
});

test("a wallet is corrected up and down, and its entries say why", async () => {
  using app = await withTenants();
  const adjust = (more: object) =>
    post(app, "wallet/adjust", { user_id: 1, amount: 5, direction: "up", reason: "a day off", ...more });
  expect((await adjust({})).body).toEqual({
    success: "Wallet adjusted.",
    id: expect.any(Number),
    balance: 105,
  });
  expect((await adjust({ direction: "down", amount: 110, reason: "slip" })).body).toMatchObject({
    balance: -5,
  });
  expect(await adjust({ direction: "sideways", amount: -1, reason: "" })).toMatchObject({
    status: 400,
    body: {
      errors: { amount: [expect.any(String)], direction: [expect.any(String)], reason: ["is required"] },
    },
  });
  app.db.$client.run(
    "INSERT INTO ledger_entries (isp_id, subscriber_id, amount, balance_after, kind, created_at, day) VALUES (1, 1, 500, 0, 'credit', 1, 20300115)",
  );
  expect((await get(app, "wallet/entries?user_id=1&kind=adjustment")).body).toMatchObject([
    { kind: "adjustment", amount: 5, reason: null },
    { kind: "adjustment", amount: -110, balance_after: -5, reason: "slip", acting_staff_id: 1 },
    { kind: "adjustment", amount: 5, balance_after: 105, reason: "a day off" },
  ]);
  expect(await get(app, "wallet/entries")).toMatchObject({ status: 400 });
  expect(
    await post(app, "wallet/adjust", { staff_id: 4, amount: 5, direction: "up", reason: "x" }),
  ).toMatchObject({
    status: 422,
    body: { error: "Mia is no Reseller and has no wallet; name a Reseller" },
  });
});

test("the day's close: figure, close once for its key, confirmed by somebody else", async () => {
  using app = await withTenants();
  await post(app, "payment/take", { user_id: 1, amount: 30, method: "cash" }, callers.branch);
  await post(app, "payment/take", { user_id: 1, amount: 7, method: "card" }, callers.branch);
  expect((await get(app, "closing/open", callers.branch)).body).toEqual({
    staff_id: 4,
    name: "Mia",
    isp_id: 1,
    since: null,
    taken: 30,
    returned: 0,
    expected: 30,
    methods: [
      { method: "cash", payments: 1, taken: 30, returned: 0 },
      { method: "card", payments: 1, taken: 7, returned: 0 },
    ],
  });
  const close = (form: object) => post(app, "closing/close", { ...form }, callers.branch, "evening");
  expect(await close({ counted: 29.5, expected: 31 })).toMatchObject({ status: 409 });
  const closed = await close({ counted: 29.5, expected: 30, note: "short" });
  expect(closed.body).toEqual({
    id: 1,
    isp_id: 1,
    staff_id: 4,
    name: "Mia",
    created_at: at,
    taken: 30,
    returned: 0,
    expected: 30,
    counted: 29.5,
    difference: -0.5,
    note: "short",
    confirmed_at: null,
    confirmed_by: null,
  });
  expect((await close({ counted: 29.5, expected: 30, note: "short" })).body).toEqual(closed.body);
  expect(await post(app, "closing/confirm", { id: 1 }, callers.branch)).toMatchObject({ status: 403 });
  expect(await post(app, "closing/confirm", { id: 1 }, callers.otherBranch)).toMatchObject({ status: 404 });
  expect(await post(app, "closing/confirm", { id: 1 })).toMatchObject({ status: 200 });
  expect(await post(app, "closing/confirm", { id: 1 })).toMatchObject({ status: 409 });
  expect((await get(app, "closing/list?confirmed=1", callers.branch)).body).toMatchObject([
    { id: 1, confirmed_at: at, confirmed_by: 1 },
  ]);
  expect((await get(app, "closing/open?staff_id=4&isp_id=1", callers.operator)).body).toMatchObject({
    since: at,
  });
  expect((await get(app, "closing/open?isp_id=1", callers.operator)).body).toMatchObject({ staff_id: 9 });
});
