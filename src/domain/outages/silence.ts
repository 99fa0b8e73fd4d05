import type { Db } from "../../../db/open.ts";
import { setting } from "../settings/settings.ts";
import type { Seconds } from "../time.ts";

/** A router that should have told of its sessions, and did not. */
export interface Silence {
  readonly nasId: number;
  readonly ispId: number;
  readonly heardAt: Seconds;
  /** Seconds without a packet that are usual for it; null: it is too new to say. */
  readonly usual: Seconds | null;
  /** Sessions whose report is overdue since it was heard last. */
  readonly overdue: number;
}

const MINUTE = 60;
const DAY = 86_400;
/** Seconds that a router may be silent in any case, and by which a report may be late. */
const LEAST = 60;
const LATE = 30;
/** Reports that have to be missing: one or two sessions may have ended without a word. */
const MISSING = 3;
/** Seconds by which a packet may be booked later than it came. */
const BOOKED = 5;
/** Days of whose minutes the usual silence is read; days that have to have had it, so that what was once is not usual. */
const DAYS = 7;
const ON_DAYS = 3;
/** Seconds that the usual silence of a router is kept. */
const KEPT = 3600;

/** When each router was heard last, by what is in the books, and whether one should have been heard since. */
export class Ears {
  readonly #db: Db;
  readonly #heard = new Map<number, Seconds>();
  readonly #usual = new Map<number, { at: Seconds; usual: Seconds | null }>();
  #listened: Seconds = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Reads what was booked since the last call. */
  listen(now: Seconds): void {
    const since = Math.min(this.#listened, now) - BOOKED;
    for (const { nasId, at } of heardSince(this.#db, since, now))
      this.#heard.set(nasId, Math.max(at, this.#heard.get(nasId) ?? 0));
    this.#listened = now;
  }

  heardAt(nasId: number): Seconds | undefined {
    return this.#heard.get(nasId);
  }

  /** How many other routers were heard within the day. */
  others(nasId: number, now: Seconds): number {
    return [...this.#heard].filter(([id, at]) => id !== nasId && at > now - DAY).length;
  }

  /** The routers that are silent; none could be heard before `since`, when this program began to listen. */
  silent(since: Seconds, now: Seconds): Silence[] {
    const quiet = [...this.#heard].filter(([, at]) => Math.max(at, since) <= now - LEAST);
    if (quiet.length === 0) return [];
    const interval = setting(this.#db, "acct_interim_interval");
    return quiet.flatMap(([nasId, heardAt]) => {
      const from = Math.max(heardAt, since);
      const usual = this.#usualOf(nasId, now);
      if (now - from <= (usual === null ? LEAST + interval * 1.5 : LEAST + usual * 1.5)) return [];
      const due = overdueOf(this.#db, nasId, { from: from - interval, to: now - LATE - interval });
      return due && due.overdue >= MISSING
        ? [{ nasId, ispId: due.ispId, heardAt, usual, overdue: due.overdue }]
        : [];
    });
  }

  #usualOf(nasId: number, now: Seconds): Seconds | null {
    const known = this.#usual.get(nasId);
    if (known && now - known.at < KEPT) return known.usual;
    const usual = usualSilence(this.#db, nasId, now);
    this.#usual.set(nasId, { at: now, usual });
    return usual;
  }
}

/** When routers were heard: by reports of open sessions, by ends, by logins (whose minute is all that is kept by router). */
function heardSince({ $client }: Db, since: Seconds, now: Seconds): { nasId: number; at: Seconds }[] {
  return $client
    .query<{ nasId: number; at: Seconds }, Seconds[]>(
      `SELECT nas_id AS nasId, max(at) AS at FROM (
         SELECT nas_id, updated_at AS at FROM sessions INDEXED BY sessions_open_updated WHERE stopped_at IS NULL AND updated_at >= ?
         UNION ALL
         SELECT nas_id, stopped_at FROM sessions WHERE stopped_at >= ? AND closed_by = 'stop'
         UNION ALL
         SELECT nas_id, at FROM nas_minutes WHERE at >= ? AND accepted + rejected > 0)
       WHERE nas_id IS NOT NULL AND at <= ? GROUP BY nas_id`,
    )
    .all(since, since, since - MINUTE, now);
}

function overdueOf(
  { $client }: Db,
  nasId: number,
  { from, to }: { from: Seconds; to: Seconds },
): { ispId: number; overdue: number } | null {
  return $client
    .query<{ ispId: number; overdue: number }, number[]>(
      `SELECT nas.isp_id AS ispId, (SELECT count(*) FROM sessions o INDEXED BY sessions_open_updated
         WHERE o.stopped_at IS NULL AND o.updated_at > ? AND o.updated_at < ? AND o.nas_id = nas.id) AS overdue
       FROM nas WHERE nas.id = ?`,
    )
    .get(from, to, nasId);
}

/**
 * The longest that a router with sessions said nothing, on at least three days of the last seven; what was told as its outage
 * does not count. Null before there is a day of it.
 */
function usualSilence({ $client }: Db, nasId: number, now: Seconds): Seconds | null {
  const minutes = $client
    .query<{ at: Seconds; quiet: 0 | 1 }, number[]>(
      `SELECT m.at, m.accepted + m.rejected + m.input_octets + m.output_octets = 0 AS quiet FROM nas_minutes m
       WHERE m.nas_id = ? AND m.at >= ? AND m.sessions > 0 AND NOT EXISTS (SELECT 1 FROM outages u
         WHERE u.nas_id = m.nas_id AND u.kind = 'router' AND m.at > u.began_at - ${MINUTE} AND m.at <= ifnull(u.ended_at, m.at))
       ORDER BY m.at`,
    )
    .all(nasId, now - DAYS * DAY);
  const first = minutes[0];
  if (!first || now - first.at < DAY) return null;
  const longest = new Map<number, number>();
  let run = 0;
  let before = 0;
  for (const { at, quiet } of minutes) {
    run = quiet === 0 ? 0 : at - before === MINUTE ? run + 1 : 1;
    before = at;
    const day = Math.floor((now - at) / DAY);
    longest.set(day, Math.max(longest.get(day) ?? 0, run));
  }
  return ([...longest.values()].sort((a, b) => b - a)[ON_DAYS - 1] ?? 0) * MINUTE;
}
