import { describe, expect, test } from "bun:test";
import type { Sent } from "../support/http.ts";
import { noRouters } from "../support/routers.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

const BATCH = "/api/v1/card_batch";
const CARD = "/api/v1/card";
const hour = {
  isp_id: 1,
  kind: "access",
  package_id: 1,
  quantity: 3,
  price: "1.50",
  duration: 1,
  duration_unit: "hour",
};
const post = (app: Tenants, path: string, form: object, { basic = callers.admin, ...sent }: Sent = {}) =>
  app.call("POST", path, { basic, json: form, ...sent });
const key = (text: string) => ({ headers: { "idempotency-key": text } });
const make = async (app: Tenants, more: object = {}) => post(app, `${BATCH}/create`, { ...hour, ...more });
const codeOf = async (app: Tenants, id: number): Promise<string> => {
  const { body } = await post(app, `${CARD}/reprint`, { id });
  return String(Reflect.get(body as object, "code"));
};
const countOf = ({ db }: Tenants, table: string) =>
  db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;

describe("a batch", () => {
  test("is made, listed and found, and nothing of it is a code", async () => {
    using app = await withTenants();
    const made = await make(app, { note: "fair" });
    expect(made).toMatchObject({
      status: 200,
      body: { success: "3 cards made: batch 0001.", first: "C-000001", last: "C-000003" },
    });
    const code = await codeOf(app, 1);
    const answers = [made];
    for (const path of [
      `${BATCH}/list?search=fair`,
      `${BATCH}/get/1`,
      `${CARD}/list?batch_id=1`,
      `${CARD}/get/1`,
    ])
      answers.push(await app.call("GET", path, { basic: callers.admin }));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(code);
    }
    expect(answers[1]?.body).toMatchObject([
      { id: 1, number: "0001", cards_new: 3, quantity: 3, devices: 1 },
    ]);
    expect(answers[3]?.body).toMatchObject([{ paper_number: "0001-001" }, { id: 2 }, { id: 3 }]);
    const logged = JSON.stringify(app.db.$client.query("SELECT before, after FROM audit_entries").all());
    expect(logged).not.toContain(code);
  });

  test("is made once for a key", async () => {
    using app = await withTenants();
    const first = await post(app, `${BATCH}/create`, hour, key("a"));
    expect(await post(app, `${BATCH}/create`, hour, key("a"))).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect((await post(app, `${BATCH}/create`, { ...hour, quantity: 4 }, key("a"))).status).toBe(409);
    expect(countOf(app, "cards")).toBe(3);
  });

  test.each<[what: string, sent: object, errors: Record<string, unknown>]>([
    ["no package", { package_id: "" }, { package_id: expect.anything() }],
    ["another ISP's package", { package_id: 9 }, { package_id: expect.anything() }],
    ["a package for a refill", { kind: "refill" }, { package_id: expect.anything() }],
    ["too many", { quantity: 10_001 }, { quantity: expect.anything() }],
    ["codes too short", { length: 4 }, { length: [expect.stringContaining("must be 7 at the least")] }],
    ["a day that is over", { sell_by: "2001-01-01 00:00:00" }, { sell_by: ["must lie ahead"] }],
    ["nothing that ends a card", { by_clock: 0 }, { by_clock: expect.anything() }],
    ["a price for no reseller", { reseller_price: 1 }, { reseller_price: expect.anything() }],
    ["a reseller who is none", { reseller_id: 4, reseller_price: 1 }, { reseller_id: expect.anything() }],
  ])("is refused with %s", async (_what, sent, errors) => {
    using app = await withTenants();
    expect(await make(app, sent)).toMatchObject({ status: 400, body: { errors } });
    expect(countOf(app, "card_batches")).toBe(0);
  });
});

describe("a sale", () => {
  test("of one card by two people at once is one sale", async () => {
    using app = await withTenants();
    await make(app);
    const code = await codeOf(app, 1);
    const sale = { code, method: "cash" };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        post(app, `${CARD}/sell`, sale, { basic: n % 2 === 0 ? callers.admin : callers.operator }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(countOf(app, "payments")).toBe(1);
    expect(JSON.stringify(answers)).not.toContain(code);
  });

  test("is made once for a key, of which nothing says the code", async () => {
    using app = await withTenants();
    await make(app);
    const sale = { code: await codeOf(app, 2), method: "cash" };
    const first = await post(app, `${CARD}/sell`, sale, key("till-7"));
    expect(first).toMatchObject({
      status: 200,
      body: {
        success: "Card C-000002 sold.",
        card: { standing: "sold", sold_by_name: "Ada" },
        payment: { amount: 1.5, method: "cash", name: "C-000002", print: { paid_by: { name: "C-000002" } } },
      },
    });
    expect(await post(app, `${CARD}/sell`, sale, key("till-7"))).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect(countOf(app, "payments")).toBe(1);
    expect(
      JSON.stringify(app.db.$client.query("SELECT key, answer FROM idempotency_keys").all()),
    ).not.toContain(sale.code);
  });

  test("is taken back as a void card, with its money, once", async () => {
    using app = await withTenants();
    await make(app);
    await post(app, `${CARD}/sell`, { id: 1, method: "cash" });
    expect(await post(app, "/api/v1/payment/reverse", { id: 1, reason: "A" })).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining("card/void") },
    });
    const voiding = { id: 1, reason: "wrong card" };
    const done = await post(app, `${CARD}/void`, voiding, key("v"));
    expect(done).toMatchObject({
      status: 200,
      body: { card: { state: "void" }, payment: { reversal_reason: "wrong card" }, given_back: 0, ended: 0 },
    });
    expect((await post(app, `${CARD}/void`, voiding, key("v"))).body).toEqual(done.body);
    expect((await post(app, `${CARD}/void`, voiding)).status).toBe(409);
    expect((await post(app, `${CARD}/sell`, { id: 1, method: "cash" })).status).toBe(409);
    expect((await post(app, `${CARD}/reprint`, { id: 1 })).status).toBe(422);
  });

  test("by a code that is none is refused after twenty within a minute, with when to go on", async () => {
    using app = await withTenants();
    await make(app);
    for (let nth = 0; nth < 20; nth++)
      expect((await post(app, `${CARD}/find`, { code: `NONE${nth}` })).status).toBe(404);
    const refused = await post(app, `${CARD}/sell`, { code: "NONE", method: "cash" });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    app.clock.now += 60;
    expect((await post(app, `${CARD}/find`, { code: "c-000001" })).status).toBe(200);
  });
});

test("a card in use that is made void has its sessions ended", async () => {
  const acknowledge = async () => ({ kind: "acknowledged" }) as const;
  using app = await withTenants({ routers: { ...noRouters, disconnect: acknowledge } });
  await make(app);
  const now = app.clock.now;
  app.db.$client.run(`UPDATE cards SET state = 'active', first_used_at = ${now} WHERE id = 1`);
  app.db.$client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, card_id, started_at, updated_at)
     VALUES (1, '127.0.0.1', 'S1', 'C-000001', 1, ${now}, ${now})`,
  );
  expect((await app.call("GET", `${CARD}/get/1`, { basic: callers.admin })).body).toMatchObject({
    sessions: 1,
    online: 1,
    standing: "active",
  });
  expect(await post(app, `${CARD}/void`, { id: 1, reason: "stolen" })).toMatchObject({
    status: 200,
    body: { ended: 1, failures: [], payment: null, card: { state: "void" } },
  });
  expect(app.db.$client.query("SELECT count(*) AS n FROM sessions WHERE stopped_at IS NULL").get()).toEqual({
    n: 0,
  });
});
