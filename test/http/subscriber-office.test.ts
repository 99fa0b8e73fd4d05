import { describe, expect, test } from "bun:test";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { exportDataSet } from "../../src/domain/machine/imports/data-set/export.ts";
import { AccessReader } from "../../src/domain/service/access/reader.ts";
import { Enforcer } from "../../src/domain/service/enforcement/enforce.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { aSubscriber } from "../support/isp.ts";
import { cli } from "../support/people.ts";
import { noRouters } from "../support/routers.ts";
import { NOW } from "../support/store.ts";
import {
  callers,
  emptyWallet,
  openSession,
  refuseLogin,
  type Tenants,
  undoneTenants,
} from "../support/tenants.ts";

const withTenants = undoneTenants();

const basic = callers.admin;
const PREFIX = "/api/v1/subscriber";

const post = (app: Tenants, operation: string, form: Record<string, unknown>) =>
  app.call("POST", `${PREFIX}/${operation}`, { basic, form });
const get = async (app: Tenants, path: string) => {
  const { status, body } = await app.call("GET", `${PREFIX}/${path}`, { basic });
  return { status, body };
};
const idsIn = (body: unknown) => (Array.isArray(body) ? body.map(({ id }) => id) : body);

const acknowledges = { disconnect: async () => ({ kind: "acknowledged" }) as const };
const silent = {
  disconnect: async () => ({ kind: "failed", reason: "core: no answer", isSilent: true }) as const,
};
const routers = (own: object) => ({
  routers: {
    ...noRouters,
    changeRate: async () => ({ kind: "acknowledged" }) as const,
    find: async () => ({ kind: "listed", users: [] }) as const,
    disconnect: acknowledges.disconnect,
    ...own,
  },
});

describe("enable and disable", () => {
  test("a session ends with it, and what the router says is told", async () => {
    using app = await withTenants(routers(acknowledges));
    openSession(app, 1);
    expect((await post(app, "disable", { user_id: 1 })).body).toEqual({
      success: "Subscriber disabled. 1 session was ended.",
    });
    expect((await get(app, "get/1")).body).toMatchObject({ profile_status: "disabled" });
    expect((await post(app, "enable", { user_id: 1 })).body).toEqual({ success: "Subscriber enabled." });
    expect((await get(app, "get/1")).body).toMatchObject({ profile_status: "active" });
    expect((await post(app, "disable", { user_id: 1 })).body).toEqual({
      success: "Subscriber disabled. No session was open.",
    });
  });

  test("a router that does not answer undoes nothing", async () => {
    using app = await withTenants(routers(silent));
    openSession(app, 1);
    const { status, body } = await post(app, "disable", { user_id: 1 });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: "Subscriber disabled. A session is still open, its router is asked again.",
        failures: ["core: no answer"],
      },
    });
    expect((await get(app, "get/1")).body).toMatchObject({ profile_status: "disabled" });
  });
});

