import { type Db, type Tx, write } from "../../../../db/open.ts";
import { cappedSum, MOST_OCTETS } from "../../../../db/sum.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Carried, Sample } from "./carried.ts";

const MINUTE = 60;
const HOUR = 3600;
/** Seconds until an hour is complete. */
const SETTLED = 300;
/** Minutes that may be unwritten. */
const MOST_UNWRITTEN = 6;
/** Unwritten samples kept, a day's. */
const MOST_KEPT = 1440;
/** Milliseconds. */
const PAUSE = 20;

export const startOfMinute = (at: Seconds): Seconds => at - (at % MINUTE);

/** The last sample stands in for unwritten minutes, so that a restart leaves no gap. */
export const SESSIONS_BEFORE = `coalesce((SELECT m.sessions FROM (SELECT ? AS this) JOIN nas_minutes m
  ON m.nas_id = nas.id AND m.at < this AND m.at >= this - ${MOST_UNWRITTEN * MINUTE} ORDER BY m.at DESC LIMIT 1), 0)`;

/**
 * Samples open sessions and bytes by router for the minute before `now`; empty rows are omitted. Samples wait in `unwritten`
 * for the configured number, or until they can be written.
 */
export function sampleMinute(
  db: Db,
  by: Actor,
  { carried, unwritten = [] }: { carried: readonly Carried[]; unwritten?: Sample[] },
  { now }: { now: Seconds },
): void {
  permit(by, "sampleMinute");
  unwritten.push({ at: startOfMinute(now) - MINUTE, open: openSessions(db), carried }); // before the lock is taken
  unwritten.splice(0, unwritten.length - MOST_KEPT);
  if (unwritten.length >= setting(db, "sample_write_minutes")) writeSamples(db, unwritten);
}

function writeSamples(db: Db, samples: Sample[]): void {
  write(db, (tx) => {
    const { $client } = tx;
    const set = $client.query<unknown, number[]>(
      `INSERT INTO nas_minutes (nas_id, at, isp_id, sessions) SELECT id, ?, isp_id, ? FROM nas WHERE id = ?
       ON CONFLICT DO UPDATE SET sessions = excluded.sessions`,
    );
    for (const { at, open, carried } of samples) {
      $client.query("UPDATE nas_minutes SET sessions = 0 WHERE at = ?").run(at);
      for (const { nasId, sessions } of open) set.run(at, sessions, nasId);
      addCarried(tx, at, carried);
    }
  });
  samples.length = 0;
}

/** Keeps what was not yet summed, at the end of the program. */
export function keepCarried(
  db: Db,
  by: Actor,
  { carried, unwritten = [] }: { carried: readonly Carried[]; unwritten?: Sample[] },
  { now }: { now: Seconds },
): void {
  permit(by, "keepCarried");
  if (unwritten.length > 0) writeSamples(db, unwritten);
  if (carried.length > 0) write(db, (tx) => addCarried(tx, startOfMinute(now), carried));
}

function addCarried({ $client }: Tx, at: Seconds, carried: readonly Carried[]): void {
  const add = $client.query<unknown, number[]>(
    `INSERT INTO nas_minutes (nas_id, at, isp_id, sessions, input_octets, output_octets)
     SELECT nas.id, ?, nas.isp_id, ${SESSIONS_BEFORE}, ?, ? FROM nas WHERE nas.id = ?
     ON CONFLICT DO UPDATE SET input_octets = min(input_octets + excluded.input_octets, ${MOST_OCTETS}),
       output_octets = min(output_octets + excluded.output_octets, ${MOST_OCTETS})`,
  );
  for (const { nasId, input, output } of carried) add.run(at, at, input, output, nasId);
}

