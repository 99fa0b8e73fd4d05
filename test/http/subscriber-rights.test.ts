import { describe, expect, test } from "bun:test";
import { insertRole, insertStaff } from "../support/people.ts";
import { callers, sam, stateOf, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const basic = "eve:secret-1";

/** Subscriber 1 has the password `pw-1`; eve has these flags beside api_access. */
async function withStaff(...flags: string[]): Promise<Tenants> {
  const app = await withTenants();
  insertRole(app.db, 50, 1, "Tried", ["api_access", "subscriber_view", ...flags]);
  await insertStaff(app.db, "eve", { profile_type: 2, role_code: 50 });
  return app;
}

const update = (app: Tenants, fields: Record<string, unknown>, caller = basic) =>
  app.call("POST", "/api/v1/subscriber/update", { basic: caller, json: { username: "user1", ...fields } });

const missing = (flag: string) => ({
  status: 403,
  body: { error: `the permission ${flag} is missing; ask an administrator to set it in your role` },
});

describe("update with subscriber_edit alone", () => {
  test("a password is refused, the right one like any other: it would tell a guess that is right", async () => {
    using app = await withStaff("subscriber_edit");
    const before = stateOf(app);
    for (const password of ["pw-9", "pw-1"])
      expect(await update(app, { name: "A", password })).toMatchObject(missing("subscriber_password"));
    expect(await update(app, { username: "nobody", password: "pw-9" })).toMatchObject(
      missing("subscriber_password"),
    );
    expect(stateOf(app)).toEqual(before);
  });

  test("mac_login is refused, and passes as it stands", async () => {
    using app = await withStaff("subscriber_edit");
    const before = stateOf(app);
    expect(await update(app, { name: "A", mac_login: 1 })).toMatchObject(missing("subscriber_mac"));
    expect(stateOf(app)).toEqual(before);
    for (const mac_login of [0, "0", ""])
      expect(await update(app, { mac_login })).toMatchObject({ status: 200 });
    await update(app, { mac_login: 1 }, callers.admin);
    for (const mac_login of [0, ""])
      expect(await update(app, { mac_login })).toMatchObject(missing("subscriber_mac"));
    expect(await update(app, { mac_login: 1 })).toMatchObject({ status: 200 });
  });

  test("each is allowed by its own permission, and both to an Admin", async () => {
    using app = await withStaff("subscriber_edit", "subscriber_password");
    expect(await update(app, { password: "pw-9" })).toMatchObject({ status: 200 });
    expect(await update(app, { mac_login: 1 })).toMatchObject(missing("subscriber_mac"));
    expect(await update(app, { password: "pw-8", mac_login: 1 }, callers.admin)).toMatchObject({
      status: 200,
    });
    using other = await withStaff("subscriber_edit", "subscriber_mac");
    expect(await update(other, { mac_login: 1 })).toMatchObject({ status: 200 });
    expect(await update(other, { password: "pw-9" })).toMatchObject(missing("subscriber_password"));
  });
});

test("create with subscriber_add alone takes a password, which it needs, and no mac_login", async () => {
  using app = await withStaff("subscriber_add");
  const create = (fields: object) =>
    app.call("POST", "/api/v1/subscriber/create", {
      basic,
      json: {
        ...sam,
        ...fields,
      },
    });
  expect(await create({ mac_login: 1 })).toMatchObject(missing("subscriber_mac"));
  expect(await create({ mac_login: 0 })).toMatchObject({ status: 200 });
});
