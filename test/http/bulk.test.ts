import { describe, expect, test } from "bun:test";
import { runBulk } from "../../src/domain/around/bulk/run.ts";
import { dueSessions } from "../../src/domain/service/enforcement/due.ts";
import { by } from "../support/isp.ts";
import { callers, emptyWallet, openSession, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const basic = callers.admin;
let keys = 0;

const preview = async ({ call }: Tenants, json: object, basic: string = callers.admin) => {
  const { status, body } = await call("POST", "/api/v1/bulk/preview", { basic, json });
  return [status, body];
};
const start = async ({ call }: Tenants, json: object, basic: string = callers.admin): Promise<unknown[]> => {
  const headers = { "idempotency-key": `key ${keys++}` };
  const { status, body } = await call("POST", "/api/v1/bulk/start", { basic, headers, json });
  return [status, body];
};
const run = ({ db, clock }: Tenants) => runBulk(db, by, { clock: () => clock.now });
const get = async ({ call }: Tenants, path: string) =>
  (await call("GET", `/api/v1/bulk/${path}`, { basic })).body;

const faulty = (name: string, message: unknown) => [
  400,
  { error: `check ${name}`, errors: { [name]: [message] } },
];

const one = { id: 1, username: "user1", name: "User 1" };
const two = { id: 2, username: "user2", name: "User 2" };

describe("a preview", () => {
  test.each([
    [{}, callers.admin, [200, { count: 2, ids: [1, 2], sample: [one, two] }]],
    [{ profile_status: "active" }, callers.admin, [200, { count: 1, ids: [1], sample: [one] }]],
    [{ package_id: "" }, callers.admin, [200, { count: 2, ids: [1, 2], sample: [one, two] }]],
    [{ ids: [2, 9, 2] }, callers.admin, [200, { count: 1, ids: [2], sample: [two] }]],
    [{ ids: [1, 2], branch_id: 11 }, callers.admin, [200, { count: 1, ids: [1], sample: [one] }]],
    [{}, callers.branch, [200, { count: 1, ids: [1], sample: [one] }]],
    [{ isp_id: 2 }, callers.admin, [200, { count: 0, ids: [], sample: [] }]],
    [{ packageid: 1 }, callers.admin, faulty("packageid", "is not a filter of this list")],
    [
      { ids: [] },
      callers.admin,
      faulty("ids", "must be 1 to 50000 ids, as a list or with commas between them"),
    ],
    [
      { ids: "1,x" },
      callers.admin,
      faulty("ids", "must be 1 to 50000 ids, as a list or with commas between them"),
    ],
  ])("of %j for %s", async (sent, caller, expected) => {
    using app = await withTenants();
    expect(await preview(app, sent, caller)).toEqual(expected);
  });

  test("of more than 50,000 is refused", async () => {
    using app = await withTenants();
    app.db.$client
      .run(`INSERT INTO subscribers (isp_id, name, username, username_key, password_sealed, package_id, connection_type_id,
        salesperson_id, nas_id, nic_number, mobile_number, status, created_at, updated_at)
      SELECT 1, 'x', 'x' || value, 'x' || value, x'', 1, 1, 1, 1, 'x' || value, 'x' || value, 1, 0, 0
      FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 49999) SELECT value FROM n)`);
    expect(await preview(app, {})).toEqual([
      400,
      { error: "more than 50000 subscribers match; narrow the filters, as by branch_id or package_id" },
    ]);
  });
});

test("what is started is done in the background, row by row, and says what came of each", async () => {
  using app = await withTenants();
  expect(await start(app, { operation: "package", ids: [2, 77, 1], package_id: 2 })).toEqual([
    200,
    { success: "Bulk operation started.", id: 1 },
  ]);
  const job = {
    id: 1,
    operation: "package",
    input: { package_id: 2 },
    started_by: "ada",
    total: 3,
    done: 0,
    refused: 1,
    waiting: 2,
    created_at: "2030-01-15 12:00:00",
    finished_at: null as string | null,
  };
  expect(await get(app, "get/1")).toEqual(job);
  app.clock.now += 5;
  expect(await run(app)).toEqual([]);
  const finished = { ...job, done: 2, waiting: 0, finished_at: "2030-01-15 12:00:05" };
  expect(await get(app, "get/1")).toEqual(finished);
  expect(await get(app, "list")).toEqual([finished]);
  expect(await get(app, "rows/1")).toEqual([
    { position: 1, user_id: 2, username: "user2", name: "User 2", result: "done", message: null },
    {
      position: 2,
      user_id: 77,
      username: null,
      name: null,
      result: "refused",
      message: "there is no subscriber 77",
    },
    { position: 3, user_id: 1, username: "user1", name: "User 1", result: "done", message: null },
  ]);
  const { body } = await app.call("GET", "/api/v1/subscriber/get/1", { basic });
  expect(body).toMatchObject({ package_id: 2, profile_status: "active" });
  // until it is renewed the service is that of its own package
  expect(app.db.$client.query("SELECT package_id FROM services WHERE subscriber_id = 1").get()).toEqual({
    package_id: 1,
  });
});

test("results are a file too, and the list narrows to what was refused", async () => {
  using app = await withTenants();
  await start(app, { operation: "area", ids: [1, 2], area_id: 2 });
  await run(app);
  const message = "area_id is not an area of this ISP";
  const file = await app.app.handle(
    new Request("http://localhost/api/v1/bulk/rows/1?result=refused", {
      headers: { authorization: `Basic ${btoa(basic)}`, accept: "text/csv" },
    }),
  );
  expect((await file.text()).split("\r\n")).toEqual([
    "position,user_id,username,name,result,message",
    `1,1,user1,User 1,refused,${message}`,
    `2,2,user2,User 2,refused,${message}`,
    "",
  ]);
  expect(await get(app, "rows/1?result=done")).toEqual([]);
  expect(await get(app, "rows/1?result=refused&sort=-position&limit=1")).toEqual([
    { position: 2, user_id: 2, username: "user2", name: "User 2", result: "refused", message },
  ]);
});

test("an outage gives days to all who have a service, and says why to the others", async () => {
  using app = await withTenants();
  const outage = { hours: 48, reason: "the storm" };
  await start(app, { operation: "extend", ids: [1, 2], ...outage });
  expect(await run(app)).toEqual([]);
  expect(await get(app, "rows/1")).toMatchObject([
    { user_id: 1, result: "done", message: null },
    {
      user_id: 2,
      result: "refused",
      message: "the subscriber was never activated; activate a package first",
    },
  ]);
  const { $client } = app.db;
  expect(
    $client
      .query(
        "SELECT subscriber_id, after - before AS seconds, trust, reason, acting_staff_id FROM extensions",
      )
      .all(),
  ).toEqual([{ subscriber_id: 1, seconds: 48 * 3600, trust: 0, reason: "the storm", acting_staff_id: 1 }]);
  const until = "2030-03-01 00:00:00";
  await start(app, { operation: "extend", ids: [1], until, reason: "the storm", trust: "1" });
  await run(app);
  expect((await app.call("GET", "/api/v1/subscriber/get/1", { basic })).body).toMatchObject({
    current_expiration_date: until,
  });
});

describe("a start is refused", () => {
  const sent = { operation: "router", ids: [1], nas_id: 1 };
  test.each<[string, object, string, unknown]>([
    ["without what it takes", { operation: "router", ids: [1] }, basic, faulty("nas_id", "is required")],
    [
      "with a field of another one",
      { ...sent, package_id: 1 },
      basic,
      faulty("package_id", "is not a field of the operation router"),
    ],
    ...[{}, { hours: 2, until: "2030-03-01 00:00:00" }].map((length): [string, object, string, unknown] => [
      `of an extension with ${JSON.stringify(length)}`,
      { operation: "extend", ids: [1], reason: "the storm", ...length },
      basic,
      [
        400,
        {
          error: "say how long: hours or until, one of both",
          errors: { hours: ["is required, or until; not both"] },
        },
      ],
    ]),
    [
      "of an extension without its reason",
      { operation: "extend", ids: [1], hours: 2 },
      basic,
      faulty("reason", "is required"),
    ],
    [
      "for an operation that there is not",
      { operation: "delete", ids: [1] },
      basic,
      faulty("operation", expect.stringContaining("must be one of enable, disable, archive")),
    ],
    ["without ids", { operation: "enable" }, basic, faulty("ids", "is required")],
    [
      "for whom the account does not see",
      sent,
      callers.otherTenant,
      [404, { error: "there are no such subscribers; take the ids of a preview" }],
    ],
  ])("%s", async (_, json, caller, expected) => {
    using app = await withTenants();
    expect<unknown>(await start(app, json, caller)).toEqual(expected);
    expect(app.db.$client.query("SELECT count(*) AS jobs FROM bulk_jobs").get()).toEqual({ jobs: 0 });
  });

  test("without the permission of the single operation, also where the key was sent before", async () => {
    using app = await withTenants();
    const headers = { "idempotency-key": "a" };
    const json = { operation: "enable", ids: [1] };
    const call = () => app.call("POST", "/api/v1/bulk/start", { basic: callers.branch, headers, json });
    expect(await call()).toMatchObject({ status: 200 });
    app.db.$client.run("UPDATE role_permissions SET value = 0 WHERE flag = 'subscriber_status'");
    expect(await call()).toMatchObject({
      status: 403,
      body: {
        error: "the permission subscriber_status is missing; ask an administrator to set it in your role",
      },
    });
  });

  test("without a key; with one that was sent before it is begun once", async () => {
    using app = await withTenants();
    const call = (headers: Record<string, string>, json: object = sent) =>
      app.call("POST", "/api/v1/bulk/start", { basic, headers, json });
    expect(await call({})).toMatchObject({
      status: 400,
      body: { error: "send an Idempotency-Key: a text of your choice, a new one for each call" },
    });
    const begun = { status: 200, body: { success: "Bulk operation started.", id: 1 } };
    expect(await call({ "idempotency-key": "a" })).toMatchObject(begun);
    expect(await call({ "idempotency-key": "a" })).toMatchObject(begun);
    expect(await call({ "idempotency-key": "a" }, { ...sent, ids: [2] })).toMatchObject({ status: 409 });
    expect(await get(app, "list")).toMatchObject([{ id: 1, total: 1 }]);
  });
});

test("50,000 ids fit into a call", async () => {
  using app = await withTenants();
  const ids = Array.from({ length: 50_000 }, (_, index) => 10_000_000 + index);
  expect(await start(app, { operation: "enable", ids: [1, ...ids] })).toMatchObject([400, {}]);
  expect(await start(app, { operation: "enable", ids: [1, ...ids.slice(1)] })).toMatchObject([
    200,
    { id: 1 },
  ]);
  expect(await get(app, "get/1")).toMatchObject({ total: 50_000, refused: 49_999, waiting: 1 });
});

test("who has money in the wallet is not archived, and the others keep their names in the result", async () => {
  using app = await withTenants();
  emptyWallet(app.db, 1);
  await start(app, { operation: "archive", ids: [1, 2] });
  await run(app);
  expect(await get(app, "rows/1")).toMatchObject([
    { username: "user1", result: "done", message: null },
    { username: "user2", result: "refused", message: expect.stringContaining("holds 100.00; hand it back") },
  ]);
  expect(await preview(app, {})).toMatchObject([200, { ids: [2] }]);
  expect(await preview(app, { archived: 1 })).toEqual(faulty("archived", "is not a filter of this list"));
});

test("who is disabled so has an open session that is due to be ended", async () => {
  using app = await withTenants();
  openSession(app, 1);
  await start(app, { operation: "disable", ids: [1, 2] });
  await run(app);
  expect(await get(app, "get/1")).toMatchObject({ done: 2, refused: 0, waiting: 0 });
  expect(
    (await app.call("GET", "/api/v1/subscriber/list?profile_status=disabled", { basic })).body,
  ).toHaveLength(2);
  expect(dueSessions(app.db, app.clock.now).map(({ subscriberId }) => subscriberId)).toEqual([1]);
});
