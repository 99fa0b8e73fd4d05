import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { subscribers, services } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { headOf } from "../../../../src/domain/desk/subscriber-page/head.ts";
import { matterOf } from "../../../../src/domain/desk/matter/matter.ts";
import { type Code, causeOfReason } from "../../../../src/domain/desk/matter/matter-kinds.ts";
import { outcomes } from "../../../../src/domain/service/access/outcomes.ts";
import { archiveSubscriber } from "../../../../src/domain/desk/subscriber-page/archive.ts";
import { resetPassword } from "../../../../src/domain/goods/subscribers/reset-password.ts";
import { unlockMac } from "../../../../src/domain/goods/subscribers/mac.ts";
import { setSubscriberStatus } from "../../../../src/domain/goods/subscribers/status.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { AskedRouters } from "../../../support/asked-routers.ts";
import { aPackage, aSubscriber, by, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, templateStore } from "../../../support/store.ts";
import { boss } from "../../../support/office.ts";
import { emptyWallet } from "../../../support/tenants.ts";

const MINUTE = 60;
const OWN = "48:57:DD:90:2E:11";
const NEW = "D8:07:B6:1A:4F:C2";

/** Subscriber 1 is active and locked to its device, 2 was never activated, 3 has a router's own login, 4 a static address. */
const isp = templateStore((db) =>
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
  readonly given: (db: Db) => unknown;
  readonly remedies?: string[];
  readonly severity?: string;
  readonly who?: number;
}

