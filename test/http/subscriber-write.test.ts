import { describe, expect, test } from "bun:test";
import { auditEntries } from "../../db/schema.ts";
import { desc } from "drizzle-orm";
import type { Received, Sent } from "../support/http.ts";
import { callers, openSession, sam, stateOf, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const CREATE = "/api/v1/subscriber/create";
const UPDATE = "/api/v1/subscriber/update";
const basic = callers.admin;

const required = { ...sam, username: "Sam" };
const optional = {
  branch_id: 11,
  phone_number: "P-sam",
  email: "Sam@Customers.Example",
  address: "1 Harbour Road\nRiverton",
  city_id: 1,
  area_id: 1,
  subarea_id: 1,
  latitude: 51.5,
  longitude: -0.12,
  box_number: "B1",
  box_address: "Corner",
  uplink_port: "U1",
  fiber_code: "F1",
  fiber_color: "blue",
  switch_board: "S1",
  switch_port: "7",
  backup_connection: "LTE",
  electricity_socket: "E1",
  cable_type: "CAT6",
  static_ip: "10.0.0.7",
  framed_ipv6_prefix: "2001:db8:1::/64",
  delegated_ipv6_prefix: "2001:db8:2::/56",
  mac_login: 1,
  sms_status: 1,
};

const missing = ["is required"];
const taken = ["is taken by another subscriber"];

async function read(app: Tenants, id: unknown): Promise<unknown> {
  return (await app.call("GET", `/api/v1/subscriber/get/${id}`, { basic: callers.operator })).body;
}

function idOf({ body }: Received): number {
  return typeof body === "object" && body && "id" in body ? Number(body.id) : 0;
}

function newestAudit({ db }: Tenants) {
  return db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1).get();
}

test("a program that puts two on one port of a box is told so, and not refused", async () => {
  using app = await withTenants();
  const post = async (path: string, json: object) =>
    (await app.call("POST", `/api/v1/subscriber/${path}`, { basic, json })).body;
  const port = { box_number: "B-77", uplink_port: "3" };
  const first = { ...required, ...port };
  expect(await post("create", first)).toEqual({ success: "Subscriber created.", id: 10 });
  const other = { username: "other", nic_number: "N-other", mobile_number: "+4470000099" };
  const note = `Port 3 of B-77 is that of ${required.name} too.`;
  expect(await post("create", { ...first, ...other })).toEqual({
    success: `Subscriber created. ${note}`,
    id: 11,
  });
  expect(await post("update", { username: "other", ...port })).toEqual({
    success: `Subscriber updated. ${note}`,
  });
  expect(await post("update", { username: "other", address: "Quay 1" })).toEqual({
    success: "Subscriber updated.",
  });
  expect(await post("plant", { user_id: 11, ...port })).toEqual({ success: `Plant saved. ${note}` });
});

