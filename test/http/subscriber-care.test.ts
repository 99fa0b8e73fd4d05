import { describe, expect, test } from "bun:test";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { setSubscriberStatus } from "../../src/domain/goods/subscribers/status.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { aSubscriber, DAY } from "../support/isp.ts";
import { cli } from "../support/people.ts";
import { NOW } from "../support/store.ts";
import { callers, openSession, stateOf, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const basic = callers.admin;
const PREFIX = "/api/v1/subscriber";
const MAC = "AA:BB:CC:DD:EE:FF";

const post = (app: Tenants, operation: string, form: Record<string, unknown>, caller = basic) =>
  app.call("POST", `${PREFIX}/${operation}`, { basic: caller, form });

function record({ db }: Tenants, id = 1) {
  return db.$client
    .query("SELECT mac_address, mac_lock, global_note, portal_pass FROM subscribers WHERE id = ?")
    .get(id);
}

function newestAudit({ db }: Tenants) {
  return db.$client
    .query(
      "SELECT action, actor, source, entity_id, isp_id, before, after FROM audit_entries ORDER BY id DESC LIMIT 1",
    )
    .get();
}

/** The passwords of the profile and of the service, which RADIUS compares with. */
function passwords({ db }: Tenants, id = 1): (string | null)[] {
  const sealed = (table: string, column: string) =>
    db.$client
      .query<{ password_sealed: Uint8Array }, [number]>(
        `SELECT password_sealed FROM ${table} WHERE ${column} = ?`,
      )
      .get(id)?.password_sealed;
  return [sealed("subscribers", "id"), sealed("services", "subscriber_id")].map((bytes) =>
    bytes ? db.vault.openText(bytes) : null,
  );
}

describe("usage", () => {
  test("the newest open session, and the quota of the service", async () => {
    using app = await withTenants();
    openSession(app, 1, "OLD");
    app.clock.now += 100;
    openSession(app, 1, "NEW");
    app.db.$client.run("UPDATE services SET quota_total = 1000, quota_used = 250 WHERE subscriber_id = 1");
    const { status, body } = await app.call("GET", `${PREFIX}/usage/1`, { basic });
    expect(status).toBe(200);
    expect(body).toEqual({
      user_id: 1,
      username: "user1",
      online: true,
      session: {
        ip: "10.0.0.7",
        nas_ip: "192.0.2.1",
        session_id: "NEW",
        mac: MAC,
        start_time: formatTime(NOW + 40),
        last_update: formatTime(NOW + 100),
      },
      data_quota: { enabled: true, total_bytes: 1000, used_bytes: 250 },
    });
  });

  test("without NAS-IP-Address the source address; never activated: no quota", async () => {
    using app = await withTenants();
    openSession(app, 2);
    app.db.$client.run("UPDATE sessions SET nas_ip = NULL, framed_ip = NULL, mac = NULL");
    const { body } = await app.call("GET", `${PREFIX}/usage/2`, { basic });
    expect(body).toMatchObject({
      session: { ip: null, nas_ip: "127.0.0.1", mac: null },
      data_quota: { enabled: false, total_bytes: 0, used_bytes: 0 },
    });
  });
});

describe("notes", () => {
  test("the global note and those of staff, oldest first", async () => {
    using app = await withTenants();
    await importDataSet(
      app.db,
      cli,
      {
        subscribers: [
          {
            id: 1,
            isp_id: 1,
            staff_notes: [
              { note: "called", added_by: 1 },
              { note: "called back", added_by: 4 },
            ],
          },
        ],
      },
      { now: NOW },
    );
    await post(app, "note", { user_id: 1, note: "Gate code 7" });
    const { body } = await app.call("GET", `${PREFIX}/notes/1`, { basic });
    expect(body).toEqual({
      user_id: 1,
      global_note: "Gate code 7",
      staff_notes: [
        { id: 1, note: "called", added_by: 1, added_by_name: "Ada", created_at: formatTime(NOW) },
        { id: 2, note: "called back", added_by: 4, added_by_name: "Mia", created_at: formatTime(NOW) },
      ],
    });
  });

  test("none", async () => {
    using app = await withTenants();
    const { body } = await app.call("GET", `${PREFIX}/notes/2`, { basic });
    expect(body).toEqual({ user_id: 2, global_note: "", staff_notes: [] });
  });
});

describe("note", () => {
  test("replaces, empty clears, and the audit trail has both", async () => {
    using app = await withTenants();
    const first = await post(app, "note", { user_id: 1, note: "One\r\nTwo\tThree" });
    expect(first.body).toEqual({ success: "Note saved." });
    expect(record(app)).toMatchObject({ global_note: "One\nTwo\tThree" });
    expect(newestAudit(app)).toEqual({
      action: "subscriber.note",
      actor: "ada",
      source: "unknown",
      entity_id: "1",
      isp_id: 1,
      before: '{"global_note":""}',
      after: JSON.stringify({ global_note: "One\nTwo\tThree" }),
    });
    for (const sent of [{ form: { user_id: 1, note: "" } }, { json: { user_id: 1, note: null } }]) {
      await post(app, "note", { user_id: 1, note: "again" });
      expect(await app.call("POST", `${PREFIX}/note`, { basic, ...sent })).toMatchObject({ status: 200 });
      expect(record(app)).toMatchObject({ global_note: "" });
    }
  });

  test("ten thousand characters, each a code point; not one more", async () => {
    using app = await withTenants();
    expect(await post(app, "note", { user_id: 1, note: "🚀".repeat(10_000) })).toMatchObject({ status: 200 });
    expect(await post(app, "note", { user_id: 1, note: "🚀".repeat(10_001) })).toMatchObject({
      status: 400,
      body: { errors: { note: [expect.stringContaining("at most 10000")] } },
    });
  });
});

describe("reset_password", () => {
  const reset = (app: Tenants, user_id: number, new_password = "pw-new") =>
    post(app, "reset_password", { user_id, new_password });

  test("an active subscriber: the profile, RADIUS, and no separate portal password any more", async () => {
    using app = await withTenants();
    app.db.$client.run("UPDATE subscribers SET portal_pass = '$argon2id$x' WHERE id = 1");
    const answer = await reset(app, 1);
    expect(answer.body).toEqual({ success: "Password reset." });
    expect(passwords(app)).toEqual(["pw-new", "pw-new"]);
    expect(record(app)).toMatchObject({ portal_pass: null });
    const entry = newestAudit(app);
    expect(entry).toMatchObject({ action: "subscriber.reset_password", entity_id: "1", actor: "ada" });
    expect(JSON.stringify(entry)).not.toContain("pw-new");
  });

  test("a password whose bytes were damaged is null in the record, and can be reset", async () => {
    using app = await withTenants();
    app.db.$client.run("UPDATE subscribers SET password_sealed = zeroblob(40) WHERE id = 1");
    const get = () => app.call("GET", `${PREFIX}/get/1`, { basic });
    expect(await get()).toMatchObject({ status: 200, body: { username: "user1", password: null } });
    expect(await reset(app, 1)).toMatchObject({ status: 200 });
    expect(await get()).toMatchObject({ status: 200, body: { password: "pw-new" } });
  });

  test("an expired one and one never activated: the profile, and RADIUS at the next activation", async () => {
    using app = await withTenants();
    await importDataSet(
      app.db,
      cli,
      { subscribers: [aSubscriber(3, { current_expiration_date: formatTime(NOW - DAY) })] },
      { now: NOW },
    );
    await reset(app, 2);
    await reset(app, 3);
    expect(passwords(app, 2)).toEqual(["pw-new", null]);
    expect(passwords(app, 3)).toEqual(["pw-new", "pw-3"]);
    for (const user_id of [2, 3]) {
      const form = { user_id, package_id: 1 };
      expect(await app.call("POST", "/api/v1/activation/activate", { basic, form })).toMatchObject({
        status: 200,
      });
      expect(passwords(app, user_id)).toEqual(["pw-new", "pw-new"]);
    }
  });

  test("a disabled one: RADIUS learns it when the subscriber is enabled", async () => {
    using app = await withTenants();
    setSubscriberStatus(app.db, cli, { subscriberId: 1, enabled: false }, { now: NOW });
    await reset(app, 1);
    expect(passwords(app)).toEqual(["pw-new", "pw-1"]);
    setSubscriberStatus(app.db, cli, { subscriberId: 1, enabled: true }, { now: NOW });
    expect(passwords(app)).toEqual(["pw-new", "pw-new"]);
  });

  test("twenty characters, each a code point; not one more", async () => {
    using app = await withTenants();
    expect(await reset(app, 1, "é🚀".repeat(10))).toMatchObject({ status: 200 });
    expect(passwords(app)).toEqual(["é🚀".repeat(10), "é🚀".repeat(10)]);
    expect(await reset(app, 1, "x".repeat(21))).toMatchObject({
      status: 400,
      body: { errors: { new_password: [expect.stringContaining("1 to 20 characters")] } },
    });
  });
});

describe("MAC address", () => {
  test("lock stores and locks, unlock keeps the address, change leaves the lock as it is", async () => {
    using app = await withTenants();
    const steps: [operation: string, mac: string | undefined, success: string, after: object][] = [
      ["mac_lock", "aabb.ccdd.eeff", `MAC address locked to ${MAC}.`, { mac_address: MAC, mac_lock: 1 }],
      [
        "change_mac",
        "02-00-00-00-00-01",
        "MAC address updated to 02:00:00:00:00:01.",
        { mac_address: "02:00:00:00:00:01", mac_lock: 1 },
      ],
      ["mac_unlock", undefined, "MAC address unlocked.", { mac_address: "02:00:00:00:00:01", mac_lock: 0 }],
      ["change_mac", "AABBCCDDEEFF", `MAC address updated to ${MAC}.`, { mac_address: MAC, mac_lock: 0 }],
    ];
    for (const [operation, mac_address, success, after] of steps) {
      const { status, body } = await post(app, operation, {
        user_id: 1,
        ...(mac_address !== undefined && { mac_address }),
      });
      expect({ status, body }).toEqual({ status: 200, body: { success } });
      expect(record(app)).toMatchObject(after);
    }
    expect(newestAudit(app)).toMatchObject({
      action: "subscriber.change_mac",
      before: '{"mac_address":"02:00:00:00:00:01"}',
      after: `{"mac_address":"${MAC}"}`,
    });
  });

  test.each(["", "AA:BB:CC:DD:EE", "AA:BB:CC:DD:EE:FG", "AA:BB-CC:DD:EE:FF", "AABBCCDDEEFF0", "1:2:3:4:5:6"])(
    "%p is none",
    async (mac_address) => {
      using app = await withTenants();
      const before = stateOf(app);
      for (const operation of ["mac_lock", "change_mac"])
        expect(await post(app, operation, { user_id: 1, mac_address })).toMatchObject({
          status: 400,
          body: { errors: { mac_address: [expect.any(String)] } },
        });
      expect(stateOf(app)).toEqual(before);
    },
  );
});

const actions: [operation: string, more: Record<string, unknown>, required: string[]][] = [
  ["note", { note: "A" }, ["user_id", "note"]],
  ["reset_password", { new_password: "pw" }, ["user_id", "new_password"]],
  ["mac_lock", { mac_address: MAC }, ["user_id", "mac_address"]],
  ["mac_unlock", {}, ["user_id"]],
  ["change_mac", { mac_address: MAC }, ["user_id", "mac_address"]],
];
describe.each(actions)("%s", (operation, more, required) => {
  test("nothing sent: 400 that names every field", async () => {
    using app = await withTenants();
    const { status, body } = await post(app, operation, {});
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        error: `check ${required.join(", ")}`,
        errors: Object.fromEntries(required.map((name) => [name, ["is required"]])),
      },
    });
  });

  test("an unknown subscriber: 404; a malformed id: 400", async () => {
    using app = await withTenants();
    for (const user_id of [3, 9, Number.MAX_SAFE_INTEGER])
      expect(await post(app, operation, { user_id, ...more })).toMatchObject({
        status: 404,
        body: { error: `there is no subscriber ${user_id}` },
      });
    for (const user_id of ["0", "-1", "1.5", "0x1", "1e0", " 1", "one", "9007199254740993"])
      expect(await post(app, operation, { user_id, ...more })).toMatchObject({
        status: 400,
        body: { errors: { user_id: ["must be the whole number of an id, 1 or more"] } },
      });
  });

  test("isp_id and branch_id narrow", async () => {
    using app = await withTenants();
    for (const place of [{ isp_id: 2 }, { branch_id: 12 }, { isp_id: 1, branch_id: 21 }])
      expect(await post(app, operation, { user_id: 1, ...more, ...place }, callers.operator)).toMatchObject({
        status: 404,
      });
    const here = { user_id: 1, ...more, isp_id: 1, branch_id: 11 };
    expect(await post(app, operation, here, callers.operator)).toMatchObject({ status: 200 });
  });
});
