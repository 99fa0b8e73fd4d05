import { expect, test } from "bun:test";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const events = ({ db }: Tenants) =>
  db.$client
    .query<{ isp: number | null; account: string; source: string }, []>(
      "SELECT isp_id AS isp, data ->> 'account' AS account, data ->> 'source' AS source FROM events WHERE type = 'login.locked'",
    )
    .all();

const basic = (account: string) => (app: Tenants) =>
  app.call("GET", "/api/v1/role/list", { basic: `${account}:wrong-${Math.random()}` });
const form = (path: string, fields: object) => (app: Tenants) =>
  app.call("POST", path, { json: { ...fields, password: `wrong-${Math.random()}` } });

test.each([
  ["HTTP Basic", basic("ada"), { isp: 1, account: "ada" }],
  ["HTTP Basic with an e-mail address", basic("ada@isp.example"), { isp: 1, account: "ada" }],
  ["the login of staff", form("/api/v1/users/login", { email: "ada" }), { isp: 1, account: "ada" }],
  ["the app", form("/api/v1/subscriber/login", { username: "USER1" }), { isp: 1, account: "user1" }],
  ["a name that is nobody's", basic("my-pass-word"), { isp: null, account: "an unknown name" }],
])("who tries passwords by %s until it has to wait is told once", async (_, attempt, expected) => {
  using app = await withTenants();
  let refused = 0;
  for (let nth = 0; nth < 15; nth++) if ((await attempt(app)).status === 429) refused++;
  expect(refused).toBeGreaterThan(2);
  await Promise.resolve();
  expect(events(app)).toEqual([expect.objectContaining(expected)]);
  expect(JSON.stringify(app.db.$client.query("SELECT data, due_key FROM events").all())).not.toMatch(
    /wrong-|my-pass-word/,
  );
});

test("who signs in rightly is not told", async () => {
  using app = await withTenants();
  for (let nth = 0; nth < 15; nth++) await app.call("GET", "/api/v1/role/list", { basic: callers.admin });
  expect(events(app)).toEqual([]);
});
