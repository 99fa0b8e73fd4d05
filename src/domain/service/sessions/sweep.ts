import { SESSION_CHANGED } from "../../../../db/record-changes.ts";
import { type Db, write } from "../../../../db/open.ts";
import { type Standing, standings } from "../box-standing/standing.ts";
import { SessionEvents } from "../../core/events/sessions.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Sessions closed per transaction: 50,000 take a second, which would stall accounting. */
const STEP = 500;

/** The time before which sessions of an access box, or of all others, count as lost. */
interface Lost {
  readonly box: number | null;
  /** Ids of all access boxes as JSON. */
  readonly boxes: string;
  readonly deadline: Seconds;
}

/**
 * Closes sessions that missed accounting updates, at their last update; an Interim-Update reopens one. No router could report
 * before `since`, the start of this process, nor through an access box later than its journal reaches: while it is cut off or
 * has a backlog none of its sessions is lost. Returns how many (settings acct_interim_interval and stale_session_after).
 */
export async function closeLostSessions(
  db: Db,
  by: Actor,
  { since }: { since: Seconds },
  { now }: { now: Seconds },
): Promise<number> {
  permit(by, "closeLostSessions");
  const patience = setting(db, "acct_interim_interval") * setting(db, "stale_session_after");
  let closed = 0;
  for (const lost of listLost(standings(db, now), { since, now, patience })) {
    for (;;) {
      const step = closeSome(db, lost, now);
      closed += step;
      if (step < STEP) break;
      await Bun.sleep(0);
    }
  }
  return closed;
}

function listLost(
  boxes: readonly Standing[],
  { since, now, patience }: { since: Seconds; now: Seconds; patience: Seconds },
): Lost[] {
  const ids = JSON.stringify(boxes.map(({ id }) => id));
  const here = { box: null, boxes: ids, deadline: now - patience };
  return [
    ...(since < here.deadline ? [here] : []),
    ...boxes.flatMap(({ id, report, knownTo }) => {
      const deadline = knownTo - patience;
      const begun = report?.uptime === undefined ? now : report.heardAt - report.uptime;
      return begun < deadline ? [{ box: id, boxes: ids, deadline }] : [];
    }),
  ];
}

const IS_LOST = `stopped_at IS NULL AND updated_at < ?1
  AND CASE WHEN ?2 IS NULL THEN ifnull(via_box, 0) NOT IN (SELECT value FROM json_each(?3)) ELSE via_box = ?2 END`;

function closeSome(db: Db, { box, boxes, deadline }: Lost, now: Seconds): number {
  // most runs find nothing, and should not take the write lock
  const lost = db.$client
    .query<{ id: number }, [number, number | null, string]>(
      `SELECT id FROM sessions INDEXED BY sessions_open_board WHERE ${IS_LOST} LIMIT ${STEP}`,
    )
    .all(deadline, box, boxes);
  if (lost.length === 0) return 0;
  const ids = JSON.stringify(lost.map(({ id }) => id));
  write(db, (tx) => {
    // again within the lock: an update may have come in between
    const closed = tx.$client
      .query<{ id: number; at: Seconds }, [number, number | null, string, string]>(
        `UPDATE sessions SET stopped_at = updated_at, closed_by = 'lost', terminate_cause = 'lost', ${SESSION_CHANGED}
         WHERE id IN (SELECT value FROM json_each(?4)) AND ${IS_LOST} RETURNING id, updated_at AS at`,
      )
      .all(deadline, box, boxes, ids);
    const events = new SessionEvents(tx);
    for (const { id, at } of closed) events.tell("session.stopped", id, { now, at });
  });
  return lost.length;
}