const now = { now: NOW };
const cases: Record<string, Case> = {
  "online and well": { code: "online", given: online, severity: "good" },
  "slower, because the data is used up": {
    code: "online_slowed",
    given: (db) => {
      service(db, { quotaTotal: 10, quotaUsed: 10, quotaExceeded: "1M/1M" });
      online(db, { acceptedAs: "accepted_slowed_down" });
    },
    remedies: ["pay", "renew", "package"],
  },
  "at the pay page, because it has expired": {
    code: "online_held_expired",
    given: (db) => {
      service(db, { expiresAt: NOW - 7200 });
      online(db, { acceptedAs: "accepted_expired" });
    },
    remedies: ["pay", "renew", "trust"],
    severity: "warn",
  },
  "at the pay page, because the data is used up": {
    code: "online_held_data",
    given: (db) => {
      service(db, { quotaTotal: 10, quotaUsed: 11 });
      online(db, { acceptedAs: "accepted_quota_used_up" });
    },
    remedies: ["pay", "renew", "package"],
  },
  "at the pay page, and paid since": {
    code: "online_held_paid",
    given: (db) => online(db, { acceptedAs: "accepted_expired" }),
    remedies: ["disconnect"],
  },
  "online although it has expired": {
    code: "online_expired",
    given: (db) => {
      service(db, { expiresAt: NOW - 5 });
      online(db);
    },
    remedies: ["pay", "renew", "trust"],
  },
  "online although disabled": {
    code: "online_disabled",
    given: (db) => {
      setSubscriberStatus(db, by, { subscriberId: 1, enabled: false }, now);
      online(db);
    },
    remedies: ["disconnect"],
    severity: "bad",
  },
  "online although frozen": {
    code: "online_frozen",
    given: (db) => {
      service(db, { frozenAt: NOW - 60 });
      online(db);
    },
    remedies: ["disconnect"],
  },
  "online as last heard": {
    code: "online_unheard",
    given: (db) => online(db, { updatedAt: NOW - 601 }),
  },
  "a second device is refused": {
    code: "second_device",
    given: (db) => {
      online(db);
      decided(db, "too_many_sessions", 5, { mac: NEW });
    },
    remedies: ["end_session", "package"],
  },
  "a second device was refused long ago": {
    code: "online",
    given: (db) => {
      online(db, { startedAt: NOW - 90_000 });
      decided(db, "too_many_sessions", 120, { mac: NEW });
    },
  },
  archived: {
    code: "archived",
    given: async (db) => {
      emptyWallet(db);
      await archiveSubscriber(db, by, { subscriberId: 1 }, { clock: () => NOW, routers: new AskedRouters() });
    },
    remedies: ["restore"],
  },
  "disabled by staff": {
    code: "disabled",
    given: (db) => {
      setSubscriberStatus(db, { ...boss, staffId: 1 }, { subscriberId: 1, enabled: false }, now);
      decided(db, "disabled", 1);
    },
    remedies: ["enable"],
    severity: "quiet",
  },
  frozen: {
    code: "frozen",
    given: (db) => {
      service(db, { frozenAt: NOW - 60 });
      decided(db, "frozen", 1);
    },
    remedies: ["thaw"],
  },
  "never activated": { code: "never_activated", given: () => {}, who: 2, remedies: ["pay", "activate"] },
  "the router decides": { code: "router_decides", given: () => {}, who: 3 },
  "a static address": { code: "static_address", given: () => {}, who: 4 },
  "an outage": {
    code: "outage",
    given: (db) => {
      was(db);
      decided(db, "accepted", 60);
      outage(db);
    },
    remedies: ["outage"],
    severity: "bad",
  },
  "refused although it is in an outage": {
    code: "new_device",
    given: (db) => {
      outage(db);
      decided(db, "mac_locked", 1, { mac: NEW });
    },
    remedies: ["take_device", "unlock"],
  },
  "a new device": {
    code: "new_device",
    given: (db) => {
      was(db);
      decided(db, "mac_locked", 1, { mac: NEW });
    },
    remedies: ["take_device", "unlock"],
    severity: "bad",
  },
  "a new device, and unlocked since": {
    code: "mended",
    given: (db) => {
      decided(db, "mac_locked", 1, { mac: NEW });
      unlockMac(db, by, { subscriberId: 1 }, now);
    },
  },
  "a wrong password": {
    code: "wrong_password",
    given: (db) => decided(db, "wrong_password", 1),
    remedies: ["password"],
  },
  "a wrong password, and changed since": {
    code: "mended",
    given: (db) => {
      decided(db, "wrong_password", 1);
      resetPassword(db, by, { subscriberId: 1, password: "sunny" }, now);
    },
  },
  "passwords that are no text": {
    code: "router_secret",
    given: (db) => decided(db, "wrong_password", 1, { detail: "garbled" }),
    remedies: ["router"],
  },
  "another ISP's router": {
    code: "other_isp",
    given: (db) => decided(db, "other_isp", 1),
    remedies: ["router"],
  },
  "another connection type": {
    code: "wrong_connection_type",
    given: (db) => decided(db, "wrong_connection_type", 1),
    remedies: ["edit"],
  },
  "a login to the router itself": {
    code: "router_login",
    given: (db) => decided(db, "router_login", 1),
    remedies: ["router"],
  },
  "no password to check": {
    code: "no_credentials",
    given: (db) => decided(db, "no_credentials", 1),
    remedies: ["router"],
  },
  "a reason of another version": { code: "mended", given: (db) => decided(db, "full_moon", 1) },
  "too many sessions, which are over": {
    code: "mended",
    given: (db) => {
      was(db);
      decided(db, "too_many_sessions", 40);
    },
  },
  "refused before there was a subscriber": { code: "mended", given: (db) => decided(db, "unknown_user", 40) },
  expired: {
    code: "expired",
    given: (db) => {
      service(db, { expiresAt: NOW - 86_400 });
      decided(db, "expired", 1);
    },
    remedies: ["pay", "renew", "trust"],
    severity: "warn",
  },
  "wrong password, and expired too": {
    code: "wrong_password",
    given: (db) => {
      service(db, { expiresAt: NOW - 86_400 });
      decided(db, "wrong_password", 1);
    },
    remedies: ["password"],
  },
  "paid since it was refused": {
    code: "mended",
    given: (db) => {
      decided(db, "expired", 10);
    },
  },
  "the data is used up": {
    code: "quota_used_up",
    given: (db) => {
      service(db, { quotaTotal: 10, quotaUsed: 10 });
      decided(db, "quota_used_up", 1);
    },
    remedies: ["pay", "renew", "package"],
  },
  "the line was lost": {
    code: "ended",
    given: (db) => {
      decided(db, "accepted", 60);
      was(db);
    },
    severity: "bad",
  },
  "the device hung up": {
    code: "ended",
    given: (db) => {
      decided(db, "accepted", 60);
      was(db, "User-Request");
    },
    severity: "warn",
  },
  "let in, and no accounting": {
    code: "unaccounted",
    given: (db) => decided(db, "accepted", 5),
    remedies: ["router"],
  },
  "its router is not signed": {
    code: "router_unsigned",
    given: (db) =>
      db.$client.run(
        `INSERT INTO nas_sources (nas_id, address, dropped_since, dropped_last) VALUES (1, '127.0.0.1', ${NOW - 60}, ${NOW})`,
      ),
    remedies: ["router"],
  },
  "nothing is heard of it any more": { code: "not_asking", given: was },
  "nobody ever asked": { code: "never_asked", given: () => {} },
};

