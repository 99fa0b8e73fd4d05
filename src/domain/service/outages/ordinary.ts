import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { SETTLED, unwanted } from "./losses.ts";

const DAY = 86_400;
/** Days looked back. */
const WEEKS = 21 * DAY;
/** Most sessions that ended began within this; the index is by start. */
const LONGEST = 60 * DAY;
/** Subscribers read at a time, so that others get a turn. */
const STEP = 20;
/** Longest outage that may be a daily habit. */
const SHORT = 600;
/** Fewest lines of a habit. */
const HABIT_LINES = 4;
/** Days of which most make a habit, when data is younger. */
const LEAST_DAYS = 3;

/** Lines of an ISP that share a column's value. */
export interface Group {
  readonly ispId: number;
  readonly column: "area_id" | "box_number";
  readonly value: Value;
}

interface Ended {
  readonly at: Seconds;
  readonly beganAt: Seconds | null;
  readonly endedAt: Seconds | null;
}

/**
 * Most lines of a group that went dark together in three weeks. Excludes announced outages unless short and at this hour, and
 * daily habits at other hours: a switch-off at four in the morning says nothing about the afternoon.
 */
export async function mostLost(
  db: Db,
  group: Group,
  { within, now, before }: { within: Seconds; now: Seconds; before: Seconds },
): Promise<number> {
  const ends: Ended[] = [];
  const ids = listLineIds(db, group);
  for (let from = 0; from < ids.length; from += STEP) {
    if (from > 0) await new Promise(setImmediate);
    ends.push(...listEnds(db, ids.slice(from, from + STEP), { before, now }));
  }
  ends.sort((a, b) => a.at - b.at);
  const here = halfHourOf(now);
  const days = (now - (ends[0]?.at ?? now)) / DAY;
  const habits = mostByHalfHour(ends, within);
  const counted = mostByHalfHour(
    ends.filter((ended) => isOrdinary(ended, now)),
    within,
  );
  return [...counted]
    .filter(([half]) => isNear(half, here) || !isHabit([...(habits.get(half)?.values() ?? [])], days))
    .reduce((most, [, byDay]) => Math.max(most, ...byDay.values()), 0);
}

/** Most sessions of a router lost within two minutes around this hour, by stored samples. Excludes announced outages unless short. */
export function mostDropped(
  { $client }: Db,
  nasId: number,
  { now, before }: { now: Seconds; before: Seconds },
): number {
  return $client
    .query<{ at: Seconds; dropped: number }, number[]>(
      `SELECT m.at, b.sessions - m.sessions AS dropped
       FROM nas_minutes m JOIN nas_minutes b ON b.nas_id = m.nas_id AND b.at = m.at - 120
       WHERE m.nas_id = ? AND m.at < ? - 60 AND b.sessions > m.sessions AND NOT EXISTS (SELECT 1 FROM outages u
         WHERE u.nas_id = m.nas_id AND u.kind = 'router' AND m.at > u.began_at - 180 AND m.at <= ifnull(u.ended_at, m.at)
           AND ifnull(u.ended_at, ?) - u.began_at > ${SHORT})`,
    )
    .all(nasId, before, now)
    .filter(({ at }) => isNear(halfHourOf(at), halfHourOf(now)))
    .reduce((most, { dropped }) => Math.max(most, dropped), 0);
}

function listLineIds({ $client }: Db, { ispId, column, value }: Group): number[] {
  return $client
    .query<{ id: number }, Value[]>(`SELECT id FROM subscribers WHERE ${column} = ? AND +isp_id = ?`)
    .all(value, ispId)
    .map(({ id }) => id);
}

function listEnds(
  { $client }: Db,
  ids: readonly number[],
  { before, now }: { before: Seconds; now: Seconds },
): Ended[] {
  return $client
    .query<Ended, [string, Seconds, Seconds, Seconds]>(
      `SELECT o.stopped_at AS at, u.began_at AS beganAt, u.ended_at AS endedAt
       FROM json_each(?) j CROSS JOIN sessions o INDEXED BY sessions_subscriber ON o.subscriber_id = j.value
         LEFT JOIN outage_lines l ON l.subscriber_id = o.subscriber_id AND l.dark_at = o.stopped_at
         LEFT JOIN outages u ON u.id = l.outage_id
       WHERE o.started_at > ? AND o.stopped_at > ? AND o.stopped_at < ? AND ${unwanted}
         AND NOT EXISTS (SELECT 1 FROM sessions n INDEXED BY sessions_subscriber WHERE n.subscriber_id = o.subscriber_id
           AND n.started_at >= o.stopped_at AND n.started_at < o.stopped_at + ${SETTLED} AND n.id <> o.id)`,
    )
    .all(JSON.stringify(ids), now - LONGEST, now - WEEKS, before);
}

function isOrdinary({ beganAt, endedAt }: Ended, now: Seconds): boolean {
  if (beganAt === null) return true;
  return endedAt !== null && endedAt - beganAt <= SHORT && isNear(halfHourOf(beganAt), halfHourOf(now));
}

function halfHourOf(at: Seconds): number {
  const date = new Date(at * 1000);
  return date.getHours() * 2 + Math.floor(date.getMinutes() / 30);
}

function isNear(one: number, other: number): boolean {
  const apart = Math.abs(one - other);
  return Math.min(apart, 48 - apart) <= 1;
}

function mostByHalfHour(ends: readonly Ended[], within: Seconds): Map<number, Map<number, number>> {
  const byHalfHour = new Map<number, Map<number, number>>();
  let from = 0;
  for (const [index, { at }] of ends.entries()) {
    while (at - (ends[from]?.at ?? at) > within) from++;
    const byDay = byHalfHour.getOrInsertComputed(halfHourOf(at), () => new Map());
    const day = Math.floor(at / DAY);
    byDay.set(day, Math.max(byDay.get(day) ?? 0, index + 1 - from));
  }
  return byHalfHour;
}

function isHabit(most: readonly number[], days: number): boolean {
  return most.filter((lines) => lines >= HABIT_LINES).length * 2 > Math.max(days, LEAST_DAYS);
}
