import type { Db } from "../../db/open.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { ada, aPackage, aSubscriber, DAY, loadIsp, newSubscriber, rex } from "./isp.ts";
import { NOW, templateStore } from "./store.ts";

const HOUR = 3600;
const ends = (at: number) => ({ current_expiration_date: formatTime(at) });

/**
 * Ten subscribers of ISP 1 at two routers and in two areas, each with a line in the state of its name; `sal`'s office sees no
 * money, `mia` may do everything in branch 11.
 */
export const officePeople = templateStore(async (db) => {
  const flags = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 1]));
  await loadIsp(db, {
    cities: [{ id: 1, isp_id: 1, name: "Riverton" }],
    areas: [
      { id: 1, isp_id: 1, city_id: 1, name: "Quayside" },
      { id: 2, isp_id: 1, city_id: 1, name: "Hill View" },
    ],
    nas: [
      { id: 1, isp_id: 1, name: "Tower-1", address: "127.0.0.1", secret: "testing123" },
      { id: 2, isp_id: 1, name: "Hill-3", address: "127.0.0.3", secret: "testing123" },
    ],
    roles: [
      { code: 1, isp_id: 1, name: "Desk", permissions: flags("subscriber_view", "subscriber_bulk") },
      {
        code: 2,
        isp_id: 1,
        name: "Branch",
        permissions: flags("subscriber_view", "wallet_view", "subscriber_add"),
      },
    ],
    staff: [
      ada,
      rex,
      { ...ada, id: 3, name: "Sal", username: "sal", email: null, profile_type: 2, role_code: 1 },
      {
        ...ada,
        id: 4,
        name: "Mia",
        username: "mia",
        email: null,
        profile_type: 2,
        role_code: 2,
        branch_id: 11,
      },
    ],
    packages: [aPackage(2, { name: "Family 30", price: "22.00" }), aPackage(3, { name: "Old", status: 0 })],
    subscribers: [
      aSubscriber(1, {
        name: "Amara Okafor",
        username: "amara.okafor",
        mobile_number: "+1 555 0100",
        area_id: 1,
        branch_id: 11,
      }),
      aSubscriber(2, {
        name: "Joseph Mwangi",
        mobile_number: "+1 555 0142",
        area_id: 1,
        nas_id: 2,
        balance: "0.00",
      }),
      aSubscriber(3, { name: "Leila Haddad", area_id: 2, balance: "-6.00", ...ends(NOW - 3 * DAY) }),
      aSubscriber(4, { name: "Samuel Otieno", area_id: 2, balance: "-12.00", status: 0 }),
      newSubscriber(5, { name: "Thandiwe Ncube", balance: "0.00", box_number: "BOX-7" }),
      aSubscriber(6, { name: "Rahul Mehta", package_id: 2, nas_id: 2, ...ends(NOW + 2 * DAY) }),
      aSubscriber(7, { name: "Chen Wei", mac_address: "48:57:DD:01:42:9C", ...ends(NOW + HOUR) }),
      aSubscriber(8, { name: "Frozen Yusuf" }),
      aSubscriber(9, { name: "Gone Away" }),
      aSubscriber(10, { name: "Ibrahim Diallo", phone_number: "0142 77" }),
    ],
  });
  fillLines(db);
});

/** 1 and 7 are online, 6's router is silent, 3 is in the walled garden, 2 is refused, 10 was online, 8 stands still, 9 left. */
function fillLines({ $client }: Db): void {
  const session = $client.query(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, framed_ip, accepted_as, started_at, updated_at, stopped_at)
     VALUES (1, '127.0.0.1', ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const add = (id: number, as: string, started: number, updated: number, stopped: number | null) =>
    session.run(`S${id}`, `user${id}`, id, `100.64.0.${140 + id}`, as, started, updated, stopped);
  add(1, "accepted", NOW - 5 * HOUR, NOW - 60, null);
  add(7, "accepted", NOW - 20 * DAY, NOW - 60, null);
  add(6, "accepted", NOW - 8 * HOUR, NOW - 660, null);
  add(3, "accepted_expired", NOW - 2 * HOUR, NOW - 60, null);
  add(10, "accepted", NOW - 20 * DAY, NOW - 16 * DAY, NOW - 16 * DAY);
  add(2, "accepted", NOW - 9 * HOUR, NOW - 3 * HOUR, NOW - 3 * HOUR);
  for (let times = 0; times < 4; times++)
    $client.run(
      `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason)
       VALUES (${NOW - 600 + times}, 1, '127.0.0.1', 'user2', 2, 0, 'mac_locked')`,
    );
  $client.run(`UPDATE services SET frozen_at = ${NOW - DAY} WHERE subscriber_id = 8`);
  $client.run(
    `UPDATE subscribers SET archived_at = ${NOW}, status = 0, username_key = username_key || char(0) || id WHERE id = 9`,
  );
}
