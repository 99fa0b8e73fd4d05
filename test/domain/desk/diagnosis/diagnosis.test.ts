import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { subscribers, services } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { readHead } from "../../../../src/domain/desk/subscriber-page/head.ts";
import { diagnose } from "../../../../src/domain/desk/diagnosis/diagnosis.ts";
import { type Code, causesByReason } from "../../../../src/domain/desk/diagnosis/diagnosis-kinds.ts";
import { outcomes } from "../../../../src/domain/service/access/outcomes.ts";
import { archiveSubscriber } from "../../../../src/domain/desk/subscriber-page/archive.ts";
import { resetPassword } from "../../../../src/domain/goods/subscribers/reset-password.ts";
import { unlockMac } from "../../../../src/domain/goods/subscribers/mac.ts";
import { setSubscriberStatus } from "../../../../src/domain/goods/subscribers/status.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aPackage, aSubscriber, by, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneTemplate } from "../../../support/store.ts";
import { boss } from "../../../support/office.ts";
import { emptyWallet } from "../../../support/tenants.ts";

const MINUTE = 60;
const OWN = "48:57:DD:90:2E:11";
const NEW = "D8:07:B6:1A:4F:C2";

/** Subscriber 1 is active and locked to its device, 2 was never activated, 3 has a router's own login, 4 a static address. */
const isp = undoneTemplate((db) =>
  loadIsp(db, {
    packages: [aPackage(2, { data_quota_bytes: 1000, quota_exceeded: "reject" })],
    subscribers: [
      aSubscriber(1, { mac_address: OWN, mac_lock: 1, balance: "1.00" }),
      newSubscriber(2, { balance: "0.00" }),
      newSubscriber(3, { connection_type_id: 3 }),
      newSubscriber(4, { connection_type_id: 5, static_ip: "10.0.0.4" }),
    ],
  }),
);

/** A decision about subscriber 1, minutes ago. */
function decided(
  db: Db,
  reason: string,
  ago: number,
  { mac = OWN, detail = null as string | null, id = 1 } = {},
): void {
  db.$client
    .query(
      `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason, mac, detail)
       VALUES (?, 1, '127.0.0.1', 'user1', ?, ?, ?, ?, ?)`,
    )
    .run(NOW - ago * MINUTE, id, reason.startsWith("accepted") ? 1 : 0, reason, mac, detail);
}

const session = (more: object) => ({
  nasId: 1,
  subscriberId: 1,
  username: "user1",
  startedAt: NOW - 3600,
  updatedAt: NOW - 30,
  mac: OWN,
  ...more,
});
const was = (db: Db, cause = "Lost-Carrier") =>
  insertSessions(db, session({ stoppedAt: NOW - 1800, terminateCause: cause, closedBy: "stop" }));
const online = (db: Db, more = {}) => insertSessions(db, session(more));
const service = (db: Db, values: Partial<typeof services.$inferInsert>) =>
  update(db, services, values, { subscriberId: 1 });

interface Case {
  readonly code: Code;
  readonly setUp: (db: Db) => unknown;
  readonly fixes?: string[];
  readonly severity?: string;
  readonly who?: number;
}