describe("archive and restore", () => {
  /** Subscriber 1, whose wallet is empty, archived. */
  async function withArchived() {
    const app = await withTenants(routers(acknowledges));
    app.db.$client.run("UPDATE subscribers SET auto_renew = 1, static_ip = '10.0.0.1' WHERE id = 1");
    openSession(app, 1);
    emptyWallet(app.db);
    const { status, body } = await post(app, "archive", { user_id: 1 });
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: "Subscriber archived. 1 session was ended." },
    });
    return app;
  }

  test("refused while the wallet holds money", async () => {
    using app = await withTenants();
    const { status, body } = await post(app, "archive", { user_id: 1 });
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        error:
          "the wallet of user1 holds 100.00; hand it back (payment/refund) or book it away (wallet/adjust) first",
      },
    });
    expect((await get(app, "get/1")).status).toBe(200);
  });

  test("there is no trace of who left, unless archived is asked for", async () => {
    using app = await withArchived();
    for (const path of ["get/1", "usage/1", "notes/1", "statement/1", "sessions/1", "logins/1"]) {
      expect((await get(app, path)).status).toBe(404);
      expect((await get(app, `${path}?archived=0`)).status).toBe(404);
      expect((await get(app, `${path}?archived=1`)).status).toBe(200);
    }
    const entries = "/api/v1/wallet/entries?user_id=1";
    expect((await app.call("GET", entries, { basic })).status).toBe(404);
    expect((await app.call("GET", `${entries}&archived=1`, { basic })).status).toBe(200);
    expect((await get(app, "why/1")).status).toBe(404);
    for (const [operation, form] of [
      ["enable", {}],
      ["disable", {}],
      ["archive", {}],
      ["note", { note: "A" }],
      ["reset_password", { new_password: "A" }],
      ["plant", { box_number: "A" }],
    ] as const)
      expect([operation, (await post(app, operation, { user_id: 1, ...form })).status]).toEqual([
        operation,
        404,
      ]);
    const activated = await app.call("POST", "/api/v1/activation/activate", {
      basic,
      form: { user_id: 1, package_id: 1 },
    });
    expect(activated.status).toBe(404);
    expect(idsIn((await get(app, "list")).body)).toEqual([2]);
    expect(idsIn((await get(app, "list?archived=0")).body)).toEqual([2]);
    expect(idsIn((await get(app, "list?archived=1")).body)).toEqual([1]);
    expect((await get(app, "get/1?archived=1")).body).toMatchObject({
      id: 1,
      username: "user1",
      profile_status: "disabled",
      connection_status: "offline",
      auto_renew: 0,
      archived_at: formatTime(NOW),
    });
  });

  test("nobody signs in by the name, and it is free with the numbers and the address", async () => {
    using app = await withArchived();
    expect(new AccessReader(app.db).candidate("user1")).toBeUndefined();
    const login = await app.call("POST", `${PREFIX}/login`, {
      json: { username: "user1", password: "pw-1" },
    });
    expect(login.status).toBe(401);
    const {
      id: _,
      balance: __,
      current_expiration_date: ___,
      ...same
    } = aSubscriber(1, { static_ip: "10.0.0.1" });
    expect((await post(app, "create", same)).status).toBe(200);
    const { status, body } = await post(app, "restore", { user_id: 1 });
    expect({ status, body }).toEqual({
      status: 409,
      body: {
        error:
          "another subscriber has the username, nic_number, mobile_number, static_ip of user1 by now; change it there first",
      },
    });
  });

  test("who comes back is disabled, and itself again once it is enabled", async () => {
    using app = await withArchived();
    expect((await post(app, "restore", { user_id: 1 })).body).toEqual({
      success: "Subscriber restored. It is disabled until it is enabled.",
    });
    expect((await get(app, "get/1")).body).toMatchObject({ profile_status: "disabled", archived_at: null });
    await post(app, "enable", { user_id: 1 });
    expect(new AccessReader(app.db).candidate("user1")).toMatchObject({ id: 1 });
    const login = await app.call("POST", `${PREFIX}/login`, {
      json: { username: "user1", password: "pw-1" },
    });
    expect(login.status).toBe(200);
    expect((await post(app, "restore", { user_id: 1 })).status).toBe(200); // there is nothing to do
    expect((await get(app, "get/1")).body).toMatchObject({ profile_status: "active" });
  });

  test("a session whose router did not end it is ended later", async () => {
    using app = await withTenants(routers(silent));
    openSession(app, 1);
    emptyWallet(app.db);
    expect((await post(app, "archive", { user_id: 1 })).body).toMatchObject({
      failures: ["core: no answer"],
    });
    expect(
      await new Enforcer(app.db, {
        clock: () => app.clock.now,
        routers: { ...noRouters, ...acknowledges },
      }).run(),
    ).toEqual({
      ended: 1,
      changed: 0,
      failures: [],
    });
    expect((await get(app, "usage/1?archived=1")).body).toMatchObject({ online: false });
  });

  test("two who had the same name may both have left", async () => {
    using app = await withArchived();
    const { id: _, balance: __, current_expiration_date: ___, ...same } = aSubscriber(1);
    const { body } = await post(app, "create", same);
    const second = typeof body === "object" && body && "id" in body ? body.id : undefined;
    expect((await post(app, "archive", { user_id: second })).status).toBe(200);
    expect(idsIn((await get(app, "list?archived=1")).body)).toEqual([1, second]);
  });

  test("an export and an import keep who left apart", async () => {
    using app = await withArchived();
    const file = JSON.parse(JSON.stringify(exportDataSet(app.db, cli, { secrets: true })));
    expect(file.subscribers[0]).toMatchObject({
      id: 1,
      username: "user1",
      archived_at: formatTime(NOW),
      status: 0,
    });
    using other = await withTenants();
    await importDataSet(other.db, cli, file, { now: NOW, overwriteMoney: true });
    expect(
      JSON.parse(JSON.stringify(exportDataSet(other.db, cli, { secrets: true }))).subscribers[0],
    ).toMatchObject({
      archived_at: formatTime(NOW),
    });
    expect(new AccessReader(other.db).candidate("user1")).toBeUndefined();
    // the name and the numbers of who left are a newcomer's
    const newcomer = { ...aSubscriber(50), username: "user1", nic_number: "N1", mobile_number: "M1" };
    await importDataSet(other.db, cli, { subscribers: [newcomer] }, { now: NOW });
    expect(new AccessReader(other.db).candidate("user1")).toMatchObject({ id: 50 });
    const back = importDataSet(
      other.db,
      cli,
      { subscribers: [{ id: 1, username: "user1", archived_at: null }] },
      { now: NOW },
    );
    await expect(back).rejects.toThrow();
  });
});

