import { describe, expect, test } from "bun:test";
import { once } from "../../src/domain/core/once/once.ts";
import { by } from "../support/isp.ts";
import type { Sent } from "../support/http.ts";
import { callers, sam, stateOf, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const ACTIVATE = "/api/v1/activation/activate";
const HOUR = 3600;
const renewal = { user_id: 1, package_id: 1 };

const activate = (app: Tenants, key: string | undefined, sent: Sent = { form: renewal }) =>
  app.call("POST", ACTIVATE, {
    basic: callers.admin,
    ...sent,
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });

const balance = ({ db }: Tenants) =>
  db.$client
    .query<{ balance: number }, []>(
      "SELECT balance_after AS balance FROM ledger_entries WHERE subscriber_id = 1 ORDER BY id DESC LIMIT 1",
    )
    .get()?.balance;
const keys = ({ db }: Tenants) =>
  db.$client.query<{ key: string }, []>("SELECT key FROM idempotency_keys ORDER BY key").all();

test("the same key and body get the first answer again, and nothing is done", async () => {
  using app = await withTenants();
  const first = await activate(app, "till-1");
  expect(first).toMatchObject({
    status: 200,
    body: { success: "Subscriber activated.", amount_charged: 15 },
  });
  const after = stateOf(app);
  app.clock.now += 300; // when another activation would pass
  const again = await activate(app, "till-1");
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
  expect(stateOf(app)).toEqual(after);
  expect(balance(app)).toBe(8500);
});

test("without a key, or with another one, each call is one of its own", async () => {
  using app = await withTenants();
  for (const [key, left] of [
    [undefined, 8500],
    ["a", 7000],
    ["b", 5500],
    [undefined, 4000],
  ] as const) {
    expect((await activate(app, key)).status).toBe(200);
    expect(balance(app)).toBe(left);
    app.clock.now += 130;
  }
});

test.each<[body: string, sent: Sent, status: 200 | 409]>([
  ["another package", { form: { ...renewal, package_id: 2 } }, 409],
  ["another subscriber", { form: { ...renewal, user_id: 2 } }, 409],
  ["a field more", { form: { ...renewal, isp_id: 1 } }, 409],
  ["the fields in another order", { form: { package_id: 1, user_id: 1 } }, 200],
  ["the same as JSON", { json: renewal }, 200],
  ["the same as JSON of text", { json: { user_id: "1", package_id: "1" } }, 200],
])("the key of a form, sent with %s", async (_, sent, status) => {
  using app = await withTenants();
  const first = await activate(app, "k");
  const after = stateOf(app);
  app.clock.now += 300;
  const error = "the Idempotency-Key was sent before with another body; take a new one";
  expect(await activate(app, "k", sent)).toMatchObject({
    status,
    body: status === 200 ? first.body : { error },
  });
  expect(stateOf(app)).toEqual(after);
});

test("a refusal keeps nothing: the same key is tried again", async () => {
  using app = await withTenants();
  app.db.$client.run("UPDATE packages SET status = 0 WHERE id = 1");
  expect((await activate(app, "k")).status).toBe(422);
  expect(keys(app)).toEqual([]);
  app.db.$client.run("UPDATE packages SET status = 1 WHERE id = 1");
  expect((await activate(app, "k")).status).toBe(200);
  expect((await activate(app, "too soon")).status).toBe(429);
  expect(keys(app)).toEqual([{ key: "k" }]);
});

test("another account may use the same key", async () => {
  using app = await withTenants();
  const first = await activate(app, "k");
  app.clock.now += 130;
  const second = await activate(app, "k", { basic: callers.branch, form: renewal });
  expect(second.status).toBe(200);
  expect(second.body).not.toEqual(first.body);
  expect(balance(app)).toBe(7000);
});

test.each([
  [48 * HOUR - 1, 8500],
  [48 * HOUR, 7000],
])("after %d s, the key stands for the first answer or is forgotten", async (seconds, left) => {
  using app = await withTenants();
  await activate(app, "k");
  app.clock.now += seconds;
  expect((await activate(app, "k")).status).toBe(200);
  expect(balance(app)).toBe(left);
});

test.each(["", "k".repeat(101), "schlüssel", "tab\there"])("the key %j is none", async (key) => {
  using app = await withTenants();
  const before = stateOf(app);
  expect(await activate(app, key)).toMatchObject({
    status: 400,
    body: { error: "the Idempotency-Key must be 1 to 100 printable ASCII characters" },
  });
  expect(stateOf(app)).toEqual(before);
});

test("a key of 100 characters is one", async () => {
  using app = await withTenants();
  expect((await activate(app, "k".repeat(100))).status).toBe(200);
});

test("of two at the same moment one is done, and both get its answer", async () => {
  using app = await withTenants();
  const [one, other] = await Promise.all([activate(app, "k"), activate(app, "k")]);
  expect([one?.status, other?.status, other?.body]).toEqual([200, 200, one?.body]);
  expect(balance(app)).toBe(8500);
});

describe("the answer is not given again to an account", () => {
  test.each([
    [
      "that lost its permission",
      "UPDATE role_permissions SET value = 0 WHERE flag = 'subscriber_activate'",
      403,
    ],
    ["that is of another branch now", "UPDATE staff SET branch_id = 12 WHERE username = 'mia'", 404],
    ["that is disabled", "UPDATE staff SET status = 0 WHERE username = 'mia'", 403],
    ["whose subscriber moved away", "UPDATE subscribers SET branch_id = 12 WHERE id = 1", 404],
  ])("%s", async (_, sql, status) => {
    using app = await withTenants();
    const sent = { basic: callers.branch, form: renewal };
    expect((await activate(app, "k", sent)).status).toBe(200);
    app.db.$client.run(sql);
    const answer = await activate(app, "k", sent);
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } });
    expect(JSON.stringify(answer.body)).not.toContain("new_expiration");
  });
});