describe("create", () => {
  const bodies: [name: string, sent: (fields: object) => Sent][] = [
    ["a form", (fields) => ({ form: { ...fields } })],
    ["JSON", (json) => ({ json })],
    [
      "multipart",
      (fields) => {
        const body = new FormData();
        for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
        return { body };
      },
    ],
  ];
  test.each(bodies)("with every field, by %s: a profile, and no service", async (_name, sent) => {
    using app = await withTenants();
    const answer = await app.call("POST", CREATE, { basic, ...sent({ ...required, ...optional }) });
    expect(answer.body).toEqual({ success: "Subscriber created.", id: 10 });
    expect(answer.status).toBe(200);
    expect(await read(app, 10)).toMatchObject({
      ...required,
      ...optional,
      area_data: {
        area: { id: 1, name: "East" },
        subarea: { id: 1, name: "Block 4" },
        city: { id: 1, name: "Riverton" },
      },
      mac_address: null,
      mac_lock: 0,
      balance: 0,
      billing_type: "prepaid",
      profile_status: "inactive",
      connection_status: "offline",
      current_expiration_date: null,
    });
  });

  test("with what is required alone, the optional sent empty as a web form does", async () => {
    using app = await withTenants();
    const empty = Object.fromEntries(Object.keys(optional).map((name) => [name, ""]));
    const answer = await app.call("POST", CREATE, { basic, form: { ...required, ...empty } });
    expect(answer.status).toBe(200);
    expect(await read(app, idOf(answer))).toMatchObject({
      branch_id: 0,
      email: null,
      latitude: null,
      sms_status: 0,
    });
    const another = { ...required, username: "B", nic_number: "NB", mobile_number: "MB", ...empty };
    expect((await app.call("POST", CREATE, { basic, form: another })).status).toBe(200);
  });

  test("numbers of JSON stand for their digits", async () => {
    using app = await withTenants();
    const json = { ...required, username: 4711, mobile_number: 15550100, password: 9007199254740991 };
    const answer = await app.call("POST", CREATE, { basic, json });
    expect(await read(app, idOf(answer))).toMatchObject({
      username: "4711",
      mobile_number: "15550100",
      password: "9007199254740991",
    });
  });

  const cases: { name: string; fields: object; errors: Record<string, unknown> }[] = [
    {
      name: "nothing, every required field at once",
      fields: Object.fromEntries(Object.keys(required).map((name) => [name, ""])),
      errors: Object.fromEntries(Object.keys(required).map((name) => [name, missing])),
    },
    { name: "a username in another case", fields: { username: "USER1" }, errors: { username: taken } },
    {
      name: "the username of another tenant's",
      fields: { username: "user9" },
      errors: { username: taken },
    },
    {
      name: "every unique field at once",
      fields: {
        username: "u-unique",
        nic_number: "N-unique",
        mobile_number: "M-unique",
        phone_number: "P-unique",
        email: "E@UNIQUE.example",
      },
      errors: {
        username: taken,
        nic_number: taken,
        mobile_number: taken,
        phone_number: taken,
        email: taken,
      },
    },
    {
      name: "references that point nowhere, each named",
      fields: {
        branch_id: 99,
        package_id: 99,
        nas_id: 99,
        salesperson_id: 99,
        city_id: 99,
        area_id: 99,
        subarea_id: 99,
        connection_type_id: 6,
      },
      errors: {
        branch_id: ["is not a branch of this ISP"],
        package_id: ["is not a package of this ISP"],
        nas_id: ["is not a NAS of this ISP"],
        salesperson_id: ["is not an Admin or Reseller of this ISP"],
        city_id: ["is not a city of this ISP"],
        area_id: ["is not an area of this ISP"],
        subarea_id: ["is not a subarea of this ISP"],
        connection_type_id: ["must be a whole number from 1 to 5"],
      },
    },
    {
      name: "references into another ISP",
      fields: {
        branch_id: 21,
        package_id: 9,
        nas_id: 2,
        salesperson_id: 8,
        city_id: 2,
        area_id: 2,
        subarea_id: 2,
      },
      errors: {
        branch_id: [expect.any(String)],
        package_id: [expect.any(String)],
        nas_id: [expect.any(String)],
        salesperson_id: [expect.any(String)],
        city_id: [expect.any(String)],
        area_id: [expect.any(String)],
        subarea_id: [expect.any(String)],
      },
    },
    {
      name: "a salesperson who cannot be one",
      fields: { salesperson_id: 4 },
      errors: { salesperson_id: ["is not an Admin or Reseller of this ISP"] },
    },
    {
      name: "a password that PAP cannot carry",
      fields: { password: "€".repeat(43) },
      errors: {
        password: [
          "must be text of 1 to 64 characters on one line, without control characters, at most 128 bytes in UTF-8",
        ],
      },
    },
    {
      name: "malformed values, and a collision beside them",
      fields: {
        username: " sam",
        nic_number: "N1",
        email: "nobody",
        latitude: 91,
        static_ip: "10.0.0.256",
        sms_status: 2,
        password: "x".repeat(65),
      },
      errors: {
        username: [expect.any(String)],
        nic_number: taken,
        email: ["must be an e-mail address"],
        latitude: [expect.any(String)],
        static_ip: [expect.any(String)],
        sms_status: ["must be 0 or 1"],
        password: [expect.any(String)],
      },
    },
  ];
  test.each(cases)("$name: 400", async ({ fields, errors }) => {
    using app = await withTenants();
    await app.call("POST", CREATE, {
      basic,
      json: {
        ...required,
        username: "U-unique",
        nic_number: "N-unique",
        mobile_number: "M-unique",
        phone_number: "P-unique",
        email: "e@unique.example",
      },
    });
    const before = stateOf(app);
    const { status, body } = await app.call("POST", CREATE, { basic, form: { ...required, ...fields } });
    expect(body).toEqual({ error: expect.stringMatching(/^check /), errors });
    expect(status).toBe(400);
    expect(stateOf(app)).toEqual(before);
  });

  test("the operator must name an ISP that there is", async () => {
    using app = await withTenants();
    const { isp_id: _, ...rest } = required;
    for (const [isp_id, fault] of [
      [undefined, "is required"],
      ["9", "is not an ISP of this appliance"],
      ["0", "must be the whole number of an id, 1 or more"],
    ])
      expect(
        await app.call("POST", CREATE, { basic: callers.operator, json: { ...rest, isp_id } }),
      ).toMatchObject({ status: 400, body: { errors: { isp_id: [fault] } } });
  });

  test("without a proper isp_id, nobody learns which ids another ISP has", async () => {
    using app = await withTenants();
    const create = async (fields: object) => {
      const { body } = await app.call("POST", CREATE, { basic, json: { ...required, ...fields } });
      return body;
    };
    const theirs = { nas_id: 2, package_id: 9, salesperson_id: 8, branch_id: 21, city_id: 2, area_id: 2 };
    const nobodys = {
      nas_id: 99,
      package_id: 99,
      salesperson_id: 99,
      branch_id: 99,
      city_id: 99,
      area_id: 99,
    };
    for (const isp_id of [undefined, "", "x"]) {
      const body = await create({ isp_id, ...theirs });
      expect(body).toEqual(await create({ isp_id, ...nobodys }));
      expect(body).toMatchObject({ errors: { nas_id: ["is not a NAS of this ISP"] } });
    }
  });

  test("staff of a branch create in it unless they name another one: 403", async () => {
    using app = await withTenants();
    const create = (fields: object) =>
      app.call("POST", CREATE, { basic: callers.branch, form: { ...required, ...fields } });
    for (const branch_id of [12, 0])
      expect(await create({ branch_id })).toMatchObject({
        status: 403,
        body: { error: `branch_id ${branch_id} is not your branch; yours is 11` },
      });
    const created = await create({ branch_id: "" });
    expect(await read(app, idOf(created))).toMatchObject({ branch_id: 11 });
  });

  test("a reseller creates for itself alone", async () => {
    using app = await withTenants();
    const create = (salesperson_id: number) =>
      app.call("POST", CREATE, { basic: callers.reseller, form: { ...required, salesperson_id } });
    expect(await create(1)).toMatchObject({
      status: 403,
      body: { error: "a reseller can only be its own salesperson; yours is 2" },
    });
    expect(await create(2)).toMatchObject({ status: 200 });
  });

  test("the audit trail says who, from where and what, and no password", async () => {
    using app = await withTenants();
    await app.call("POST", CREATE, { basic, form: required });
    const entry = newestAudit(app);
    expect(entry).toMatchObject({
      action: "subscriber.create",
      entity: "subscriber",
      entityId: "10",
      ispId: 1,
      staffId: 1,
      actor: "ada",
      source: "unknown",
    });
    expect(JSON.parse(entry?.after ?? "")).toMatchObject({ username: "Sam", nic_number: "N-sam" });
    expect(JSON.stringify(entry)).not.toContain("pw-sam");
  });
});

