import { describe, expect, test } from "bun:test";
import { profileFields } from "../../src/domain/goods/subscribers/fields.ts";
import { insertRole, insertStaff } from "../support/people.ts";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const basic = callers.admin;

const update = (app: Tenants, json: Record<string, unknown>, caller = basic) =>
  app.call("POST", "/api/v1/subscriber/update", { basic: caller, json: { username: "user1", ...json } });

const read = async (app: Tenants) =>
  Object((await app.call("GET", "/api/v1/subscriber/get/1", { basic })).body);

describe("an update says what it did not do", () => {
  test("each field that it leaves alone, and the operation that changes it", async () => {
    using app = await withTenants();
    const before = await read(app);
    const answer = await update(app, { status: 0, mac_lock: 1, balance: 9, fibre: "blue" });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success:
        "Nothing was updated. Left alone: status (subscriber/enable or disable), mac_lock (subscriber/mac_lock or mac_unlock), balance (gatehouse subscriber credit), fibre (no field of a subscriber).",
      ignored: ["status", "mac_lock", "balance", "fibre"],
    });
    expect(await read(app)).toEqual(before);
  });

  test("what gives a new password, and the field that a misspelled one is nearest to", async () => {
    using app = await withTenants();
    const { body } = await update(app, { new_password: "another-1", moblie_number: "1" });
    expect(Object(body).success).toBe(
      "Nothing was updated. Left alone: new_password (subscriber/reset_password), moblie_number (no field of a subscriber; the nearest is mobile_number).",
    );
  });

  test("beside what it did", async () => {
    using app = await withTenants();
    const answer = await update(app, { name: "Another", current_expiration_date: "2040-01-01 00:00:00" });
    expect(answer.body).toEqual({
      success: "Subscriber updated. Left alone: current_expiration_date (activation/activate).",
      ignored: ["current_expiration_date"],
    });
    expect(await read(app)).toMatchObject({ name: "Another" });
  });

  test("every field of a record is one of the profile, or names what changes it", async () => {
    using app = await withTenants();
    const others = Object.keys(await read(app)).filter((name) => !Object.hasOwn(profileFields, name));
    const sent = [...others, "user_id", "status", "global_note", "staff_notes", "portal_pass"];
    const { body } = await update(app, Object.fromEntries(sent.map((name) => [name, "another"])));
    expect(body).toMatchObject({ ignored: sent });
    expect(String(Object(body).success)).not.toContain("no field of a subscriber");
  });

  test("names that every object has are names like any other", async () => {
    using app = await withTenants();
    const { body } = await app.call("POST", "/api/v1/subscriber/update", {
      basic,
      headers: { "content-type": "application/json" },
      body: '{"username":"user1","__proto__":1,"constructor":2,"toString":""}',
    });
    expect(body).toMatchObject({ ignored: ["__proto__", "constructor", "toString"] });
  });
});

describe("what is sent as it stands is not named", () => {
  test("a whole record, as JSON and as a form", async () => {
    using app = await withTenants();
    const record = await read(app);
    const { password: _, ...sent } = { ...record, name: "Another", global_note: "", status: 1 };
    expect((await update(app, sent)).body).toEqual({ success: "Subscriber updated." });
    const form = Object.fromEntries(
      Object.entries({ ...sent, name: "Third", updated_at: (await read(app)).updated_at })
        .filter(([name]) => name !== "area_data")
        .map(([name, value]) => [name, value === null ? "" : value]),
    );
    const answer = await app.call("POST", "/api/v1/subscriber/update", { basic, form });
    expect(answer.body).toEqual({ success: "Subscriber updated." });
  });

  test("what follows from the update is as it stands too", async () => {
    using app = await withTenants();
    const { body } = await update(app, { package_id: 2, billing_type: "postpaid" });
    expect(body).toEqual({ success: "Subscriber updated." });
  });

  test("but who may not see subscribers is not told what stands by it", async () => {
    using app = await withTenants();
    insertRole(app.db, 50, 1, "Blind", ["api_access", "subscriber_edit"]);
    await insertStaff(app.db, "eve", { profile_type: 2, role_code: 50 });
    for (const balance of [100, 99])
      expect((await update(app, { balance }, "eve:secret-1")).body).toMatchObject({ ignored: ["balance"] });
  });
});