const now = { now: NOW };
const cases: Record<string, Case> = {
  "online and well": { code: "online", setUp: online, severity: "good" },
  "slower, because the data is used up": {
    code: "online_slowed",
    setUp: (db) => {
      service(db, { quotaTotal: 10, quotaUsed: 10, quotaExceeded: "1M/1M" });
      online(db, { acceptedAs: "accepted_slowed_down" });
    },
    fixes: ["pay", "renew", "package"],
  },
  "at the pay page, because it has expired": {
    code: "online_held_expired",
    setUp: (db) => {
      service(db, { expiresAt: NOW - 7200 });
      online(db, { acceptedAs: "accepted_expired" });
    },
    fixes: ["pay", "renew", "trust"],
    severity: "warn",
  },
  "at the pay page, because the data is used up": {
    code: "online_held_data",
    setUp: (db) => {
      service(db, { quotaTotal: 10, quotaUsed: 11 });
      online(db, { acceptedAs: "accepted_quota_used_up" });
    },
    fixes: ["pay", "renew", "package"],
  },
  "at the pay page, and paid since": {
    code: "online_held_paid",
    setUp: (db) => online(db, { acceptedAs: "accepted_expired" }),
    fixes: ["disconnect"],
  },
  "online although it has expired": {
    code: "online_expired",
    setUp: (db) => {
      service(db, { expiresAt: NOW - 5 });
      online(db);
    },
    fixes: ["pay", "renew", "trust"],
  },
  "online although disabled": {
    code: "online_disabled",
    setUp: (db) => {
      setSubscriberStatus(db, by, { subscriberId: 1, enabled: false }, now);
      online(db);
    },
    fixes: ["disconnect"],
    severity: "bad",
  },
  "online although frozen": {
    code: "online_frozen",
    setUp: (db) => {
      service(db, { frozenAt: NOW - 60 });
      online(db);
    },
    fixes: ["disconnect"],
  },
  "online as last heard": {
    code: "online_unheard",
    setUp: (db) => online(db, { updatedAt: NOW - 601 }),
  },
  "a second device is refused": {
    code: "second_device",
    setUp: (db) => {
      online(db);
      decided(db, "too_many_sessions", 5, { mac: NEW });
    },
    fixes: ["end_session", "package"],
  },
  "a second device was refused long ago": {
    code: "online",
    setUp: (db) => {
      online(db, { startedAt: NOW - 90_000 });
      decided(db, "too_many_sessions", 120, { mac: NEW });
    },
  },
  archived: {
    code: "archived",
    setUp: async (db) => {
      emptyWallet(db);
      await archiveSubscriber(
        db,
        by,
        { subscriberId: 1 },
        { clock: () => NOW, routers: new RecordedRouters() },
      );
    },
    fixes: ["restore"],
  },
  "disabled by staff": {
    code: "disabled",
    setUp: (db) => {
      setSubscriberStatus(db, { ...boss, staffId: 1 }, { subscriberId: 1, enabled: false }, now);
      decided(db, "disabled", 1);
    },
    fixes: ["enable"],
    severity: "quiet",
  },
  frozen: {
    code: "frozen",
    setUp: (db) => {
      service(db, { frozenAt: NOW - 60 });
      decided(db, "frozen", 1);
    },
    fixes: ["thaw"],
  },
  "never activated": { code: "never_activated", setUp: () => {}, who: 2, fixes: ["pay", "activate"] },
  "the router decides": { code: "router_decides", setUp: () => {}, who: 3 },
  "a static address": { code: "static_address", setUp: () => {}, who: 4 },
  "an outage": {
    code: "outage",
    setUp: (db) => {
      was(db);
      decided(db, "accepted", 60);
      outage(db);
    },
    fixes: ["outage"],
    severity: "bad",
  },
  "refused although it is in an outage": {
    code: "new_device",
    setUp: (db) => {
      outage(db);
      decided(db, "mac_locked", 1, { mac: NEW });
    },
    fixes: ["take_device", "unlock"],
  },
  "a new device": {
    code: "new_device",
    setUp: (db) => {
      was(db);
      decided(db, "mac_locked", 1, { mac: NEW });
    },
    fixes: ["take_device", "unlock"],
    severity: "bad",
  },
  "a new device, and unlocked since": {
    code: "mended",
    setUp: (db) => {
      decided(db, "mac_locked", 1, { mac: NEW });
      unlockMac(db, by, { subscriberId: 1 }, now);
    },
  },
  "a wrong password": {
    code: "wrong_password",
    setUp: (db) => decided(db, "wrong_password", 1),
    fixes: ["password"],
  },
  "a wrong password, and changed since": {
    code: "mended",
    setUp: (db) => {
      decided(db, "wrong_password", 1);
      resetPassword(db, by, { subscriberId: 1, password: "sunny" }, now);
    },
  },
  "passwords that are no text": {
    code: "router_secret",
    setUp: (db) => decided(db, "wrong_password", 1, { detail: "garbled" }),
    fixes: ["router"],
  },
  "another ISP's router": {
    code: "other_isp",
    setUp: (db) => decided(db, "other_isp", 1),
    fixes: ["router"],
  },
  "another connection type": {
    code: "wrong_connection_type",
    setUp: (db) => decided(db, "wrong_connection_type", 1),
    fixes: ["edit"],
  },
  "a login to the router itself": {
    code: "router_login",
    setUp: (db) => decided(db, "router_login", 1),
    fixes: ["router"],
  },
  "no password to check": {
    code: "no_credentials",
    setUp: (db) => decided(db, "no_credentials", 1),
    fixes: ["router"],
  },
  "a reason of another version": { code: "mended", setUp: (db) => decided(db, "full_moon", 1) },
  "too many sessions, which are over": {
    code: "mended",
    setUp: (db) => {
      was(db);
      decided(db, "too_many_sessions", 40);
    },
  },
  "refused before there was a subscriber": { code: "mended", setUp: (db) => decided(db, "unknown_user", 40) },
  expired: {
    code: "expired",
    setUp: (db) => {
      service(db, { expiresAt: NOW - 86_400 });
      decided(db, "expired", 1);
    },
    fixes: ["pay", "renew", "trust"],
    severity: "warn",
  },
  "wrong password, and expired too": {
    code: "wrong_password",
    setUp: (db) => {
      service(db, { expiresAt: NOW - 86_400 });
      decided(db, "wrong_password", 1);
    },
    fixes: ["password"],
  },
  "paid since it was refused": {
    code: "mended",
    setUp: (db) => {
      decided(db, "expired", 10);
    },
  },
  "the data is used up": {
    code: "quota_used_up",
    setUp: (db) => {
      service(db, { quotaTotal: 10, quotaUsed: 10 });
      decided(db, "quota_used_up", 1);
    },
    fixes: ["pay", "renew", "package"],
  },
  "the line was lost": {
    code: "ended",
    setUp: (db) => {
      decided(db, "accepted", 60);
      was(db);
    },
    severity: "bad",
  },
  "the device hung up": {
    code: "ended",
    setUp: (db) => {
      decided(db, "accepted", 60);
      was(db, "User-Request");
    },
    severity: "warn",
  },
  "let in, and no accounting": {
    code: "unaccounted",
    setUp: (db) => decided(db, "accepted", 5),
    fixes: ["router"],
  },
  "its router is not signed": {
    code: "router_unsigned",
    setUp: (db) =>
      db.$client.run(
        `INSERT INTO nas_sources (nas_id, address, dropped_since, dropped_last) VALUES (1, '127.0.0.1', ${NOW - 60}, ${NOW})`,
      ),
    fixes: ["router"],
  },
  "nothing is heard of it any more": { code: "not_asking", setUp: was },
  "nobody ever asked": { code: "never_asked", setUp: () => {} },
};

