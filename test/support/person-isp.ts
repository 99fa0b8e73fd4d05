import type { Db } from "../../db/open.ts";
import { services } from "../../db/schema.ts";
import { update } from "../../db/update.ts";
import { extend } from "../../src/domain/service/activation/extend.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { addNote } from "../../src/domain/goods/subscribers/notes.ts";
import { updateSubscriber } from "../../src/domain/goods/subscribers/update.ts";
import { localDay } from "../../src/domain/core/time/time.ts";
import { aPackage, ada, by, DAY, loadIsp, newSubscriber, rex } from "./isp.ts";
import { boss } from "./office.ts";
import { insertSessions } from "./sessions.ts";
import { NOW, templateStore } from "./store.ts";

const MINUTE = 60;
const HOUR = 3600;
export const HUAWEI = "48:46:FB:90:2E:11";
export const TPLINK = "D8:07:B6:1A:4F:C2";

const technician = [
  "subscriber_view",
  "session_view",
  "subscriber_plant",
  "subscriber_mac",
  "subscriber_disconnect",
];

/** Callers by their problem. */
export const people = { newDevice: 1, expired: 2, wrongPassword: 3, routerAway: 4, overQuota: 5, online: 6 };

/** `username:password` of an Admin, and of a technician who sees no money. */
export const staff = { admin: "ada:secret-1", technician: "tom:secret-1" };

/** Northlink on a day when the telephone rings; its router is at 127.0.0.1. */
export const personIsp = templateStore(fill);

async function fill(db: Db): Promise<void> {
  const one = (id: number, name: string, username: string, more: object = {}) =>
    newSubscriber(id, {
      name,
      username,
      balance: "0.00",
      mobile_number: `+1 555 014${id}`,
      area_id: 1,
      city_id: 1,
      ...more,
    });
  await loadIsp(db, {
    settings: { max_coa_wait: 1, disconnect_confirm: 0, portal_color: "#0f6e84" },
    cities: [{ id: 1, isp_id: 1, name: "Riverton" }],
    areas: [{ id: 1, isp_id: 1, city_id: 1, name: "Quayside" }],
    roles: [
      {
        code: 1,
        isp_id: 1,
        name: "Technician",
        permissions: Object.fromEntries(technician.map((flag) => [flag, 1])),
      },
    ],
    staff: [
      { ...ada, name: "Maya Lindqvist" },
      rex,
      { ...ada, id: 3, name: "Tom Okafor", username: "tom", email: null, profile_type: 2, role_code: 1 },
    ],
    packages: [
      aPackage(2, { name: "Family 30", price: "22.00", rate_limit: "10M/30M", data_quota_bytes: 200e9 }),
      aPackage(3, { name: "Family 50", price: "30.00", rate_limit: "20M/50M" }),
    ],
    subscribers: [
      one(1, "Joseph Mwangi", "jmwangi", {
        package_id: 2,
        address: "4 Quay Street, Riverton",
        mac_address: HUAWEI,
        mac_lock: 1,
        box_number: "BOX-77",
        uplink_port: "3",
        fiber_color: "green",
        phone_number: "0139",
      }),
      one(2, "Leila Haddad", "lhaddad", { package_id: 2, address: "19 Hill View Road, Riverton" }),
      one(3, "Omar Diallo", "odiallo", { package_id: 2 }),
      one(4, "Ana Silva", "asilva", { package_id: 2 }),
      one(5, "Chen Wei", "cwei", { package_id: 2 }),
      one(6, "Farah Rahman", "frahman", { package_id: 3 }),
    ],
  });
  for (const id of Object.values(people)) sell(db, id);
  newDevice(db);
  expired(db);
  for (let ago = 30; ago > 0; ago -= 2) decided(db, people.wrongPassword, "wrong_password", ago * MINUTE);
  session(db, people.routerAway, { startedAt: NOW - 6 * HOUR, updatedAt: NOW - 20 * MINUTE });
  outage(db);
  update(db, services, { quotaUsed: 201e9 }, { subscriberId: people.overQuota });
  for (let ago = 20; ago > 0; ago -= 5) decided(db, people.overQuota, "quota_used_up", ago * MINUTE);
  session(db, people.online, {
    startedAt: NOW - 5 * HOUR,
    updatedAt: NOW - 8,
    acctSessionId: "80a00006",
    rateInput: 900_000,
    rateOutput: 12_400_000,
  });
}

