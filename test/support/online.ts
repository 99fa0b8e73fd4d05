import type { Db } from "../../db/open.ts";
import { aPackage, aSubscriber, loadIsp, NAS_SECRET } from "./isp.ts";
import { insertSessions } from "./sessions.ts";
import { NOW } from "./store.ts";

const M = 1e6;

/** Name, router, MAC address, package, seconds up, bytes, bits down and up a second. */
const people = [
  ["Chen Wei", 1, "50:C7:BF:01:42:9C", 1, 1_051_200, 1.84e12, 94.2 * M, 6.1 * M],
  ["Rahul Mehta", 4, "2C:C8:1B:77:0E:5A", 1, 93_600, 212e9, 88.7 * M, 4.4 * M],
  ["Riverton Primary School", 2, "DC:2C:6E:41:90:B3", 1, 705_600, 640e9, 71.5 * M, 22.8 * M],
  ["Sofia Petrov", 1, "E0:19:1D:5B:C2:08", 2, 367_200, 402e9, 48.9 * M, 3.2 * M],
  ["Priya Nair", 1, "50:C7:BF:A0:11:4D", 2, 262_800, 287e9, 44.1 * M, 2 * M],
  ["Café Marula", 4, "78:8A:20:C4:6F:91", 1, 30_600, 48e9, 28.3 * M, 9.7 * M],
  ["Ewa Kowalska", 1, "C8:3A:35:12:E7:44", 2, 205_200, 130e9, 26 * M, 1.1 * M],
  ["Lucia Fernandes", 2, "D8:07:B6:55:30:EE", 3, 3720, 3.1e9, 24.4 * M, 0.9 * M],
  ["<img src=x onerror=alert(1)>", 3, "02:11:9A:5D:E3:0C", 3, 14_760, 8.8e9, 18.9 * M, 0.7 * M],
  ["Fatima Zahra El Amrani", 3, "E0:19:1D:8E:73:0F", 3, 24_480, 11e9, 17.5 * M, 2.6 * M],
] as const;

/** Four routers and their sessions; Market-4 has not reported for eleven minutes. */
export async function fillOnline(db: Db, now = NOW): Promise<void> {
  await loadIsp(db, {
    isps: [
      { id: 1, name: "Northlink", branches: [{ id: 11, name: "Centre" }] },
      { id: 2, name: "Southlink" },
    ],
    nas: ["Tower-1", "Harbour-2", "Hill-3", "Market-4"].map((name, index) => ({
      id: index + 1,
      isp_id: 1,
      name,
      address: `127.0.0.${index + 1}`,
      secret: NAS_SECRET,
    })),
    cities: [{ id: 1, isp_id: 1, name: "Riverton" }],
    areas: [{ id: 1, isp_id: 1, city_id: 1, name: "East" }],
    packages: [
      aPackage(2, { name: "Fibre 50", rate_limit: "10M/50M" }),
      aPackage(3, { name: "Family 30", rate_limit: "5M/30M" }),
    ],
    subscribers: people.map(([name, nasId, , packageId], index) =>
      aSubscriber(index + 1, { name, nas_id: nasId, package_id: packageId, area_id: index < 3 ? 1 : null }),
    ),
  });
  db.$client.run("UPDATE packages SET name = 'Fibre 100', rate_limit = '20M/100M' WHERE id = 1");
  db.$client.run("UPDATE services SET rate_limit = '20M/100M' WHERE package_id = 1");
  insertSessions(
    db,
    ...people.map(([, nasId, mac, , up, bytes, down, upload], index) => ({
      acctSessionId: `S${index + 1}`,
      username: `user${index + 1}`,
      subscriberId: index + 1,
      nasId,
      nasAddress: `127.0.0.${nasId}`,
      mac,
      framedIp: `100.64.12.${index + 1}`,
      startedAt: now - up,
      updatedAt: nasId === 4 ? now - 660 : now - 20,
      sessionTime: up,
      inputOctets: bytes / 10,
      outputOctets: bytes - bytes / 10,
      rateInput: upload,
      rateOutput: down,
      acceptedAs: index === 7 ? ("accepted_expired" as const) : null,
    })),
  );
  const minute = db.$client.query<unknown, number[]>(
    "INSERT INTO nas_minutes (nas_id, at, isp_id, sessions, accepted, rejected, input_octets, output_octets) VALUES (1, ?, 1, 10, ?, ?, ?, ?)",
  );
  const last = now - (now % 60) - 60;
  for (let index = 0; index < 60; index++) {
    const wave = 1 + 0.2 * Math.sin(index / 7) + 0.05 * Math.sin(index * 2.3);
    minute.run(
      last - index * 60,
      Math.round(70 * wave),
      2 + (index % 4),
      Math.round(3e9 * wave),
      Math.round(19e9 * wave),
    );
  }
}

/** Second, name as sent (a number: of that subscriber), router, MAC address, reason. */
const tries = [
  [1, 4, 1, "D8:07:B6:1A:4F:C2", "mac_locked"],
  [3, 1, 1, "50:C7:BF:01:42:9C", "accepted"],
  [8, "user44", 2, "50:C7:BF:19:AA:07", "unknown_user"],
  [14, 8, 2, "D8:07:B6:55:30:EE", "accepted_expired"],
  [23, 5, 2, "D8:07:B6:90:4C:1E", "wrong_password"],
  [32, 6, 1, "78:8A:20:C4:6F:92", "too_many_sessions"],
  [34, 7, 1, "C8:3A:35:12:E7:44", "accepted"],
  [39, 3, 3, "50:C7:BF:77:21:C9", "disabled"],
  [46, "<b>admin</b>", 3, "02:11:9A:5D:E3:0C", "unknown_user"],
  [52, 10, 3, "E0:19:1D:8E:73:0F", "accepted"],
] as const;

/** Minutes of logins: repeated refusals, unknown names, and a device that tries them. */
export function fillLogins({ $client }: Db, now = NOW): void {
  const insert = $client.query<unknown, (string | number | null)[]>(
    `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason, method, mac)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'pap', ?)`,
  );
  const add = (at: number, who: number | string, nasId: number, mac: string, reason: string) => {
    const [username, id] = typeof who === "number" ? [`user${who}`, who] : [who, null];
    insert.run(
      at,
      nasId,
      `127.0.0.${nasId}`,
      username,
      id,
      reason.startsWith("accepted") ? 1 : 0,
      reason,
      mac,
    );
  };
  for (let minute = 5; minute >= 0; minute--)
    for (const [second, who, nasId, mac, reason] of tries.toReversed())
      if (minute === 0 || second % 3 !== minute % 3) add(now - minute * 60 - second, who, nasId, mac, reason);
  for (let guess = 0; guess < 9; guess++)
    add(now - 1, `admin${guess}x`, 3, "02:11:9A:5D:E3:0C", "unknown_user");
}