test("a key is of one path: what is done at another is its own", async () => {
  using app = await withTenants();
  const keyed = { key: "k", input: { amount: 1 } };
  const done: string[] = [];
  const call = (path: string) =>
    once(app.db, by, { path, ...keyed }, { now: app.clock.now }, () => () => {
      done.push(path);
      return { path };
    });
  expect([call("/a"), call("/b"), call("/a")]).toEqual([{ path: "/a" }, { path: "/b" }, { path: "/a" }]);
  expect(done).toEqual(["/a", "/b"]);
});

test.each<[path: string, json: object]>([
  ["subscriber/create", sam],
  ["subscriber/note_add", { user_id: 1, note: "Called about the speed" }],
  [
    "package/create",
    { name: "Day", net_price: 5, billing_type: "prepaid", duration: 1, duration_unit: "day" },
  ],
  ["area/create", { name: "West" }],
  ["role/create", { name: "Night" }],
])("%s with a key makes one row, however often it comes", async (path, json) => {
  using app = await withTenants();
  const create = () =>
    app.call("POST", `/api/v1/${path}`, { basic: callers.admin, json, headers: { "idempotency-key": "k" } });
  const first = await create();
  const after = stateOf(app);
  const again = await create();
  expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([
    200,
    first.body,
    "true",
  ]);
  expect(stateOf(app)).toEqual(after);
});

test("a read takes no notice of a key", async () => {
  using app = await withTenants();
  const read = () =>
    app.call("GET", "/api/v1/subscriber/get/1", {
      basic: callers.admin,
      headers: { "idempotency-key": "tab\there" },
    });
  expect((await read()).status).toBe(200);
  app.db.$client.run("UPDATE subscribers SET name = 'New' WHERE id = 1");
  const { body, headers } = await read();
  expect(body).toMatchObject({ name: "New" });
  expect(headers.get("idempotent-replayed")).toBeNull();
  expect(keys(app)).toEqual([]);
});