describe("notes of the staff", () => {
  test("have the time and who wrote them", async () => {
    using app = await withTenants();
    expect((await post(app, "note_add", { user_id: 1, note: "Called\nagain" })).body).toEqual({
      success: "Note added.",
      id: 1,
    });
    expect((await get(app, "notes/1")).body).toEqual({
      user_id: 1,
      global_note: "",
      staff_notes: [
        { id: 1, note: "Called\nagain", added_by: 1, added_by_name: "Ada", created_at: formatTime(NOW) },
      ],
    });
    expect((await post(app, "note_add", { user_id: 1, note: "" })).status).toBe(400);
    expect((await post(app, "note_add", { user_id: 1, note: "x".repeat(10_001) })).status).toBe(400);
  });
});

test("a portal password is the portal's alone, and ends when it is sent empty", async () => {
  using app = await withTenants();
  const signIn = async (password: string) =>
    (await app.call("POST", `${PREFIX}/login`, { json: { username: "user1", password } })).status;
  await post(app, "portal_password", { user_id: 1, portal_password: "sunny-day-7" });
  expect([await signIn("sunny-day-7"), await signIn("pw-1")]).toEqual([200, 401]);
  expect((await get(app, "get/1")).body).toMatchObject({ password: "pw-1" });
  expect((await post(app, "portal_password", { user_id: 1, portal_password: "" })).body).toEqual({
    success: "Portal password ended: the password of the line opens the portal.",
  });
  expect(await signIn("pw-1")).toBe(200);
  expect((await post(app, "portal_password", { user_id: 1 })).status).toBe(400);
  expect((await post(app, "portal_password", { user_id: 1, portal_password: "short" })).status).toBe(400);
});

test("the plant: what is absent stays, what is sent empty is cleared, nothing else is touched", async () => {
  using app = await withTenants();
  await post(app, "plant", { user_id: 1, box_number: "B-1", uplink_port: "3", latitude: "51.5" });
  await post(app, "plant", { user_id: 1, uplink_port: "", fiber_code: "F1", name: "Other" });
  expect((await get(app, "get/1")).body).toMatchObject({
    box_number: "B-1",
    uplink_port: null,
    latitude: 51.5,
    fiber_code: "F1",
    name: "User 1",
  });
  app.db.$client.run("DELETE FROM role_permissions WHERE flag NOT IN ('subscriber_plant', 'api_access')");
  const form = { user_id: 1, box_number: "B-2" };
  expect((await app.call("POST", `${PREFIX}/plant`, { basic: callers.branch, form })).status).toBe(200);
});

