import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { TimeSignal } from "../../core/time/steady-clock.ts";
import { followSignal, type Seconds } from "../../core/time/time.ts";
import type { Elapsed } from "./journal.ts";

/** Milliseconds without a beat of the books after which a box is cut off: three are missed. */
export const MISSED = 15_000;
/** Interim intervals that a box counts the sessions of others for without hearing of them. */
const COUNTED = 3;

interface Beat {
  readonly at: Seconds | null;
  readonly boot: string | null;
  readonly uptime: number | null;
}

const SELECT =
  "SELECT beat_at AS at, beat_boot AS boot, beat_uptime AS uptime FROM access_state WHERE role = 'access'";

/** Whether this is an access box that has not heard its books for a while, by a clock that follows them; books are no box. */
export function isUnheard({ $client }: Pick<Db, "$client">, now: Seconds): boolean {
  const beat = $client.query<Beat, []>(SELECT).get();
  return beat !== null && (beat.at === null || now - beat.at > MISSED / 1000);
}

/**
 * Sets the clock of this thread by the last beat in the file of a box: of this beginning of the machine, time goes on from that beat by a
 * clock that never jumps; of an earlier one, it is never before it. Other stores leave the clock as it is.
 */
export function followBeat(
  { $client }: Pick<Db, "$client">,
  { boot, uptime }: Elapsed,
  follow: (signal: TimeSignal) => void = followSignal,
): void {
  const beat = $client.query<Beat, []>(SELECT).get();
  if (!beat || beat.at === null) return;
  const isOfThisBoot = beat.boot === boot && beat.uptime !== null;
  follow(isOfThisBoot ? { now: beat.at * 1000 + uptime() - beat.uptime } : { notBefore: beat.at * 1000 });
}

/** How long a box counts sessions of others that it does not hear of, in milliseconds. */
export function othersCountFor(db: Db): number {
  return COUNTED * setting(db, "acct_interim_interval") * 1000;
}

/**
 * Counts the sessions of others no more: rather two than none. They are closed as lost, so that one whose router asks here goes on with
 * its counters, and what the books told of them is forgotten, so that it is taken when it is told again.
 */
export function forgetOthers({ $client }: Pick<Db, "$client">, now: Seconds): void {
  $client
    .query<unknown, [Seconds]>(
      `UPDATE sessions SET stopped_at = max(?, started_at), closed_by = 'lost', terminate_cause = 'lost'
       WHERE stopped_at IS NULL AND via_box IS NOT NULL`,
    )
    .run(now);
  $client.run("DELETE FROM access_keys WHERE key GLOB 'o.*'");
}

/** Sessions that one transaction closes. */
const STEP = 500;

/**
 * Closes sessions whose routers ask this box and have not told it of them for too long, as the books do with theirs; an Interim-Update
 * reopens one. No router could report before `since`, when this box began to listen. How many.
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
        `UPDATE sessions SET stopped_at = updated_at, closed_by = 'lost', terminate_cause = 'lost'
         WHERE ${isLost} AND id IN (SELECT value FROM json_each(?))`,
      )
      .run(deadline, ids).changes;
  }
  return closed;
}