function sell(db: Db, subscriberId: number): void {
  const amount = subscriberId === people.online ? 3000 : 2200;
  const at = NOW - 12 * DAY - 2 * HOUR - 48 * MINUTE;
  takePayment(db, boss, { subscriberId, amount, method: "mobile", activates: true }, { now: at });
}

function newDevice(db: Db): void {
  const subscriberId = people.newDevice;
  updateSubscriber(
    db,
    boss,
    { username: "jmwangi", phone_number: "0142" },
    { now: NOW - 12 * DAY - 3 * HOUR, toJson: (record) => record },
  );
  addNote(
    db,
    boss,
    { subscriberId, note: "Gate code 4471. Works nights: call after 14:00." },
    { now: NOW - 70 * DAY },
  );
  decided(db, subscriberId, "accepted", 20 * HOUR, HUAWEI);
  session(db, subscriberId, {
    startedAt: NOW - 20 * HOUR,
    updatedAt: NOW - 14 * HOUR,
    stoppedAt: NOW - 14 * HOUR,
    terminateCause: "Lost-Carrier",
    inputOctets: 0.6e9,
    outputOctets: 4.1e9,
    framedIp: "100.64.12.181",
  });
  for (let ago = 41; ago > 0; ago--) decided(db, subscriberId, "mac_locked", ago * MINUTE, TPLINK);
  const used = db.$client.query("INSERT INTO usage_days VALUES (?, ?, ?, ?)");
  for (let ago = 13; ago > 0; ago--)
    used.run(subscriberId, localDay(NOW - ago * DAY), 0.4e9, (2 + ((ago * 37) % 70) / 10) * 1e9);
  update(db, services, { quotaUsed: 63.4e9 }, { subscriberId });
}

function expired(db: Db): void {
  const subscriberId = people.expired;
  extend(db, by, { subscriberId, hours: 24, reason: "storm", trust: false }, { now: NOW - 9 * DAY });
  const end = NOW - 3 * DAY;
  update(db, services, { expiresAt: end, paidUntil: end }, { subscriberId });
  db.$client
    .query("INSERT INTO auto_renewals (subscriber_id, expires_at, tried_at, reason) VALUES (?, ?, ?, ?)")
    .run(subscriberId, end, end, "the wallet holds 0.00");
  for (let ago = 12; ago > 0; ago--) decided(db, subscriberId, "expired", ago * 10 * MINUTE);
}

function outage(db: Db): void {
  db.$client.run(
    `INSERT INTO outages (id, isp_id, kind, nas_id, began_at, found_at, lines, evidence)
     VALUES (1, 1, 'router', 1, ${NOW - 20 * MINUTE}, ${NOW - 19 * MINUTE}, 122, '{"sign":"silent","usual":60,"overdue":100,"others":1,"othersHeard":1}')`,
  );
  db.$client.run(
    `INSERT INTO outage_lines (outage_id, subscriber_id, dark_at) VALUES (1, ${people.routerAway}, ${NOW - 20 * MINUTE})`,
  );
}

function session(db: Db, subscriberId: number, more: object): void {
  const username = nameOf(db, subscriberId);
  insertSessions(db, { nasId: 1, nasAddress: "127.0.0.1", subscriberId, username, mac: HUAWEI, ...more });
}

function decided(db: Db, id: number, reason: string, ago: number, mac = HUAWEI): void {
  db.$client
    .query(
      `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason, mac)
       VALUES (?, 1, '127.0.0.1', ?, ?, ?, ?, ?)`,
    )
    .run(NOW - ago, nameOf(db, id), id, reason === "accepted" ? 1 : 0, reason, mac);
}

function nameOf({ $client }: Db, id: number): string {
  const row = $client
    .query<{ username: string }, [number]>("SELECT username FROM subscribers WHERE id = ?")
    .get(id);
  return row?.username ?? "";
}
