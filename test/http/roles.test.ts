import { describe, expect, test } from "bun:test";
import { auditEntries } from "../../db/schema.ts";
import { flagNames } from "../../src/domain/machine/imports/data-set/roles.ts";
import { undoneApps, type Sent } from "../support/http.ts";
import { insertRole, insertStaff } from "../support/people.ts";

const temporaryApp = undoneApps();

const ROLE = "/api/v1/role";
const admin = "ada:secret-1";
const operator = "box:secret-1";
const manager = "max:secret-1";

/** Role 1 manages roles, role 2 views them, role 3 is empty, role 4 belongs to ISP 2. */
async function withRoles() {
  const app = temporaryApp();
  insertRole(app.db, 1, 1, "Managers", ["api_access", "role_view", "role_manage"]);
  insertRole(app.db, 2, 1, "Viewers", ["api_access", "role_view"]);
  insertRole(app.db, 3, 1, "Empty");
  insertRole(app.db, 4, 2, "South");
  app.db.$client.run("UPDATE roles SET permissions_set = 0 WHERE code = 3");
  await insertStaff(app.db, "ada");
  await insertStaff(app.db, "box", { isp_id: 0 });
  await insertStaff(app.db, "max", { profile_type: 2, role_code: 1 });
  await insertStaff(app.db, "mia", { profile_type: 2, role_code: 1, branch_id: 11 });
  await insertStaff(app.db, "vic", { profile_type: 2, role_code: 2 });
  return app;
}

const role = (code: number, name: string) => ({ id: code, code, name, needs_second_factor: 0 });
/** The same by itself. */
const whole = (code: number, name: string, needed: 0 | 1 = 0) => ({
  ...role(code, name),
  needs_second_factor: needed,
});

describe("reading", () => {
  const cases: { name: string; path: string; sent: Sent; status: number; body: unknown }[] = [
    {
      name: "the list of one's ISP, by code",
      path: "/list",
      sent: { basic: "vic:secret-1" },
      status: 200,
      body: [role(1, "Managers"), role(2, "Viewers"), role(3, "Empty")],
    },
    {
      name: "the operator sees every ISP",
      path: "/list",
      sent: { basic: operator },
      status: 200,
      body: [role(1, "Managers"), role(2, "Viewers"), role(3, "Empty"), role(4, "South")],
    },
    {
      name: "the operator narrows to one ISP",
      path: "/list?isp_id=2",
      sent: { basic: operator },
      status: 200,
      body: [role(4, "South")],
    },
    {
      name: "another ISP has nothing to see",
      path: "/list?isp_id=2",
      sent: { basic: admin },
      status: 200,
      body: [],
    },
    {
      name: "a malformed ISP",
      path: "/list?isp_id=two",
      sent: { basic: admin },
      status: 400,
      body: { error: "check isp_id", errors: { isp_id: ["must be a whole number, 0 or more"] } },
    },
    {
      name: "an ISP named twice",
      path: "/list?isp_id=1&isp_id=2",
      sent: { basic: admin },
      status: 400,
      body: { error: "check isp_id", errors: { isp_id: ["was sent more than once"] } },
    },
    { name: "a role", path: "/get/2", sent: { basic: admin }, status: 200, body: whole(2, "Viewers") },
    {
      name: "an unknown role",
      path: "/get/99",
      sent: { basic: admin },
      status: 404,
      body: { error: "there is no role 99" },
    },
    {
      name: "the role of another ISP is as unknown",
      path: "/get/4",
      sent: { basic: admin },
      status: 404,
      body: { error: "there is no role 4" },
    },
    {
      name: "a role named with another ISP",
      path: "/get/2?isp_id=2",
      sent: { basic: operator },
      status: 404,
      body: { error: "there is no role 2" },
    },
    {
      name: "a malformed code is unknown too",
      path: "/get/0x2",
      sent: { basic: admin },
      status: 404,
      body: { error: "there is no role 0x2" },
    },
    {
      name: "permissions never set",
      path: "/permissions/3",
      sent: { basic: admin },
      status: 200,
      body: { role_code: 3, permissions: null },
    },
    {
      name: "permissions of an unknown role",
      path: "/permissions/4",
      sent: { basic: admin },
      status: 404,
      body: { error: "there is no role 4" },
    },
  ];
  test.each(cases)("$name: $status", async ({ path, sent, status, body }) => {
    using app = await withRoles();
    const answer = await app.call("GET", ROLE + path, sent);
    expect(answer).toMatchObject({ status, body: body as object });
    expect(answer.body).toEqual(body);
  });

  test("permissions show every flag of the catalogue", async () => {
    using app = await withRoles();
    const { body } = await app.call("GET", `${ROLE}/permissions/2`, { basic: admin });
    const flags = new Set(["api_access", "role_view"]);
    const permissions = flagNames(app.db).map((name) => [name, flags.has(name) ? 1 : 0]);
    expect(permissions.length).toBeGreaterThan(30);
    expect(body).toEqual({ role_code: 2, permissions: Object.fromEntries(permissions) });
  });
});

