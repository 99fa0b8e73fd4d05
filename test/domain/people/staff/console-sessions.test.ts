import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { setBusyTimeout } from "../../../../db/open.ts";
import { updatePermissions } from "../../../../src/domain/people/roles/permissions.ts";
import { forgetOldRows } from "../../../../src/domain/machine/retention/forget.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { changeStaffPassword, setStaffStatus } from "../../../../src/domain/people/staff/accounts.ts";
import {
  closeConsoleSession,
  consoleSession,
  endConsoleSession,
  endOtherConsoleSessions,
  listConsoleSessions,
  signInToConsole,
} from "../../../../src/domain/people/staff/console-sessions.ts";
import { cli, insertIsps, insertRole, insertStaff } from "../../../support/people.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

const HOUR = 3600;
const source = "192.0.2.7";

async function office() {
  const store = temporaryStore();
  const { db } = store;
  insertIsps(db);
  insertRole(db, 1, 1, "Front desk", ["subscriber_view", "wallet_view"]);
  const { id: staffId } = await insertStaff(db, "desk", { profile_type: 2, role_code: 1 });
  const signIn = (now = NOW, password = "secret-1", username = "desk") =>
    signInToConsole(db, { username, password, source, userAgent: "Firefox", now });
  const at = (id: string, now: number) => consoleSession(db, id, { now, source: "192.0.2.8" });
  const actions = () =>
    db.$client
      .query<{ action: string }, []>("SELECT action FROM audit_entries WHERE action LIKE 'staff.console%'")
      .all()
      .map(({ action }) => action);
  return Object.assign(store, { staffId, signIn, at, actions });
}

