import type { Db } from "../../../../db/open.ts";
import { boxesBehind } from "../box-standing/standing.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface Silence {
  readonly nasId: number;
  readonly ispId: number;
  readonly heardAt: Seconds;
  /** Usual seconds without a packet; null: too new. */
  readonly usual: Seconds | null;
  /** Sessions whose report is overdue since then. */
  readonly overdue: number;
}

const MINUTE = 60;
const DAY = 86_400;
/** Seconds of silence always allowed, and of delay of a report. */
const LEAST = 60;
const LATE = 30;
/** Missing reports needed: one or two sessions may have ended silently. */
const MISSING = 3;
/** Seconds between a packet's arrival and its booking. */
const BOOKED = 5;
/** Days from which the usual silence is read, and how often it must occur. */
const DAYS = 7;
const OFTEN = 6;
/** Seconds before a router has a usual silence. */
const NEW = 6 * 3600;
/** Seconds that the usual silence is cached, and between measurements of report intervals. */
const KEPT = 3600;
/** Share of sessions that may be overdue at a healthy router, due to lost Stops. */
const LOST_SHARE = 0.1;
/** Intervals that a report may take; later ones count as lost. */
const SLOWEST = 3;

/** Watches when each router was last heard, and whether it should have been since. */
export class SilenceWatch {
  readonly #db: Db;
  readonly #heard = new Map<number, Seconds>();
  readonly #usual = new Map<number, { at: Seconds; usual: Seconds | null }>();
  readonly #steadySince = new Map<number, Seconds>();
  readonly #slow = new Map<number, { at: Seconds; takes: number }>();
  #listened: Seconds = 0;
  #measured: Seconds = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  listen(now: Seconds): void {
    const interval = setting(this.#db, "acct_interim_interval");
    const since = Math.max(Math.min(this.#listened, now), now - SLOWEST * interval) - BOOKED;
    for (const { nasId, at } of seenSince(this.#db, since, now)) {
      const before = this.#heard.get(nasId) ?? 0;
      if (at - before > interval / 2) this.#steadySince.set(nasId, at);
      this.#heard.set(nasId, Math.max(at, before));
    }
    this.#listened = now;
    if (now - this.#measured >= KEPT) this.#measure(interval, now);
  }

  /** Measures how many intervals reports take at healthy routers; the day's maximum counts. */
  #measure(interval: Seconds, now: Seconds): void {
    this.#measured = now;
    for (const { nasId, sessions, ...late } of listLateness(this.#db, { interval, now })) {
      const isSteady = (this.#steadySince.get(nasId) ?? now) <= now - 2 * interval;
      if (!isSteady || (this.#heard.get(nasId) ?? 0) < now - LEAST) continue;
      const allowed = Math.max(1, sessions * LOST_SHARE);
      const takes = late.once <= allowed ? 1 : late.twice <= allowed ? 2 : SLOWEST;
      const known = this.#slow.get(nasId);
      if (!known || takes >= known.takes || now - known.at > DAY) this.#slow.set(nasId, { at: now, takes });
    }
  }

  heardAt(nasId: number): Seconds | undefined {
    return this.#heard.get(nasId);
  }

  /** Other routers heard within the day. */
  others(nasId: number, now: Seconds): number {
    return [...this.#heard].filter(([id, at]) => id !== nasId && at > now - DAY).length;
  }

  /** Silent routers; none was heard before `since`, the start of this process. */
  silent(since: Seconds, now: Seconds): Silence[] {
    const quiet = [...this.#heard].filter(([, at]) => Math.max(at, since) <= now - LEAST);
    if (quiet.length === 0) return [];
    const interval = setting(this.#db, "acct_interim_interval");
    const behind = JSON.stringify(boxesBehind(this.#db, now - LATE));
    return quiet.flatMap(([nasId, heardAt]) => {
      const from = Math.max(heardAt, since);
      const usual = this.#readUsual(nasId, now);
      const takes = interval * (this.#slow.get(nasId)?.takes ?? 1);
      if (now - from <= (usual === null ? takes * 2.5 : LEAST + usual * 1.5)) return [];
      const due = listOverdue(this.#db, nasId, { from: from - takes, to: now - LATE - takes, behind });
      return due && due.overdue >= MISSING
        ? [{ nasId, ispId: due.ispId, heardAt, usual, overdue: due.overdue }]
        : [];
    });
  }

  #readUsual(nasId: number, now: Seconds): Seconds | null {
    const known = this.#usual.get(nasId);
    if (known && now - known.at < KEPT) return known.usual;
    const usual = usualSilence(this.#db, nasId, now);
    this.#usual.set(nasId, { at: now, usual });
    return usual;
  }
}

/** Last times of routers by open sessions' reports, ends, and logins (kept by minute). */
function seenSince({ $client }: Db, since: Seconds, now: Seconds): { nasId: number; at: Seconds }[] {
  return $client
    .query<{ nasId: number; at: Seconds }, Seconds[]>(
      `SELECT nas_id AS nasId, max(at) AS at FROM (
         SELECT nas_id, updated_at AS at FROM sessions INDEXED BY sessions_open_board WHERE stopped_at IS NULL AND updated_at >= ?
         UNION ALL
         SELECT nas_id, stopped_at FROM sessions INDEXED BY sessions_stopped WHERE stopped_at >= ? AND closed_by = 'stop'
         UNION ALL
         SELECT nas_id, at FROM nas_minutes WHERE at >= ? AND accepted + rejected > 0)
       WHERE nas_id IS NOT NULL AND at <= ? GROUP BY nas_id`,
    )
    .all(since, since, since - MINUTE, now);
}

/** Overdue reports of a router, excluding access boxes with a backlog. */
function listOverdue(
  { $client }: Db,
  nasId: number,
  { from, to, behind }: { from: Seconds; to: Seconds; behind: string },
): { ispId: number; overdue: number } | null {
  return $client
    .query<{ ispId: number; overdue: number }, (number | string)[]>(
      `SELECT nas.isp_id AS ispId, (SELECT count(*) FROM sessions o INDEXED BY sessions_open_board
         WHERE o.stopped_at IS NULL AND o.updated_at > ? AND o.updated_at < ? AND o.nas_id = nas.id
           AND ifnull(o.via_box, 0) NOT IN (SELECT value FROM json_each(?))) AS overdue
       FROM nas WHERE nas.id = ?`,
    )
    .get(from, to, behind, nasId);
}

interface Lateness {
  readonly nasId: number;
  readonly sessions: number;
  /** Sessions whose last report is older than one interval, and than two. */
  readonly once: number;
  readonly twice: number;
}

function listLateness({ $client }: Db, { interval, now }: { interval: Seconds; now: Seconds }): Lateness[] {
  return $client
    .query<Lateness, [Seconds, Seconds]>(
      `SELECT nas_id AS nasId, count(*) AS sessions, sum(updated_at < ?) AS once, sum(updated_at < ?) AS twice
       FROM sessions INDEXED BY sessions_open_board WHERE stopped_at IS NULL AND nas_id IS NOT NULL GROUP BY nas_id`,
    )
    .all(now - interval - LATE, now - 2 * interval - LATE);
}

/** Recurring silence of a router with sessions: the longest that occurred at least six times in seven days. Null while too new. */
function usualSilence({ $client }: Db, nasId: number, now: Seconds): Seconds | null {
  const minutes = $client
    .query<{ at: Seconds; quiet: 0 | 1 }, number[]>(
      `SELECT at, accepted + rejected + input_octets + output_octets = 0 AS quiet FROM nas_minutes
       WHERE nas_id = ? AND at >= ? AND sessions > 0 ORDER BY at`,
    )
    .all(nasId, now - DAYS * DAY);
  const first = minutes[0];
  if (!first || now - first.at < NEW) return null;
  const runs: number[] = [];
  let run = 0;
  let before = 0;
  for (const { at, quiet } of minutes) {
    if (quiet === 0 || at - before !== MINUTE) {
      runs.push(run);
      run = 0;
    }
    run += quiet;
    before = at;
  }
  runs.push(run);
  return (runs.sort((a, b) => b - a)[OFTEN - 1] ?? 0) * MINUTE;
}
