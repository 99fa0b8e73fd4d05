import { describe, expect, test } from "bun:test";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { addTax, splitPrice } from "../../src/domain/goods/packages/price.ts";
import type { Sent } from "../support/http.ts";
import { by } from "../support/isp.ts";
import { listen } from "../../src/http/server.ts";
import { RecordedRouters } from "../support/recorded-routers.ts";
import { callers, openSession, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const PACKAGE = "/api/v1/package";
const basic = callers.admin;
const fault = (errors: Record<string, string[]>) => ({
  error: `check ${Object.keys(errors).join(", ")}`,
  errors,
});
const needed = { name: "Home 12", billing_type: "prepaid", duration: 1, duration_unit: "month" };

/** ISP 1 sells with 18 % of tax. */
async function withTax() {
  const app = await withTenants();
  app.db.$client.run(`INSERT INTO settings (isp_id, key, value) VALUES (1, 'tax_percent', '18')`);
  return app;
}

const call = async (app: Tenants, operation: string, sent: Sent = {}) => {
  const [method = "", path = ""] = operation.split(" ");
  const { status, body } = await app.call(method, `${PACKAGE}/${path}`, { basic, ...sent });
  return { status, body };
};
const terms = {
  rate_limit: null,
  data_quota_bytes: 0,
  quota_exceeded: "reject",
  framed_pool: null,
  framed_ipv6_pool: null,
  delegated_ipv6_pool: null,
  address_list: null,
  expired_pool: null,
  expired_address_list: null,
  simultaneous_use: 1,
  idle_timeout: null,
  reply_attributes: null,
  address_pool: null,
  delegated_ipv6_from: null,
  fair_window: "period",
  tiers: null,
  hours: null,
  top_up_bytes: 0,
  top_up_days: 0,
  top_up_rolls: 0,
};

test.each([
  [{ price: "22.00" }, { price: 22, net: 18.64, tax: 3.36 }],
  [{ net_price: "18.64" }, { price: 22, net: 18.64, tax: 3.36 }],
  [{ net_price: 10 }, { price: 11.8, net: 10, tax: 1.8 }],
  [{ price: 0 }, { price: 0, net: 0, tax: 0 }],
])("a package that is made for %j costs %j", async (sent, answer) => {
  using app = await withTax();
  const created = await call(app, "POST create", { json: { ...needed, ...sent } });
  expect(created).toEqual({
    status: 200,
    body: { success: "Package created.", id: 10, price: answer.price },
  });
  expect(await call(app, "GET get/10")).toEqual({
    status: 200,
    body: {
      id: 10,
      isp_id: 1,
      ...needed,
      ...answer,
      ...terms,
      reseller_price: null,
      status: 1,
      created_at: "2030-01-15 12:00:00",
    },
  });
});

test("a net price is the net of its price, at every rate", () => {
  for (const percent of [0, 1, 700, 750, 1800, 1999, 2500, 10_000])
    for (let net = 0; net < 3000; net++)
      expect([percent, splitPrice(addTax(net, percent), percent).net]).toEqual([percent, net]);
});

const between = "must not be above the price, which is 15.00";
const refused: [operation: string, sent: Sent, status: number, body: unknown][] = [
  ["POST create", { form: needed }, 400, fault({ price: ["is required, or net_price in its place"] })],
  [
    "POST create",
    { form: { ...needed, price: 1, net_price: 1 } },
    400,
    fault({ net_price: ["was sent beside price; send one of the two"] }),
  ],
  [
    "POST create",
    { form: { price: 1 } },
    400,
    fault(Object.fromEntries(Object.keys(needed).map((name) => [name, ["is required"]]))),
  ],
  [
    "POST create",
    { form: { ...needed, net_price: "10000000000" } },
    400,
    fault({ net_price: ["must not come to more than 10000000000.00 with its tax"] }),
  ],
  [
    "POST create",
    { form: { ...needed, net_price: 10, reseller_price: 11.81 } },
    400,
    fault({ reseller_price: ["must not be above the price, which is 11.80"] }),
  ],
  [
    "POST create",
    { form: { ...needed, price: 1, rate_limit: "fast" } },
    400,
    fault({ rate_limit: ["must be a RouterOS rate limit such as 10M/10M or 2M/10M 4M/20M 1M/5M 16/12"] }),
  ],
  [
    "POST create",
    { form: { ...needed, price: 1, expired_address_list: "!expired" } },
    400,
    fault({
      expired_address_list: [
        "must be text of 1 to 64 characters on one line, without control characters, and not begin with !",
      ],
    }),
  ],
  ["POST create", { form: { ...needed, price: 1, isp_id: 2 } }, 403, { error: "the ISP 2 is not yours" }],
  [
    "POST create",
    { basic: callers.operator, form: { ...needed, price: 1 } },
    400,
    {
      error: "there are several ISPs; say which",
      errors: { isp_id: ["is required, for there are several ISPs"] },
    },
  ],
  ["POST update", { form: { id: 1, price: "" } }, 400, fault({ price: ["must not be empty"] })],
  ["POST update", { form: { id: 1, reseller_price: 16 } }, 400, fault({ reseller_price: [between] })],
  ["POST update", { form: { id: 9, price: 1 } }, 404, { error: "there is no package 9" }],
  ["POST enable", { form: { id: 9 } }, 404, { error: "there is no package 9" }],
  ["POST apply", { form: { id: 9 } }, 404, { error: "there is no package 9" }],
  [
    "POST disable",
    { basic: callers.branch, form: { id: 1 } },
    403,
    { error: "packages are the whole ISP's; ask somebody whose account is not of one branch" },
  ],
];
test.each(refused)("%s %j is refused", async (operation, sent, status, body) => {
  using app = await withTax();
  expect(await call(app, operation, sent)).toEqual({ status, body });
});

describe("a change", () => {
  test("of the price alone leaves nobody on old terms, one of the rate its holders", async () => {
    using app = await withTax();
    const update = (form: Record<string, unknown>) => call(app, "POST update", { form: { id: 1, ...form } });
    const done = (price: number, holders: number) => ({
      status: 200,
      body: { success: "Package changed.", price, holders_on_old_terms: holders },
    });
    expect(await update({ net_price: 20, reseller_price: 18 })).toEqual(done(23.6, 0));
    expect(await update({ rate_limit: "5M/5M" })).toEqual(done(23.6, 1));
    expect(await update({ reseller_price: "", name: "Home" })).toEqual(done(23.6, 1));
    expect((await call(app, "GET get/1")).body).toMatchObject({
      name: "Home",
      price: 23.6,
      reseller_price: null,
      rate_limit: "5M/5M",
      duration: 1,
    });
    const auditLog = app.db.$client
      .query<{ before: string; after: string }, []>(
        "SELECT before, after FROM audit_entries ORDER BY id DESC LIMIT 1",
      )
      .get();
    expect(JSON.parse(auditLog?.before ?? "")).toMatchObject({
      price: "23.60",
      reseller_price: "18.00",
      name: "Home 1",
    });
    expect(JSON.parse(auditLog?.after ?? "")).toMatchObject({
      price: "23.60",
      reseller_price: null,
      name: "Home",
    });
  });

  test("lowering the price below what resellers pay is refused, unless that goes with it", async () => {
    using app = await withTax();
    app.db.$client.run("UPDATE packages SET reseller_price = 1200 WHERE id = 1");
    expect(await call(app, "POST update", { form: { id: 1, price: 11 } })).toEqual({
      status: 400,
      body: fault({ reseller_price: ["must not be above the price, which is 11.00"] }),
    });
    expect((await call(app, "POST update", { form: { id: 1, price: 11, reseller_price: 9 } })).status).toBe(
      200,
    );
    app.db.$client.run("UPDATE packages SET price = 100, reseller_price = 1200 WHERE id = 1");
    expect((await call(app, "POST update", { form: { id: 1, name: "As it came" } })).status).toBe(200);
  });

  test("is applied to its holders by a call, which counts before it does", async () => {
    using app = await withTenants({ routers: new RecordedRouters() });
    openSession(app, 1);
    await call(app, "POST update", { form: { id: 1, rate_limit: "5M/5M" } });
    const none = { changed: 0, ended: 0, unchanged: 0, left: 0, refused: 0 };
    expect(await call(app, "POST apply", { form: { id: 1, dry_run: 1 } })).toEqual({
      status: 200,
      body: { changed: 1, sessions: { ...none, left: 1 }, failures: [] },
    });
    const { status, body } = await call(app, "POST apply", { form: { id: 1 } });
    expect([status, body]).toEqual([200, { changed: 1, sessions: { ...none, changed: 1 }, failures: [] }]);
    expect(app.db.$client.query("SELECT rate_limit FROM services WHERE subscriber_id = 1").get()).toEqual({
      rate_limit: "5M/5M",
    });
    expect(await call(app, "POST apply", { form: { id: 1 } })).toMatchObject({ body: { changed: 0 } });
  });

  test("is applied over a connection that goes on after it", async () => {
    using app = await withTenants({ routers: new RecordedRouters() });
    const server = listen(app.app, { hostname: "127.0.0.1", port: 0 });
    for (const _ of [1, 2]) {
      const response = await fetch(`http://${server.address}${PACKAGE}/apply`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(basic)}` },
        body: new URLSearchParams({ id: "1", dry_run: "1" }),
      });
      expect([response.status, await response.json()]).toMatchObject([200, { changed: 0 }]);
    }
    await server.stop(0);
  });

  test("disabled, it is not sold; enabled, it is", async () => {
    using app = await withTenants();
    const sale = () =>
      app.call("POST", "/api/v1/activation/activate", { basic, form: { user_id: 1, package_id: 1 } });
    expect(await call(app, "POST disable", { form: { id: 1 } })).toEqual({
      status: 200,
      body: { success: "Package disabled." },
    });
    expect((await sale()).status).toBe(422);
    expect((await call(app, "POST enable", { form: { id: 1 } })).body).toEqual({
      success: "Package enabled.",
    });
    expect((await sale()).status).toBe(200);
  });
});

test("only a package that nobody has and nobody had is deleted", async () => {
  using app = await withTenants();
  expect(await call(app, "DELETE delete/2")).toEqual({ status: 200, body: { success: "Package deleted." } });
  await call(app, "POST create", { form: { ...needed, price: 1 } });
  app.db.$client.run("UPDATE subscribers SET package_id = 10 WHERE id = 2");
  expect(await call(app, "DELETE delete/10")).toEqual({
    status: 400,
    body: {
      error:
        "the package Home 12 is in the profile of subscribers (1); give them another one first, or disable it",
    },
  });
  activate(app.db, by, { subscriberId: 2, packageId: 10 }, { now: app.clock.now });
  expect(await call(app, "DELETE delete/10")).toEqual({
    status: 400,
    body: {
      error:
        "the package Home 12 was sold: invoices (1), services (1), subscribers (1); disable it, so that nobody else gets it",
    },
  });
});

test("the list narrows by name, state and kind", async () => {
  using app = await withTenants();
  app.db.$client.run("UPDATE packages SET status = 0 WHERE id = 2");
  const ids = async (query: string) => {
    const { body } = await call(app, `GET list?${query}`);
    return Array.isArray(body) ? body.map(({ id }) => id) : body;
  };
  expect(await ids("status=0")).toEqual([2]);
  expect(await ids("name=Home%201")).toEqual([1]);
  expect(await ids("billing_type=postpaid&status=1")).toEqual([]);
  expect(await ids("sort=-name")).toEqual([2, 1]);
});
