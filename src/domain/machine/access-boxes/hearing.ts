import { SESSION_CHANGED } from "../../../../db/record-changes.ts";
import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { TimeSignal } from "../../core/time/steady-clock.ts";
import { followSignal, type Seconds } from "../../core/time/time.ts";
import type { Elapsed } from "./journal.ts";

/** Milliseconds without a beat after which a box is cut off: three are missed. */
export const MISSED = 15_000;
/** Interim intervals for which remote sessions still count without news. */
const COUNTED = 3;

interface Beat {
  readonly at: Seconds | null;
  readonly boot: string | null;
  readonly uptime: number | null;
}

const SELECT =
  "SELECT beat_at AS at, beat_boot AS boot, beat_uptime AS uptime FROM access_state WHERE role = 'access'";

/** Whether this is an access box that has lost its primary, by a clock that follows the beats. */
export function isUnheard({ $client }: Pick<Db, "$client">, now: Seconds): boolean {
  const beat = $client.query<Beat, []>(SELECT).get();
  return beat !== null && (beat.at === null || now - beat.at > MISSED / 1000);
}

/**
 * Sets this thread's clock by the last stored beat: in the same boot it goes on monotonically from there; after another boot it
 * is never before it. No effect on a primary.
 */
export function followBeat(
  { $client }: Pick<Db, "$client">,
  { boot, uptime }: Elapsed,
  follow: (signal: TimeSignal) => void = followSignal,
): void {
  const beat = $client.query<Beat, []>(SELECT).get();
  if (!beat || beat.at === null) return;
  const isFromThisBoot = beat.boot === boot && beat.uptime !== null;
  follow(isFromThisBoot ? { now: beat.at * 1000 + uptime() - beat.uptime } : { notBefore: beat.at * 1000 });
}

/** Milliseconds for which unheard remote sessions count. */
export function othersCountFor(db: Db): number {
  return COUNTED * setting(db, "acct_interim_interval") * 1000;
}

/**
 * Stops counting remote sessions (rather two than none): closes them as lost, so that one at a local router goes on with its
 * counters, and forgets their records, so that they are taken again later.
 */
export function forgetOthers({ $client }: Pick<Db, "$client">, now: Seconds): void {
  $client
    .query<unknown, [Seconds]>(
      `UPDATE sessions SET stopped_at = max(?, started_at), closed_by = 'lost', terminate_cause = 'lost', ${SESSION_CHANGED}
       WHERE stopped_at IS NULL AND via_box IS NOT NULL`,
    )
    .run(now);
  $client.run("DELETE FROM access_keys WHERE key GLOB 'o.*'");
}

/** Sessions closed in one transaction. */
const STEP = 500;

/**
 * Closes local sessions that their routers have not reported for too long, as the primary does; an Interim-Update reopens one.
 * `since`: when this box began to listen. Returns how many.
 */
export function closeOwnLost(db: Db, { since, now }: { since: Seconds; now: Seconds }): number {
  const deadline = now - setting(db, "acct_interim_interval") * setting(db, "stale_session_after");
  if (since >= deadline) return 0;
  const isLost = "stopped_at IS NULL AND via_box IS NULL AND updated_at < ?";
  const find = db.$client.query<{ id: number }, [Seconds]>(
    `SELECT id FROM sessions INDEXED BY sessions_open_board WHERE ${isLost} LIMIT ${STEP}`,
  );
  let closed = 0;
  for (let lost = find.all(deadline); lost.length > 0; lost = find.all(deadline)) {
    const ids = JSON.stringify(lost.map(({ id }) => id));
    closed += db.$client
      .query<unknown, [Seconds, string]>(
        `UPDATE sessions SET stopped_at = updated_at, closed_by = 'lost', terminate_cause = 'lost', ${SESSION_CHANGED}
         WHERE ${isLost} AND id IN (SELECT value FROM json_each(?))`,
      )
      .run(deadline, ids).changes;
  }
  return closed;
}