function outage(db: Db): void {
  db.$client.run(
    `INSERT INTO outages (id, isp_id, kind, box_number, began_at, found_at, lines, evidence) VALUES (1, 1, 'box', 'BOX-77', ${NOW - 300}, ${NOW - 290}, 4, '{}')`,
  );
  db.$client.run(`INSERT INTO outage_lines (outage_id, subscriber_id, dark_at) VALUES (1, 1, ${NOW - 300})`);
}

test.each(Object.entries(cases))("%s", async (_, { code, setUp, fixes, severity, who = 1 }) => {
  using store = await isp();
  await setUp(store.db);
  const actor = code === "archived" ? { ...by, scope: { ...by.scope, archived: true } } : by;
  const { diagnosis } = diagnose(store.db, actor, readHead(store.db, actor, who, now), now);
  expect(diagnosis.code).toBe(code);
  expect(diagnosis.fixes.map(({ kind }) => kind)).toEqual(
    (fixes ?? []) as (typeof diagnosis.fixes)[number]["kind"][],
  );
  if (severity) expect(diagnosis.severity).toBe(severity as typeof diagnosis.severity);
});

test("every reason of a decision leads to a cause, and each cause is tried here", () => {
  expect(Object.keys(causesByReason).sort()).toEqual(Object.keys(outcomes).sort());
  const tried = new Set<string>(Object.values(cases).map(({ code }) => code));
  expect(Object.values(causesByReason).filter((code) => !tried.has(code))).toEqual([]);
});

test("what shows it: how often a device was refused since when, and the session before it", async () => {
  using store = await isp();
  was(store.db);
  for (let ago = 41; ago >= 1; ago--) decided(store.db, "mac_locked", ago, { mac: NEW });
  const { diagnosis, evidence } = diagnose(store.db, by, readHead(store.db, by, 1, now), now);
  expect(diagnosis).toMatchObject({
    locked: OWN,
    isSameRouter: true,
    run: { times: 41, mac: NEW, since: NOW - 2460, nasName: "core" },
  });
  expect(evidence.map(({ kind, at }) => [kind, NOW - at])).toEqual([
    ["login", 60],
    ["session", 1800],
  ]);
});

test("what it takes to renew, with what is owed", async () => {
  using store = await isp();
  service(store.db, { expiresAt: NOW - 86_400, activatedAt: NOW - 86_400 * 31 });
  const { diagnosis } = diagnose(store.db, by, readHead(store.db, by, 1, now), now);
  expect(diagnosis).toMatchObject({ code: "expired", money: { balance: 100, price: 1500, due: 1400 } });
  expect(diagnosis.fixes[0]).toEqual({ kind: "pay", amount: 1400 });
  const technician = { ...boss, admin: false, flags: new Set(["subscriber_view", "subscriber_mac"]) };
  expect(diagnose(store.db, technician, readHead(store.db, technician, 1, now), now).diagnosis).toMatchObject(
    {
      money: null,
      renewal: null,
    },
  );
});

test("who is renewed is not expired any more", async () => {
  using store = await isp();
  update(store.db, subscribers, { packageId: 1 }, { id: 1 });
  service(store.db, { expiresAt: NOW - 86_400 });
  store.db.$client.run("UPDATE packages SET billing_type = 'postpaid' WHERE id = 1");
  decided(store.db, "expired", 5);
  activate(store.db, by, { subscriberId: 1, packageId: 1 }, now);
  expect(diagnose(store.db, by, readHead(store.db, by, 1, now), now).diagnosis.code).toBe("mended");
});