describe("take_device", () => {
  test("takes the address of the last login that was refused, and leaves the lock", async () => {
    using app = await withTenants();
    refuseLogin(app.db);
    app.db.$client.run("UPDATE subscribers SET mac_address = '02:00:00:00:00:01', mac_lock = 1 WHERE id = 1");
    expect((await post(app, "take_device", { user_id: 1 })).body).toEqual({
      success: `MAC address AA:BB:CC:DD:EE:01 taken, of the login at ${formatTime(NOW - 60)} (rejected: locked to another MAC address; change the address or unlock it).`,
      mac_address: "AA:BB:CC:DD:EE:01",
    });
    expect((await get(app, "get/1")).body).toMatchObject({ mac_address: "AA:BB:CC:DD:EE:01", mac_lock: 1 });
  });

  test("is refused where nobody was", async () => {
    using app = await withTenants();
    const { status, body } = await post(app, "take_device", { user_id: 1 });
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        error:
          "no login of user1 was refused lately; let the device dial once, or send its address with change_mac",
      },
    });
  });
});

describe("box", () => {
  test("who hangs on it, by ports, who is online, and since when not", async () => {
    using app = await withTenants();
    await importDataSet(
      app.db,
      cli,
      {
        subscribers: [
          aSubscriber(3, { box_number: "B-1", uplink_port: "10" }),
          aSubscriber(4, { box_number: "B-1" }),
          aSubscriber(5, { box_number: "B-1", uplink_port: "2" }),
          aSubscriber(6, { box_number: "B-12", uplink_port: "1" }),
        ],
      },
      { now: NOW },
    );
    openSession(app, 3);
    openSession(app, 5, "S2");
    app.db.$client.run(`UPDATE sessions SET stopped_at = ${NOW - 5} WHERE subscriber_id = 5`);
    const { body } = await get(app, "box?box_number=B-1");
    const rows = Array.isArray(body) ? body : [];
    expect(rows.map(({ id, uplink_port, online, since }) => [id, uplink_port, online, since])).toEqual([
      [5, "2", false, formatTime(NOW - 5)],
      [3, "10", true, formatTime(NOW - 60)],
      [4, null, false, null],
    ]);
    expect((await get(app, "box?box_number=b-1")).body).toEqual([]);
    expect((await get(app, "box")).status).toBe(400);
  });
});

