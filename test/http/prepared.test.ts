import { expect, spyOn, test } from "bun:test";
import { credit } from "../../src/domain/billing/credit.ts";
import { by } from "../support/isp.ts";
import { callers, openSession, withTenants } from "../support/tenants.ts";

const calls: [path: string, form: Record<string, unknown> | null][] = [
  ["/api/v1/subscriber/get/1", null],
  ["/api/v1/subscriber/usage/1", null],
  ["/api/v1/subscriber/notes/1", null],
  ["/api/v1/subscriber/list", null],
  ["/api/v1/subscriber/list?profile_status=active&connection_status=online&limit=1", null],
  ["/api/v1/role/list", null],
  ["/api/v1/role/permissions/1", null],
  ["/api/v1/activation/activate", { user_id: 1, package_id: 1 }],
];
test.each(calls)("a second call of %s builds no query and compiles no statement", async (path, form) => {
  using app = await withTenants();
  openSession(app, 1);
  credit(app.db, by, { subscriberId: 1, amount: 100_000 }, { now: app.clock.now });
  const built = spyOn(app.db.$client, "prepare"); // the query builder's way
  const asked = spyOn(app.db.$client, "query");
  const statements = async () => {
    app.clock.now += 130;
    asked.mockClear();
    const { status } = form
      ? await app.call("POST", path, { basic: callers.reseller, form })
      : await app.call("GET", path, { basic: callers.reseller });
    expect(status).toBe(200);
    return asked.mock.results.map(({ value }) => value);
  };
  await statements(); // verifies the password too
  const first = await statements();
  built.mockClear();
  const second = await statements();
  expect(first.length).toBeGreaterThan(2);
  expect(second.filter((statement) => !first.includes(statement))).toEqual([]);
  expect(built).not.toHaveBeenCalled();
});
