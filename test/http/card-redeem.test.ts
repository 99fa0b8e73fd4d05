import { afterEach, beforeEach, expect, test } from "bun:test";
import { readBalance } from "../../src/domain/core/amounts/balance.ts";
import { RecordedRouters } from "../support/recorded-routers.ts";
import { cardOf } from "../support/redeem-cards.ts";
import { callers, openSession, type Tenants, withTenants } from "../support/tenants.ts";

let app: Tenants;
beforeEach(async () => {
  app = await withTenants();
  app.clock.now += 600;
});
afterEach(() => app[Symbol.dispose]());

const basic = callers.admin;
const balance = () => readBalance(app.db, { subscriberId: 1 });
const ask = (what: "preview" | "redeem", code: string, key?: string) =>
  app.call("POST", `/api/v1/card/${what}`, {
    basic,
    json: { user_id: 1, code },
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });

test("a program sees what a card does and redeems it once for its key", async () => {
  const code = cardOf(app.db);
  const before = balance();
  const does = { card: "C-000001", credited: 10, package_name: null, new_expiration: null };
  expect(await ask("preview", code)).toMatchObject({
    status: 200,
    body: { ...does, ends: null, balance: before / 100, balance_after: before / 100 + 10 },
  });
  for (const _ of [1, 2])
    expect(await ask("redeem", code, "k1")).toMatchObject({
      status: 200,
      body: { success: "Card C-000001 redeemed.", ...does, balance: before / 100 + 10, invoice_id: null },
    });
  expect(balance()).toBe(before + 1000);
  expect(await ask("redeem", code)).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining("was used before") },
  });
  expect(JSON.stringify(app.db.$client.query("SELECT * FROM idempotency_keys").all())).not.toContain(code);
});

test("a package card says until when the line runs", async () => {
  const { status, body } = await ask("redeem", cardOf(app.db, { kind: "package", package_id: 1 }));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    new_expiration: expect.stringMatching(/^20\d\d-/),
    invoice_id: expect.any(Number),
    session: expect.any(String),
  });
});

test("of a top-up the router that counts the volume hears the new bound", async () => {
  const routers = new RecordedRouters();
  using at = await withTenants({ routers });
  openSession(at, 1);
  at.db.$client.run("UPDATE sessions SET accepted_as = 'accepted', input_octets = 700, output_octets = 300");
  at.db.$client.run("UPDATE services SET quota_total = 5000, quota_used = 1000 WHERE subscriber_id = 1");
  at.db.$client.run("UPDATE packages SET top_up_bytes = 2000 WHERE id = 1");
  const code = cardOf(at.db, { kind: "package", package_id: 1 });
  const { status, body } = await at.call("POST", "/api/v1/card/redeem", {
    basic,
    json: { user_id: 1, code },
  });
  expect([status, body]).toMatchObject([200, { success: "Card C-000001 redeemed." }]);
  // 1,000 are carried, and 6,000 of 7,000 are left
  expect(routers.take().filter((requests) => requests.includes("limit"))).toEqual([
    expect.stringMatching(/^rate S1 .*limit 7000$/),
  ]);
});

test("five wrong codes a minute of one account, then none is looked at", async () => {
  const code = cardOf(app.db);
  for (let nth = 0; nth < 5; nth++)
    expect(await ask("preview", `NO${nth}`)).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining("no card with this code") },
    });
  const { status, body, headers } = await ask("redeem", code);
  expect({ status, body }).toMatchObject({
    status: 429,
    body: { error: expect.stringContaining("too many wrong codes of cards") },
  });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(app.db.$client.query("SELECT state FROM cards").all()).toEqual([{ state: "new" }]);
});