describe("creating, renaming, deleting", () => {
  test("codes go up and never come back, also past those of an import", async () => {
    using app = await withRoles();
    const create = (name: string) => app.call("POST", `${ROLE}/create`, { basic: admin, form: { name } });
    expect((await create("Night shift")).body).toEqual({ success: "Role created.", id: 5, code: 5 });
    expect(await app.call("DELETE", `${ROLE}/delete/5`, { basic: admin })).toMatchObject({
      status: 200,
      body: { success: "Role deleted." },
    });
    expect(await app.call("GET", `${ROLE}/get/5`, { basic: admin })).toMatchObject({ status: 404 });
    expect((await create("Night shift")).body).toEqual({ success: "Role created.", id: 6, code: 6 });
    app.db.$client.run("INSERT INTO roles (code, isp_id, name, created_at) VALUES (40, 1, 'Imported', 1)");
    expect((await create("Night shift")).body).toMatchObject({ code: 41 });
  });

  test("rename by form and by JSON", async () => {
    using app = await withRoles();
    for (const sent of [{ form: { code: 3, name: "Field" } }, { json: { code: 3, name: "Field" } }]) {
      const answer = await app.call("POST", `${ROLE}/update`, { basic: admin, ...sent });
      expect(answer).toMatchObject({ status: 200, body: { success: "Role updated." } });
    }
    expect((await app.call("GET", `${ROLE}/get/3`, { basic: admin })).body).toEqual(whole(3, "Field"));
  });

  test("a second factor is needed, and no more, and stays as it is where it is not sent", async () => {
    using app = await withRoles();
    const update = (more: object) =>
      app.call("POST", `${ROLE}/update`, { basic: admin, form: { code: 3, name: "Field", ...more } });
    const get = async () => (await app.call("GET", `${ROLE}/get/3`, { basic: admin })).body;
    expect(await update({ needs_second_factor: 1 })).toMatchObject({ status: 200 });
    expect(await update({})).toMatchObject({ status: 200 });
    expect(await get()).toEqual(whole(3, "Field", 1));
    expect(await update({ needs_second_factor: 0 })).toMatchObject({ status: 200 });
    expect(await get()).toEqual(whole(3, "Field", 0));
    expect(await update({ needs_second_factor: 2 })).toMatchObject({
      status: 400,
      body: { errors: { needs_second_factor: ["must be 0 or 1"] } },
    });
    const entries = app.db.select().from(auditEntries).all();
    expect(entries.filter(({ action }) => action === "role.second_factor").map(({ after }) => after)).toEqual(
      ['{"needs_second_factor":1}', '{"needs_second_factor":0}'],
    );
  });

  const missing = ["is required"];
  const cases: { name: string; method: string; path: string; sent: Sent; status: number; body: unknown }[] = [
    {
      name: "create without a name",
      method: "POST",
      path: "/create",
      sent: { basic: admin, form: {} },
      status: 400,
      body: { error: "check name", errors: { name: missing } },
    },
    {
      name: "the operator names no ISP",
      method: "POST",
      path: "/create",
      sent: { basic: operator, form: { name: "A" } },
      status: 400,
      body: {
        error: "there are several ISPs; say which",
        errors: { isp_id: ["is required, for there are several ISPs"] },
      },
    },
    {
      name: "the operator names an unknown ISP",
      method: "POST",
      path: "/create",
      sent: { basic: operator, form: { name: "A", isp_id: 9 } },
      status: 400,
      body: { error: "there is no such ISP", errors: { isp_id: ["does not exist"] } },
    },
    {
      name: "create in another ISP",
      method: "POST",
      path: "/create",
      sent: { basic: admin, form: { name: "A", isp_id: 2 } },
      status: 403,
      body: { error: "the ISP 2 is not yours" },
    },
    {
      name: "update with nothing",
      method: "POST",
      path: "/update",
      sent: { basic: admin, form: {} },
      status: 400,
      body: { error: "check code, name", errors: { code: missing, name: missing } },
    },
    {
      name: "update with a malformed code",
      method: "POST",
      path: "/update",
      sent: { basic: admin, form: { code: "1e0", name: "A" } },
      status: 400,
      body: { error: "check code", errors: { code: ["must be the whole number of an id, 1 or more"] } },
    },
    {
      name: "update of another ISP's",
      method: "POST",
      path: "/update",
      sent: { basic: admin, form: { code: 4, name: "A" } },
      status: 404,
      body: { error: "there is no role 4" },
    },
    {
      name: "delete of one that staff have",
      method: "DELETE",
      path: "/delete/1",
      sent: { basic: admin },
      status: 400,
      body: { error: "the role is assigned to 2 staff; give them another role first" },
    },
    {
      name: "delete of an unknown one",
      method: "DELETE",
      path: "/delete/99",
      sent: { basic: admin },
      status: 404,
      body: { error: "there is no role 99" },
    },
    {
      name: "delete with the ISP in a form",
      method: "DELETE",
      path: "/delete/3",
      sent: { basic: operator, form: { isp_id: 2 } },
      status: 404,
      body: { error: "there is no role 3" },
    },
  ];
  test.each(cases)("$name: $status", async ({ method, path, sent, status, body }) => {
    using app = await withRoles();
    const answer = await app.call(method, ROLE + path, sent);
    expect(answer.body).toEqual(body);
    expect(answer.status).toBe(status);
    expect((await app.call("GET", `${ROLE}/list`, { basic: operator })).body).toHaveLength(4);
  });

  test("the operator creates where it says, and the audit trail tells it all", async () => {
    using app = await withRoles();
    const created = await app.call("POST", `${ROLE}/create`, {
      basic: operator,
      json: { name: "A", isp_id: 2 },
    });
    expect(created.body).toEqual({ success: "Role created.", id: 5, code: 5 });
    await app.call("POST", `${ROLE}/update`, { basic: operator, form: { code: 5, name: "B" } });
    await app.call("POST", `${ROLE}/permissions_update`, {
      basic: operator,
      form: { role_code: 5, role_view: 1 },
    });
    await app.call("DELETE", `${ROLE}/delete/5`, { basic: operator });
    const entries = app.db.select().from(auditEntries).all().slice(-4);
    expect(entries).toMatchObject([
      { action: "role.create", actor: "box", entityId: "5", ispId: 2, after: '{"name":"A"}' },
      { action: "role.update", before: '{"name":"A"}', after: '{"name":"B"}' },
      { action: "role.permissions", before: '{"role_view":0}', after: '{"role_view":1}' },
      { action: "role.delete", before: '{"name":"B"}' },
    ]);
  });
});