function outage(db: Db): void {
  db.$client.run(
    `INSERT INTO outages (id, isp_id, kind, box_number, began_at, found_at, lines, evidence) VALUES (1, 1, 'box', 'BOX-77', ${NOW - 300}, ${NOW - 290}, 4, '{}')`,
  );
  db.$client.run(`INSERT INTO outage_lines (outage_id, subscriber_id, dark_at) VALUES (1, 1, ${NOW - 300})`);
}

test.each(Object.entries(cases))("%s", async (_, { code, given, remedies, severity, who = 1 }) => {
  using store = await isp();
  await given(store.db);
  const actor = code === "archived" ? { ...by, scope: { ...by.scope, archived: true } } : by;
  const { matter } = matterOf(store.db, actor, headOf(store.db, actor, who, now), now);
  expect(matter.code).toBe(code);
  expect(matter.remedies.map(({ kind }) => kind)).toEqual(
    (remedies ?? []) as (typeof matter.remedies)[number]["kind"][],
  );
  if (severity) expect(matter.severity).toBe(severity as typeof matter.severity);
});

test("every reason of a decision leads to a cause, and each cause is tried here", () => {
  expect(Object.keys(causeOfReason).sort()).toEqual(Object.keys(outcomes).sort());
  const tried = new Set<string>(Object.values(cases).map(({ code }) => code));
  expect(Object.values(causeOfReason).filter((code) => !tried.has(code))).toEqual([]);
});

test("what shows it: how often a device was refused since when, and the session before it", async () => {
  using store = await isp();
  was(store.db);
  for (let ago = 41; ago >= 1; ago--) decided(store.db, "mac_locked", ago, { mac: NEW });
  const { matter, evidence } = matterOf(store.db, by, headOf(store.db, by, 1, now), now);
  expect(matter).toMatchObject({
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
  const { matter } = matterOf(store.db, by, headOf(store.db, by, 1, now), now);
  expect(matter).toMatchObject({ code: "expired", money: { balance: 100, price: 1500, due: 1400 } });
  expect(matter.remedies[0]).toEqual({ kind: "pay", amount: 1400 });
  const technician = { ...boss, admin: false, flags: new Set(["subscriber_view", "subscriber_mac"]) };
  expect(matterOf(store.db, technician, headOf(store.db, technician, 1, now), now).matter).toMatchObject({
    money: null,
    renewal: null,
  });
});

test("who is renewed is not expired any more", async () => {
  using store = await isp();
  update(store.db, subscribers, { packageId: 1 }, { id: 1 });
  service(store.db, { expiresAt: NOW - 86_400 });
  store.db.$client.run("UPDATE packages SET billing_type = 'postpaid' WHERE id = 1");
  decided(store.db, "expired", 5);
  activate(store.db, by, { subscriberId: 1, packageId: 1 }, now);
  expect(matterOf(store.db, by, headOf(store.db, by, 1, now), now).matter.code).toBe("mended");
});
