import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface NewDevice {
  readonly subscriberId: number;
  readonly name: string;
  readonly username: string;
  readonly boxNumber: string | null;
  /** AA:BB:CC:DD:EE:FF. */
  readonly mac: string;
  readonly known: string | null;
  readonly attempts: number;
  readonly firstAt: Seconds;
  readonly lastAt: Seconds;
  readonly nasId: number | null;
  readonly nasName: string | null;
  /** At the last router, and that session's port. */
  readonly sameRouter: boolean;
  readonly port: string | null;
}

/** A new device accepted at the same port. */
interface ChangedDevice {
  readonly mac: string;
  readonly before: string;
  readonly since: Seconds;
  readonly nasId: number | null;
  readonly port: string | null;
}

const DAY = 86_400;
/** Refusals scanned, and devices reported. */
const LOGINS = 20_000;
const MOST = 50;
/** Sessions scanned for the former device. */
const SESSIONS = 20;

/** Devices refused within a day with the right password while offline, latest first. */
export function newDevices(db: Db, by: Actor, { now }: { now: Seconds }): NewDevice[] {
  permit(by, "newDevices");
  return read(db, by, now);
}

/** The device, refused or accepted. Throws not_found. */
export function newDeviceAt(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { now }: { now: Seconds },
): { readonly refused: NewDevice | undefined; readonly changed: ChangedDevice | undefined } {
  permit(by, "newDeviceAt");
  subscriberById(db, by.scope, subscriberId);
  const [refused] = read(db, by, now, subscriberId);
  return { refused, changed: changedAt(db, subscriberId) };
}

type Row = Omit<NewDevice, "sameRouter"> & { sameRouter: 0 | 1 };

function read({ $client }: Db, by: Actor, now: Seconds, subscriberId?: number): NewDevice[] {
  const { text, values } = all(
    scopeCondition(by.scope),
    subscriberId === undefined ? undefined : { text: "s.id = ?", values: [subscriberId] },
  );
  // of one subscriber, by its decisions
  const logins =
    subscriberId === undefined
      ? `SELECT subscriber_id, mac, at FROM auth_log INDEXED BY auth_log_rejected
         WHERE accepted = 0 AND reason = 'mac_locked' AND at > ? ORDER BY at DESC LIMIT ${LOGINS}`
      : `SELECT subscriber_id, mac, at FROM auth_log INDEXED BY auth_log_subscriber
         WHERE accepted = 0 AND reason = 'mac_locked' AND at > ? AND subscriber_id = ? ORDER BY id DESC LIMIT ${LOGINS}`;
  const own = subscriberId === undefined ? [] : [subscriberId];
  return $client
    .query<Row, Value[]>(
      `SELECT s.id AS subscriberId, s.name, s.username, s.box_number AS boxNumber, g.mac, s.mac_address AS known, g.attempts,
         g.firstAt, g.lastAt, a.nas_id AS nasId, nas.name AS nasName, a.nas_id IS o.nas_id AS sameRouter, o.nas_port_id AS port
       FROM (SELECT subscriber_id, mac, count(*) AS attempts, min(at) AS firstAt, max(at) AS lastAt
             FROM (${logins}) GROUP BY subscriber_id, mac) g
         CROSS JOIN subscribers s ON s.id = g.subscriber_id
         LEFT JOIN auth_log a ON a.id = (SELECT max(id) FROM auth_log WHERE subscriber_id = s.id)
         LEFT JOIN nas ON nas.id = a.nas_id
         LEFT JOIN sessions o ON o.id =
           (SELECT id FROM sessions WHERE subscriber_id = s.id ORDER BY started_at DESC LIMIT 1)
       WHERE g.mac IS NOT NULL AND s.mac_lock = 1 AND s.mac_address IS NOT g.mac AND s.status = 1
         AND NOT EXISTS (SELECT 1 FROM sessions n WHERE n.subscriber_id = s.id AND n.stopped_at IS NULL) AND ${text}
       ORDER BY g.lastAt DESC LIMIT ${MOST}`,
    )
    .all(now - DAY, ...own, ...values)
    .map((row) => Object.assign(row, { sameRouter: row.sameRouter === 1 }));
}

/** The device of the newest session, if the one before at its port differs. */
function changedAt({ $client }: Db, subscriberId: number): ChangedDevice | undefined {
  const sessions = $client
    .query<{ mac: string | null; nasId: number | null; port: string | null; since: Seconds }, [number]>(
      `SELECT mac, nas_id AS nasId, nas_port_id AS port, started_at AS since FROM sessions
       WHERE subscriber_id = ? ORDER BY started_at DESC LIMIT ${SESSIONS}`,
    )
    .all(subscriberId);
  const [newest] = sessions;
  if (!newest || newest.mac === null) return undefined;
  const { mac, nasId, port } = newest;
  const isHere = (one: typeof newest) => one.nasId === nasId && one.port === port;
  const at = sessions.findIndex((one) => one.mac !== mac);
  const before = sessions[at];
  if (!before || before.mac === null || !isHere(before)) return undefined;
  return { mac, before: before.mac, since: sessions[at - 1]?.since ?? newest.since, nasId, port };
}