describe("permissions_update", () => {
  const update = `${ROLE}/permissions_update`;

  test("sets what is recognised, ignores what is not, leaves the others", async () => {
    using app = await withRoles();
    const form = { role_code: 3, notice_view: 1, hrm_module: "0", no_such_flag: 7, isp_id: 1 };
    const answer = await app.call("POST", update, { basic: admin, form });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      success: "Permissions updated.",
      updated_fields: ["notice_view", "hrm_module"],
    });
    await app.call("POST", update, { basic: admin, json: { role_code: "3", subscriber_view: 1 } });
    const { body } = await app.call("GET", `${ROLE}/permissions/3`, { basic: admin });
    expect(body).toMatchObject({
      permissions: { notice_view: 1, hrm_module: 0, subscriber_view: 1, api_access: 0 },
    });
  });

  test("nothing recognised: nothing changes, and permissions stay null", async () => {
    using app = await withRoles();
    const answer = await app.call("POST", update, { basic: admin, json: { role_code: 3, what: 1 } });
    expect(answer.body).toEqual({ success: "Permissions updated.", updated_fields: [] });
    const { body } = await app.call("GET", `${ROLE}/permissions/3`, { basic: admin });
    expect(body).toEqual({ role_code: 3, permissions: null });
  });

  const wrong = ["must be 0 or 1"];
  const cases: { name: string; sent: Sent; status: number; body: unknown }[] = [
    {
      name: "2, true, empty: each is named and nothing changes",
      sent: { json: { role_code: 3, notice_view: 2, hrm_module: true, role_view: "", api_access: 1 } },
      status: 400,
      body: {
        error: "check notice_view, hrm_module, role_view",
        errors: { notice_view: wrong, hrm_module: wrong, role_view: ["must not be empty"] },
      },
    },
    {
      name: "a flag sent twice",
      sent: {
        body: "role_code=3&notice_view=1&notice_view=1",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      },
      status: 400,
      body: { error: "check notice_view", errors: { notice_view: ["was sent more than once"] } },
    },
    {
      name: "no role code",
      sent: { json: { notice_view: 1 } },
      status: 400,
      body: { error: "check role_code", errors: { role_code: ["is required"] } },
    },
    {
      name: "another ISP's role",
      sent: { json: { role_code: 4, notice_view: 1 } },
      status: 404,
      body: { error: "there is no role 4" },
    },
  ];
  test.each(cases)("$name: $status", async ({ sent, status, body }) => {
    using app = await withRoles();
    const answer = await app.call("POST", update, { basic: admin, ...sent });
    expect(answer.body).toEqual(body);
    expect(answer.status).toBe(status);
    const { body: after } = await app.call("GET", `${ROLE}/permissions/3`, { basic: admin });
    expect(after).toEqual({ role_code: 3, permissions: null });
  });

  test("nobody changes what they lack, to 1 or to 0; sent as it stands it passes", async () => {
    using app = await withRoles();
    await app.call("POST", update, { basic: admin, form: { role_code: 3, hrm_module: 1 } });
    const send = (form: object) =>
      app.call("POST", update, { basic: manager, form: { role_code: 3, ...form } });
    expect(await send({ role_view: 1, subscriber_view: 1, hrm_module: 0 })).toMatchObject({
      status: 403,
      body: {
        error:
          "you cannot change what you lack: subscriber_view, hrm_module; ask somebody who has it, or an Admin",
      },
    });
    expect(await send({ role_view: 1, subscriber_view: 0, hrm_module: 1 })).toMatchObject({
      status: 200,
      body: { updated_fields: ["role_view", "subscriber_view", "hrm_module"] },
    });
    expect(await send({ role_view: 0 })).toMatchObject({ status: 200 });
  });
});

test("staff of a branch read the roles of their ISP and change none", async () => {
  using app = await withRoles();
  const branch = "mia:secret-1";
  const before = app.db.$client.query("SELECT * FROM roles, role_permissions").all();
  for (const [method, path, form] of [
    ["POST", "/create", { name: "A" }],
    ["POST", "/update", { code: 3, name: "A" }],
    ["DELETE", "/delete/3", {}],
    ["POST", "/permissions_update", { role_code: 3, role_view: 1 }],
  ] as const)
    expect(await app.call(method, ROLE + path, { basic: branch, form })).toMatchObject({
      status: 403,
      body: { error: "roles are the whole ISP's; ask somebody whose account is not of one branch" },
    });
  expect(app.db.$client.query("SELECT * FROM roles, role_permissions").all()).toEqual(before);
  expect(await app.call("GET", `${ROLE}/permissions/3`, { basic: branch })).toMatchObject({ status: 200 });
});

test("an account of the whole ISP changes roles whatever branch it names", async () => {
  using app = await withRoles();
  const form = { code: 3, name: "A", branch_id: 11 };
  expect(await app.call("POST", `${ROLE}/update`, { basic: manager, form })).toMatchObject({ status: 200 });
});