describe("signing in to the console", () => {
  test("by username or e-mail address, without api_access; the secret is not in the store", async () => {
    using store = await office();
    const { id, needs } = await store.signIn();
    expect(needs).toBe("nothing");
    await store.signIn(NOW, "secret-1", " DESK@isp.example ");
    expect(JSON.stringify(store.db.$client.query("SELECT * FROM staff_sessions").all())).not.toContain(id);
    expect(store.actions()).toEqual(["staff.console_sign_in", "staff.console_sign_in"]);
  });

  test.each([
    ["a wrong password", "desk", "secret-2", "unauthenticated"],
    ["an unknown name", "nobody", "secret-1", "unauthenticated"],
    ["a disabled account", "off", "secret-1", "forbidden"],
  ])("%s is refused", async (_, username, password, kind) => {
    using store = await office();
    await insertStaff(store.db, "off", { status: 0 });
    await expect(store.signIn(NOW, password, username)).rejects.toMatchObject({ kind });
    expect(store.actions()).toEqual([]);
  });

  test("a password that is changed while it is verified opens nothing", async () => {
    using store = await office();
    const signingIn = store.signIn();
    store.db.$client.run("UPDATE staff SET password_hash = password_hash || 'x'");
    await expect(signingIn).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  test("from a twenty-first browser ends the oldest session", async () => {
    using store = await office();
    const ids: string[] = [];
    for (let i = 0; i <= 20; i++) ids.push((await store.signIn(NOW + i)).id);
    expect(ids.map((id) => store.at(id, NOW + 30) !== undefined)).toEqual([false, ...Array(20).fill(true)]);
  });
});

describe("a session", () => {
  test("is the account with the scope, the flags and the address of this moment", async () => {
    using store = await office();
    const { id } = await store.signIn();
    updatePermissions(store.db, cli, { code: 1, sent: { wallet_view: 0, invoice_view: 1 } }, { now: NOW });
    expect(store.at(id, NOW)).toMatchObject({
      by: {
        staffId: store.staffId,
        name: "desk",
        source: "192.0.2.8",
        admin: false,
        scope: { ispId: 1, branchId: null, salespersonId: null },
        flags: new Set(["subscriber_view", "invoice_view"]),
      },
      account: { username: "desk" },
      needs: "nothing",
    });
  });

  test("lives while somebody is there, and twelve hours at the most", async () => {
    using store = await office();
    const { id } = await store.signIn();
    for (let minutes = 59; minutes < 720; minutes += 59)
      expect([minutes, store.at(id, NOW + minutes * 60) !== undefined]).toEqual([minutes, true]);
    expect(store.at(id, NOW + 12 * HOUR - 1)).toBeDefined();
    expect(store.at(id, NOW + 12 * HOUR)).toBeUndefined();
    expect(listConsoleSessions(store.db, cli, { staffId: store.staffId }, { now: NOW + 12 * HOUR })).toEqual(
      [],
    );
    expect((await forgetOldRows(store.db, cli, { now: NOW + 13 * HOUR })).tokens).toBe(1);
  });

  test("ends when nobody is there for an hour, whatever its pages ask by themselves; a setting says how long", async () => {
    using store = await office();
    const { id } = await store.signIn();
    const quiet = { now: NOW + 40 * 60, source, quiet: true };
    expect(consoleSession(store.db, id, quiet)).toBeDefined();
    expect(store.at(id, NOW + 60 * 60 - 1)).toBeDefined(); // somebody is there
    expect(store.at(id, NOW + 2 * 60 * 60 - 2)).toBeDefined();
    expect(consoleSession(store.db, id, { ...quiet, now: NOW + 3 * HOUR - 1 })).toBeUndefined();
    const other = await store.signIn(NOW);
    changeSetting(store.db, cli, { key: "console_idle_minutes", value: 5 }, { now: NOW });
    expect(store.at(other.id, NOW + 300)).toBeUndefined();
    expect(store.at(other.id, NOW + 299)).toBeDefined();
  });

  test("goes on in a store that somebody holds locked", async () => {
    using store = await office();
    setBusyTimeout(store.db, 0);
    const { id } = await store.signIn();
    const other = new Database(join(store.folder, "gatehouse.db"));
    other.run("BEGIN IMMEDIATE");
    expect(store.at(id, NOW + 120)).toBeDefined();
    other.run("ROLLBACK");
    other.close();
    await Bun.sleep(200); // it was written after all
    expect(store.db.$client.query("SELECT seen_at FROM staff_sessions").values()).toEqual([[NOW + 120]]);
  });

  test.each<[string, (store: Awaited<ReturnType<typeof office>>, id: string) => unknown]>([
    ["signing out", ({ db }, id) => closeConsoleSession(db, { id, source, now: NOW })],
    [
      "another password",
      ({ db }) => changeStaffPassword(db, cli, { username: "desk", password: "secret-2" }, { now: NOW }),
    ],
    [
      "disabling the account",
      ({ db }) => {
        setStaffStatus(db, cli, { username: "desk", status: 0 }, { now: NOW });
        setStaffStatus(db, cli, { username: "desk", status: 1 }, { now: NOW });
      },
    ],
    ["an Admin", ({ db, staffId }) => endOtherConsoleSessions(db, cli, { staffId }, { now: NOW })],
  ])("is ended by %s", async (_, end) => {
    using store = await office();
    const { id } = await store.signIn();
    await end(store, id);
    expect(store.at(id, NOW)).toBeUndefined();
  });

  test("is known by a key from which its cookie does not follow; one or all others are ended by it", async () => {
    using store = await office();
    const [one, two, three] = [
      await store.signIn(),
      await store.signIn(NOW + 1),
      await store.signIn(NOW + 2),
    ];
    const session = store.at(one.id, NOW + 3);
    if (!session) throw new Error("not signed in");
    const { by, key } = session;
    const own = { staffId: store.staffId };
    const listed = listConsoleSessions(store.db, by, own, { now: NOW + 3 });
    expect(listed.map(({ createdAt, userAgent }) => [createdAt, userAgent])).toEqual([
      [NOW + 2, "Firefox"],
      [NOW + 1, "Firefox"],
      [NOW, "Firefox"],
    ]);
    expect(store.at(key, NOW + 3)).toBeUndefined();
    endConsoleSession(store.db, by, { ...own, key: listed[0]?.key ?? "" }, { now: NOW + 3 });
    expect(store.at(three.id, NOW + 3)).toBeUndefined();
    expect(store.at(two.id, NOW + 3)).toBeDefined();
    expect(endOtherConsoleSessions(store.db, by, { ...own, key }, { now: NOW + 3 })).toBe(1);
    expect(store.at(one.id, NOW + 3)).toBeDefined();
    expect(() => endConsoleSession(store.db, by, { ...own, key: "x" }, { now: NOW })).toThrow(
      "ended already",
    );
  });

  test("of a role that needs a second factor leads to getting one, as do Admins where a setting says so", async () => {
    using store = await office();
    const { id } = await store.signIn();
    await insertStaff(store.db, "ada");
    const admin = await store.signIn(NOW, "secret-1", "ada");
    store.db.$client.run("UPDATE roles SET needs_second_factor = 1");
    expect(store.at(id, NOW)?.needs).toBe("enrolment");
    expect(store.at(admin.id, NOW)?.needs).toBe("nothing");
    changeSetting(store.db, cli, { key: "admins_need_second_factor", value: true }, { now: NOW });
    expect(store.at(admin.id, NOW)?.needs).toBe("enrolment");
  });
});
