import { describe, expect, test } from "bun:test";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { write } from "../../db/open.ts";
import * as schema from "../../db/schema.ts";
import { lastChange, noteBooked } from "../../src/domain/machine/access-boxes/book-changes.ts";
import { beginMarking } from "../../src/domain/machine/access-boxes/publishing.ts";
import { booked, MoneyWait, ONLY_HERE } from "../../src/domain/machine/access-boxes/money-waits.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { by } from "../support/isp.ts";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

/** Books of which a stream is kept, and an answer waits for it. */
async function waiting(): Promise<Tenants> {
  const app = await withTenants();
  write(app.db, beginMarking);
  changeSetting(app.db, by, { key: "money_waits", value: "true" }, { now: app.clock.now });
  return app;
}

const take = (app: Tenants, key?: string) =>
  app.call("POST", "/api/v1/payment/take", {
    basic: callers.admin,
    form: { user_id: 1, amount: 5, method: "cash" },
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });
const success = expect.stringContaining(`, ${ONLY_HERE}.`);

describe("money that the other machine does not have", () => {
  test("is said in the answer, also where a key repeats the call", async () => {
    using app = await waiting();
    expect(await take(app, "k")).toMatchObject({ status: 200, body: { success } });
    expect(await take(app, "k")).toMatchObject({ status: 200, body: { success } });
    noteBooked(app.db, lastChange(app.db));
    expect(await take(app, "k")).toMatchObject({
      status: 200,
      body: { success: expect.not.stringContaining(ONLY_HERE) },
    });
  });

  test("is waited for no longer than until it has it", async () => {
    using app = await waiting();
    const answer = take(app);
    const hasIt = setInterval(() => noteBooked(app.db, lastChange(app.db)), 20);
    expect(await answer).toMatchObject({ body: { success: expect.not.stringContaining(ONLY_HERE) } });
    clearInterval(hasIt);
  });

  test("of an operation without a key is said too", async () => {
    using app = await waiting();
    const arrived = {
      external_id: "T-1",
      provider: "desk",
      amount: 5,
      currency: "USD",
      user_id: 1,
      paid_at: "2030-01-15 12:00:00",
    };
    const answer = await app.call("POST", "/api/v1/payment/receive", { basic: callers.admin, form: arrived });
    expect(answer).toMatchObject({ status: 200, body: { success } });
  });
});

describe("a request", () => {
  test("that moves none waits for nothing, whatever the stream lacks", async () => {
    using app = await waiting();
    const money = new MoneyWait(app.db);
    app.db.$client.run("UPDATE subscribers SET name = 'Ann' WHERE id = 1");
    expect(await money.words()).toBeUndefined();
  });

  test("that moves some is told once, however often it asks", async () => {
    using app = await waiting();
    const money = new MoneyWait(app.db);
    const paid = take(app);
    const requests = [paid.then(() => money.words()), paid.then(() => money.words())];
    expect(await Promise.all(requests)).toEqual([ONLY_HERE, ONLY_HERE]);
  });

  test("waits for nothing where nobody asked for it", async () => {
    using app = await withTenants();
    write(app.db, beginMarking);
    const money = new MoneyWait(app.db);
    expect(await take(app)).toMatchObject({ body: { success: expect.not.stringContaining(ONLY_HERE) } });
    expect(await money.words()).toBeUndefined();
  });
});

test("no table of amounts is forgotten", () => {
  /** Sums of what is booked. */
  const sums = new Set(["ledger_days", "ledger_months"]);
  const ofAmounts = Object.values(schema)
    .filter((one) => one instanceof SQLiteTable)
    .map(getTableConfig)
    .filter(({ name, columns }) => !sums.has(name) && columns.some((column) => column.name === "amount"))
    .map(({ name }) => name);
  expect(ofAmounts.length).toBeGreaterThan(3);
  expect(ofAmounts.filter((name) => !booked.includes(name))).toEqual([]);
});