describe("why", () => {
  const sentences: [what: string, sql: string, sentence: string, remedy: string | null][] = [
    [
      "disabled",
      "UPDATE subscribers SET status = 0",
      "user1 is offline: staff have disabled it.",
      "enable the subscriber",
    ],
    [
      "frozen",
      `UPDATE services SET frozen_at = ${NOW - 9}`,
      `user1 is offline: the service is frozen since ${formatTime(NOW - 9)}.`,
      "thaw it",
    ],
    [
      "thawed by now",
      `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason) VALUES (${NOW}, 1, '127.0.0.1', 'user1', 1, 0, 'frozen')`,
      `user1 is active by now, and has not dialled since it was refused at ${formatTime(NOW)}.`,
      "let the device dial again: switch it off and on",
    ],
    [
      "never activated",
      "DELETE FROM services",
      "user1 is offline: no package was ever activated.",
      "activate a package",
    ],
    [
      "expired",
      `UPDATE services SET expires_at = ${NOW - 9}`,
      `user1 is offline: expired since ${formatTime(NOW - 9)}.`,
      "activate a package",
    ],
    [
      "refused",
      `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason) VALUES (${NOW}, 1, '127.0.0.1', 'user1', 1, 0, 'wrong_password')`,
      `user1 is offline: refused at ${formatTime(NOW)} by core, wrong password.`,
      "reset the password, and enter the new one in the device",
    ],
    [
      "refused for what is over",
      `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason) VALUES (${NOW}, 1, '127.0.0.1', 'user1', 1, 0, 'expired')`,
      `user1 is active by now, and has not dialled since it was refused at ${formatTime(NOW)}.`,
      "let the device dial again: switch it off and on",
    ],
    [
      "online",
      `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, framed_ip, started_at, updated_at) VALUES (1, '127.0.0.1', 'S1', 'user1', 1, '10.0.0.7', ${NOW}, ${NOW})`,
      `user1 is online since ${formatTime(NOW)} with 10.0.0.7 on core.`,
      null,
    ],
  ];
  test.each(sentences)("%s", async (_what, sql, sentence, remedy) => {
    using app = await withTenants();
    app.db.$client.run(sql);
    const { status, body } = await get(app, "why/1");
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_id: 1, username: "user1", sentence, remedy });
  });

  test("nobody has asked", async () => {
    using app = await withTenants();
    const { body } = await get(app, "why/1");
    expect(body).toMatchObject({
      sentence:
        "user1 is offline: no router has asked about user1 in the time that decisions are kept: the device does not dial, or the router does not reach us.",
      remedy: 'look in the log for "unknown NAS" and "not signed with our shared secret"',
      decisions: [],
    });
  });
});

describe("statement", () => {
  test("what moved between two times, the balances around it, and what is open", async () => {
    using app = await withTenants();
    const activate = (user_id: number, package_id: number) =>
      app.call("POST", "/api/v1/activation/activate", { basic, form: { user_id, package_id } });
    app.clock.now = NOW + 86_400;
    await activate(1, 1);
    app.clock.now += 86_400;
    await activate(1, 2);
    const all = await get(app, "statement/1");
    expect(all.body).toMatchObject({
      opening_balance: 0,
      entries: [
        { kind: "opening", amount: 100, balance: 100 },
        { kind: "activation", amount: -15, balance: 85 },
        { kind: "activation", amount: -15, balance: 70 },
      ],
      closing_balance: 70,
      open_invoices: [],
      open_without_invoice: 0,
    });
    const day = formatTime(NOW + 86_400).slice(0, 10);
    expect((await get(app, `statement/1?from=${day}&to=${day}`)).body).toMatchObject({
      opening_balance: 100,
      entries: [{ kind: "activation", invoice_number: "I-2030-000001", receipt_number: null }],
      closing_balance: 85,
    });
    expect((await get(app, "statement/1?from=2031-01-01")).body).toMatchObject({
      opening_balance: 70,
      entries: [],
      closing_balance: 70,
    });
    expect((await get(app, "statement/1?to=2029-01-01")).body).toMatchObject({
      opening_balance: 0,
      entries: [],
      closing_balance: 0,
    });
    emptyWallet(app.db);
    await activate(1, 2);
    app.clock.now += 200;
    await activate(1, 2);
    expect((await get(app, "statement/1")).body).toMatchObject({
      closing_balance: -15,
      open_invoices: [{ amount: 15, open: 15, package_name: "Post" }],
    });
  });

  test("what was booked as a credit once is an adjustment, as in the wallet", async () => {
    using app = await withTenants();
    app.db.$client.run(
      "INSERT INTO ledger_entries (isp_id, subscriber_id, amount, balance_after, kind, created_at) VALUES (1, 1, 500, 10500, 'credit', 1)",
    );
    expect((await get(app, "statement/1")).body).toMatchObject({
      entries: [{ kind: "opening" }, { kind: "adjustment", amount: 5 }],
    });
    expect((await app.call("GET", "/api/v1/wallet/entries?user_id=1", { basic })).body).toMatchObject([
      { kind: "adjustment", amount: 5 },
      { kind: "opening" },
    ]);
  });
});