/** Open sessions by router: by the index of addresses, of which the newest session tells the router. */
export function openSessions(
  { $client }: Db,
  ispId: number | null = null,
): { nasId: number; sessions: number }[] {
  return $client
    .query<{ nasId: number; sessions: number }, [number | null]>(
      `SELECT o.nas_id AS nasId, sum(g.sessions) AS sessions
       FROM (SELECT max(id) AS id, count(*) AS sessions FROM sessions WHERE stopped_at IS NULL GROUP BY nas_address) g
         JOIN sessions o ON o.id = g.id JOIN nas ON nas.id = o.nas_id
       WHERE nas.isp_id = coalesce(?, nas.isp_id) GROUP BY o.nas_id`,
    )
    .all(ispId);
}

/** Parameters: first minute, and one after the last. */
export const HOURS_OF_MINUTES = `
  SELECT nas_id, at - at % ${HOUR} AS hour, max(isp_id) AS isp_id,
    sum(sessions) AS sessions, sum(accepted) AS accepted, sum(rejected) AS rejected,
    ${cappedSum("input_octets")} AS input_octets, ${cappedSum("output_octets")} AS output_octets, max(sessions) AS sessions_most
  FROM nas_minutes WHERE at >= ? AND at < ? GROUP BY nas_id, at - at % ${HOUR}`;

/** An hour a transaction. Stops at `signal`. */
export async function rollUpHours(
  db: Db,
  by: Actor,
  { now, signal }: { now: Seconds; signal?: AbortSignal },
): Promise<void> {
  permit(by, "rollUpHours");
  for (;;) {
    const hour = nextHour(db);
    if (hour === null || hour + HOUR + SETTLED > now || signal?.aborted) return;
    write(db, ({ $client }) => {
      // a minute without any row was not counted
      $client
        .query<unknown, number[]>(
          `INSERT INTO nas_hours (nas_id, at, isp_id, sessions, accepted, rejected, input_octets, output_octets, sessions_most)
           SELECT nas_id, hour, isp_id, (2 * sessions + n) / (2 * n), accepted, rejected, input_octets, output_octets, sessions_most
           FROM (${HOURS_OF_MINUTES}), (SELECT count(DISTINCT at) AS n FROM nas_minutes WHERE at >= ? AND at < ?)`,
        )
        .run(hour, hour + HOUR, hour, hour + HOUR);
    });
    await Bun.sleep(PAUSE);
  }
}

/** The next hour that has samples and no sum. */
function nextHour({ $client }: Db): Seconds | null {
  const row = $client
    .query<{ at: number | null }, []>(
      `SELECT min(at) AS at FROM nas_minutes WHERE at >= coalesce((SELECT max(at) FROM nas_hours) + ${HOUR}, 0)`,
    )
    .get();
  const at = row?.at ?? null;
  return at === null ? null : at - (at % HOUR);
}

/** Seconds. */
const FRESH = 180;

export interface Looking {
  readonly now: Seconds;
  readonly openSessions?: () => ReadonlyMap<number, number>;
}

/** Sessions by router: as they were read, else sampled, else counted. */
export function sessionsByRouter(
  db: Db,
  ispId: number | null,
  looking: Looking,
): ReadonlyMap<number, number> {
  const read = looking.openSessions?.();
  if (read) return read;
  // waiting samples are minutes old
  const at = setting(db, "sample_write_minutes") > 1 ? null : lastSample(db, looking.now);
  const rows = at === null ? openSessions(db, ispId) : readSample(db, ispId, at);
  return new Map(rows.map(({ nasId, sessions }) => [nasId, sessions]));
}

/** The last counted minute. */
function lastSample({ $client }: Db, now: Seconds): Seconds | null {
  const row = $client
    .query<{ at: Seconds | null }, [number, number]>(
      "SELECT max(at) AS at FROM nas_minutes WHERE at <= ? AND at > ?",
    )
    .get(startOfMinute(now) - 60, now - FRESH);
  return row?.at ?? null;
}

function readSample({ $client }: Db, ispId: number | null, at: Seconds) {
  return $client
    .query<{ nasId: number; sessions: number }, [number, number | null]>(
      "SELECT nas_id AS nasId, sessions FROM nas_minutes WHERE at = ? AND isp_id = coalesce(?, isp_id)",
    )
    .all(at, ispId);
}
