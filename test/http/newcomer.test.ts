import { expect, test } from "bun:test";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

/** Subscriber 1, as another system gave it: without numbers, and without a kind of connection. */
async function newcomer(): Promise<Tenants> {
  const app = await withTenants();
  app.db.$client.run(
    "UPDATE subscribers SET any_connection = 1, nic_number = NULL, mobile_number = NULL WHERE id IN (1, 2)",
  );
  return app;
}

const basic = callers.admin;
const ask = async (app: Tenants, path: string) =>
  (await app.call("GET", `/api/v1/subscriber/${path}`, { basic })).body;
const update = (app: Tenants, json: object) =>
  app.call("POST", "/api/v1/subscriber/update", { basic, json: { username: "user1", ...json } });

test("what a newcomer lacks is null in its record, and lists leave nobody out", async () => {
  using app = await newcomer();
  const lacking = { nic_number: null, mobile_number: null, any_connection: 1 };
  expect(await ask(app, "get/1")).toMatchObject(lacking);
  expect(await ask(app, "list?limit=2")).toMatchObject([
    { id: 1, ...lacking },
    { id: 2, ...lacking },
  ]);
  expect(await ask(app, "list?mobile=null")).toEqual([]);
  expect(await ask(app, "list?nic=0")).toEqual([]);
  const { body } = await app.call("POST", "/api/v1/subscriber/login", {
    json: { username: "user1", password: "pw-1" },
  });
  expect(body).toMatchObject({ data: { subscriber: { phone: "" } } });
});

test("other fields change without the numbers that are missing; set to nothing they are refused, two at once too", async () => {
  using app = await newcomer();
  expect(await update(app, { address: "1 Quay" })).toMatchObject({ status: 200 });
  for (const nothing of ["", null])
    expect(await update(app, { nic_number: nothing, mobile_number: nothing })).toMatchObject({
      status: 400,
      body: { errors: { nic_number: [expect.any(String)], mobile_number: [expect.any(String)] } },
    });
  expect(await update(app, { nic_number: "N-7", mobile_number: "M-7" })).toMatchObject({ status: 200 });
  expect(await ask(app, "list?mobile=M-7")).toMatchObject([{ id: 1, nic_number: "N-7" }]);
});

test.each<[string, object, number[]]>([
  [
    "the kind that it has, as a program sends every field, chooses nothing",
    { connection_type_id: 1 },
    [1, 1],
  ],
  ["another kind is a choice", { connection_type_id: 2 }, [2, 0]],
  ["the flag alone is one too", { any_connection: 0 }, [1, 0]],
  ["both are taken as they are sent", { connection_type_id: 2, any_connection: 1 }, [2, 1]],
])("of how it connects, %s", async (_, sent, expected) => {
  using app = await newcomer();
  expect(await update(app, sent)).toMatchObject({ status: 200 });
  const { connection_type_id, any_connection } = Object(await ask(app, "get/1"));
  expect([connection_type_id, any_connection]).toEqual(expected);
});

test("a newcomer renews like everybody", async () => {
  using app = await newcomer();
  app.clock.now += 200;
  app.db.$client.run("UPDATE subscribers SET any_connection = 1 WHERE id = 1");
  const { status } = await app.call("POST", "/api/v1/activation/activate", {
    basic,
    json: { user_id: 1, package_id: 1 },
  });
  expect(status).toBe(200);
});
