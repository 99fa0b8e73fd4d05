import { all, among, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { BY_ROUTER } from "../../service/sessions/by-router.ts";

/** A device and its place. */
interface House {
  readonly mac: string;
  readonly nasId: number | null;
  readonly nasName: string | null;
  readonly port: string | null;
  readonly lastAt: Seconds;
}

/** A name that several devices use. */
export interface SharedName {
  readonly subscriberId: number;
  readonly name: string;
  readonly username: string;
  readonly allowed: number;
  /** Parallel or alternating sessions, or refusals beside one. */
  readonly sign: "at once" | "in turns" | "refused";
  readonly houses: readonly House[];
}

const HOUR = 3600;
/** Rows scanned. */
const LOGINS = 20_000;
const SESSIONS = 50_000;
/** Changes of device in an hour; replacing one makes one. */
const TURNS = 2;
const MOST = 50;

/** Names used within the hour at several ports or above the package's limit. */
export function twoHouses(db: Db, by: Actor, { now }: { now: Seconds }): SharedName[] {
  permit(by, "twoHouses");
  const since = now - HOUR;
  const signs = new Map<number, SharedName["sign"]>();
  for (const id of refusedBeside(db, since)) signs.set(id, "refused");
  for (const id of inTurns(db, since)) signs.set(id, "in turns");
  for (const id of atOnce(db)) signs.set(id, "at once");
  if (signs.size === 0) return [];
  return listNames(db, by, [...signs.keys()]).flatMap((row) => {
    const houses = findHouses(db, row.subscriberId, since);
    const places = new Set(houses.map(({ nasId, port }) => `${nasId} ${port}`));
    const sign = signs.get(row.subscriberId) ?? "at once";
    // several devices in one house are fine
    const isShared = houses.length > row.allowed || (places.size > 1 && houses.length > 1);
    return isShared ? [{ ...row, sign, houses }] : [];
  });
}

function atOnce({ $client }: Db): number[] {
  return $client
    .query<{ id: number }, []>(
      `SELECT g.id FROM (SELECT subscriber_id AS id FROM sessions INDEXED BY sessions_open_subscriber
         WHERE stopped_at IS NULL AND subscriber_id IS NOT NULL GROUP BY subscriber_id HAVING count(*) > 1) g
       WHERE (SELECT count(DISTINCT o.mac) FROM sessions o WHERE o.subscriber_id = g.id AND o.stopped_at IS NULL) > 1`,
    )
    .all()
    .map(({ id }) => id);
}

function inTurns({ $client }: Db, since: Seconds): number[] {
  const rows = $client
    .query<{ id: number; mac: string }, [Seconds]>(
      `SELECT subscriber_id AS id, mac FROM (SELECT o.subscriber_id, o.mac, o.started_at FROM ${BY_ROUTER}
         WHERE o.started_at > ? ORDER BY o.started_at DESC LIMIT ${SESSIONS})
       WHERE subscriber_id IS NOT NULL AND mac IS NOT NULL ORDER BY started_at`,
    )
    .all(since);
  const last = new Map<number, { mac: string; turns: number }>();
  for (const { id, mac } of rows) {
    const before = last.get(id);
    last.set(id, { mac, turns: (before?.turns ?? 0) + (before && before.mac !== mac ? 1 : 0) });
  }
  return [...last].filter(([, { turns }]) => turns >= TURNS).map(([id]) => id);
}

function refusedBeside({ $client }: Db, since: Seconds): number[] {
  return $client
    .query<{ id: number }, [Seconds]>(
      `SELECT g.id FROM (SELECT subscriber_id AS id, mac, min(at) AS at FROM (
           SELECT subscriber_id, mac, at FROM auth_log INDEXED BY auth_log_rejected
           WHERE accepted = 0 AND reason = 'too_many_sessions' AND at > ? AND mac IS NOT NULL ORDER BY at DESC LIMIT ${LOGINS})
         GROUP BY subscriber_id, mac) g
       WHERE EXISTS (SELECT 1 FROM sessions o WHERE o.subscriber_id = g.id AND o.stopped_at IS NULL
         AND o.mac <> g.mac AND o.updated_at > g.at)`,
    )
    .all(since)
    .map(({ id }) => id);
}

type Named = Omit<SharedName, "sign" | "houses">;

function listNames({ $client }: Db, by: Actor, ids: readonly number[]): Named[] {
  const { text, values } = all(among("s.id", ids), scopeCondition(by.scope));
  return $client
    .query<Named, Value[]>(
      `SELECT s.id AS subscriberId, s.name, s.username, ifnull(v.simultaneous_use, 1) AS allowed
       FROM subscribers s LEFT JOIN services v ON v.subscriber_id = s.id WHERE ${text} ORDER BY s.id LIMIT ${MOST}`,
    )
    .all(...values);
}

function findHouses({ $client }: Db, subscriberId: number, since: Seconds): House[] {
  const rows = $client
    .query<House, [number, Seconds, number, Seconds]>(
      `SELECT d.mac, d.nas_id AS nasId, nas.name AS nasName, d.port, max(d.at) AS lastAt
       FROM (SELECT mac, nas_id, nas_port_id AS port, updated_at AS at FROM sessions
             WHERE subscriber_id = ? AND (stopped_at IS NULL OR stopped_at > ?)
             UNION ALL SELECT mac, nas_id, NULL, at FROM auth_log WHERE subscriber_id = ? AND at > ? AND mac IS NOT NULL) d
         LEFT JOIN nas ON nas.id = d.nas_id
       WHERE d.mac IS NOT NULL GROUP BY d.mac, d.nas_id, d.port`,
    )
    .all(subscriberId, since, subscriberId, since);
  // logins have no port, sessions do
  const byMac = Map.groupBy(rows, ({ mac }) => mac);
  return [...byMac.values()]
    .flatMap((of) =>
      of
        .toSorted((a, b) => Number(b.port !== null) - Number(a.port !== null) || b.lastAt - a.lastAt)
        .slice(0, 1),
    )
    .sort((a, b) => b.lastAt - a.lastAt);
}
