import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { loginLog } from "../../../../src/domain/service/access/log.ts";
import { listInvoices } from "../../../../src/domain/money/invoices/find.ts";
import { listPayments } from "../../../../src/domain/money/payments/find.ts";
import { reportGrowth } from "../../../../src/domain/around/reports/growth.ts";
import { reportDebtors, reportOwed } from "../../../../src/domain/around/reports/owed.ts";
import { reportTopUsers } from "../../../../src/domain/around/reports/top-users.ts";
import { sessionLog } from "../../../../src/domain/service/sessions/log.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { cli } from "../../../support/people.ts";
import { NOW } from "../../../support/store.ts";
import { callers, openSession, refuseLogin, type Tenants, withTenants } from "../../../support/tenants.ts";

const page = { before: Number.MAX_SAFE_INTEGER, limit: 100 };
const range = { from: NOW - 86_400, to: NOW + 86_400 };

/** What an account sees of the books, sessions and decisions. */
const views: readonly (readonly [string, (db: Db, by: Actor) => readonly object[]])[] = [
  ["owed", (db, by) => reportOwed(db, by, {}, { now: NOW }).rows],
  ["debtors", (db, by) => reportDebtors(db, by, { limit: 10 }, { now: NOW }).rows],
  ["who used the most", (db, by) => reportTopUsers(db, by, { per: "month", at: NOW, limit: 10 }).rows],
  [
    "who joined",
    (db, by) => reportGrowth(db, by, range).rows.map(({ ispId, joined }) => ({ ispId, joined })),
  ],
  ["invoices", (db, by) => listInvoices(db, by, {}, page)],
  ["payments", (db, by) => listPayments(db, by, {}, page)],
  ["sessions", (db, by) => sessionLog(db, by, {}, page)],
  ["decisions", (db, by) => loginLog(db, by, {}, page)],
];
const scopes: readonly (readonly [string, Actor["scope"]])[] = [
  ["the ISP", { ispId: 1, branchId: null, salespersonId: null }],
  ["a branch", { ispId: 1, branchId: 11, salespersonId: null }],
  ["a reseller", { ispId: 1, branchId: null, salespersonId: 2 }],
];

describe("of who was archived the books, sessions and decisions stay", () => {
  let app: Tenants;
  const seen = new Map<string, readonly object[]>();
  const each = scopes.flatMap(([whose, scope]) =>
    views.map(([what, see]) => [what, whose, see, scope] as const),
  );
  const actor = (scope: Actor["scope"]): Actor => ({ ...cli, scope });

  beforeAll(async () => {
    app = await withTenants();
    const { $client } = app.db;
    openSession(app, 1);
    refuseLogin(app.db);
    const basic = callers.admin;
    const post = async (path: string, form: Record<string, unknown>) =>
      expect(
        (await app.call("POST", `/api/v1/${path}`, { basic, form: { user_id: 1, ...form } })).status,
      ).toBe(200);
    await post("payment/take", { amount: 10, method: "cash" });
    await post("activation/activate", { package_id: 1 });
    await post("wallet/adjust", { amount: 200, direction: "down", reason: "a lost router" });
    $client.run(
      "INSERT INTO usage_months (month, subscriber_id, input_octets, output_octets) VALUES (203001, 1, 5, 6)",
    );
    for (const [what, whose, see, scope] of each) seen.set(`${what} ${whose}`, see(app.db, actor(scope)));
    $client.run(`UPDATE subscribers SET archived_at = ${NOW}, status = 0 WHERE id = 1`);
  });
  afterAll(() => app[Symbol.dispose]());
  /** All but that, and when, somebody was archived. */
  const booked = (rows: unknown) =>
    JSON.parse(JSON.stringify(rows, (name, value) => (name === "archivedAt" ? undefined : value)));

  test.each(each)("%s, for %s", (what, whose, see, scope) => {
    const before = seen.get(`${what} ${whose}`) ?? [];
    expect(before).not.toEqual([]);
    expect(booked(see(app.db, actor(scope)))).toEqual(booked(before));
  });

  test.each(scopes)("who left counts as such for %s", (_, scope) => {
    expect(reportGrowth(app.db, actor(scope), range).rows).toMatchObject([{ left: 1 }]);
  });
});