describe("update", () => {
  const update = (app: Tenants, form: Record<string, unknown>, caller = basic) =>
    app.call("POST", UPDATE, { basic: caller, form });

  test("finds the record by username without case, and keeps what is absent", async () => {
    using app = await withTenants();
    const before = await read(app, 1);
    app.clock.now += 60;
    const answer = await update(app, { username: "USER1", name: "Another", email: "a@b.example" });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ success: "Subscriber updated." });
    expect(await read(app, 1)).toEqual({
      ...Object(before),
      name: "Another",
      email: "a@b.example",
      updated_at: expect.any(String),
    });
  });

  test("an optional field sent empty is cleared, a required one is a fault", async () => {
    using app = await withTenants();
    await update(app, { username: "user1", ...optional });
    const cleared = Object.fromEntries(Object.keys(optional).map((name) => [name, ""]));
    expect((await update(app, { username: "user1", ...cleared })).status).toBe(200);
    expect(await read(app, 1)).toMatchObject({
      branch_id: 0,
      email: null,
      city_id: null,
      latitude: null,
      static_ip: null,
      mac_login: 0,
      sms_status: 0,
    });
    const empty = Object.fromEntries(Object.keys(required).map((name) => [name, ""]));
    const { status, body } = await update(app, { ...empty, username: "user1" });
    const { username: _, ...others } = empty;
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        error: expect.any(String),
        errors: Object.fromEntries(Object.keys(others).map((name) => [name, ["must not be empty"]])),
      },
    });
  });

  const cases: { name: string; form: Record<string, unknown>; status: number; body: object }[] = [
    {
      name: "no username",
      form: { name: "A" },
      status: 400,
      body: { error: "check username", errors: { username: missing } },
    },
    {
      name: "an empty username",
      form: { username: "", email: "x" },
      status: 400,
      body: {
        error: "check username, email",
        errors: { username: ["must not be empty"], email: ["must be an e-mail address"] },
      },
    },
    {
      name: "an unknown username",
      form: { username: "nobody", name: "A" },
      status: 404,
      body: { error: "there is no subscriber with the username nobody" },
    },
    {
      name: "another ISP than the record's",
      form: { username: "user1", isp_id: 2 },
      status: 404,
      body: { error: "there is no subscriber with the username user1 in ISP 2" },
    },
    {
      name: "what others have, and what points nowhere",
      form: { username: "user1", nic_number: "N2", mobile_number: "M9", city_id: 2, salesperson_id: 5 },
      status: 400,
      body: {
        error: "check salesperson_id, city_id, nic_number, mobile_number",
        errors: {
          nic_number: taken,
          mobile_number: taken,
          city_id: ["is not a city of this ISP"],
          salesperson_id: ["is not an Admin or Reseller of this ISP"],
        },
      },
    },
  ];
  test.each(cases)("$name: $status", async ({ form, status, body }) => {
    using app = await withTenants();
    const before = stateOf(app);
    const answer = await update(app, form);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status });
    expect(Object.keys(Object(answer.body))).toEqual(Object.keys(body));
    expect(answer.body).toMatchObject("errors" in body ? { errors: body.errors } : body);
    expect(stateOf(app)).toEqual(before);
  });

  test("its own unique values are no collision", async () => {
    using app = await withTenants();
    const form = { username: "user1", nic_number: "N1", mobile_number: "M1" };
    expect(await update(app, form)).toMatchObject({ status: 200 });
  });

  test("status, connection and MAC lock stay; the service keeps its package and expiration", async () => {
    using app = await withTenants();
    openSession(app, 1);
    await app.call("POST", "/api/v1/subscriber/mac_lock", {
      basic,
      form: { user_id: 1, mac_address: "02:00:00:00:00:01" },
    });
    const before = Object(await read(app, 1));
    const all = { ...required, ...optional, username: "user1", password: "pw-1", package_id: 2 };
    await update(app, { ...all, mac_lock: 0, mac_address: "", status: 0, profile_status: "disabled" });
    expect(await read(app, 1)).toMatchObject({
      package_id: 2,
      mac_address: "02:00:00:00:00:01",
      mac_lock: 1,
      profile_status: "active",
      connection_status: "online",
      current_expiration_date: before.current_expiration_date,
    });
    expect(app.db.$client.query("SELECT package_id FROM services WHERE subscriber_id = 1").get()).toEqual({
      package_id: 1,
    });
  });

  test("a reseller cannot give a subscriber away, nor a branch move one", async () => {
    using app = await withTenants();
    expect(await update(app, { username: "user1", salesperson_id: 3 }, callers.reseller)).toMatchObject({
      status: 403,
    });
    for (const branch_id of [12, 0, ""])
      expect(await update(app, { username: "user1", branch_id }, callers.branch)).toMatchObject({
        status: 403,
      });
    expect(await update(app, { username: "user1", branch_id: 12 })).toMatchObject({ status: 200 });
    expect(await read(app, 1)).toMatchObject({ branch_id: 12 });
  });

  test("the audit trail has what changed, before and after, and of a password only that it did", async () => {
    using app = await withTenants();
    await update(app, { username: "user1", name: "Another", mobile_number: "M1", password: "pw-other" });
    const entry = newestAudit(app);
    expect(entry).toMatchObject({
      action: "subscriber.update",
      before: '{"name":"User 1"}',
      after: '{"name":"Another","password_changed":true}',
    });
  });
});
