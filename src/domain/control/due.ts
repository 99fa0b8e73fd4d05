import type { Db } from "../../../db/open.ts";
import type { Seconds } from "../time.ts";

/** An open session that would not be let in any more, or has no longer what its login was given. */
export interface DueSession {
  sessionId: number;
  subscriberId: number;
  nasAddress: string;
}

const COLUMNS = "s.id AS sessionId, s.subscriber_id AS subscriberId, s.nas_address AS nasAddress";

/** Every session that is to be ended or changed: those of who may not be online at all, then those that have run out. */
export function dueSessions(db: Db, now: Seconds): DueSession[] {
  const barred = barredSessions(db);
  const ids = new Set(barred.map(({ sessionId }) => sessionId));
  return [...barred, ...outrunSessions(db, now).filter(({ sessionId }) => !ids.has(sessionId))];
}

/** Those of disabled subscribers, and those at a router that belongs to another ISP by now. */
function barredSessions(db: Db): DueSession[] {
  // UNION or ORDER BY would read all that are over too, for their order
  const found = db.$client
    .query<DueSession, []>(
      `SELECT ${COLUMNS} FROM subscribers p JOIN sessions s ON s.subscriber_id = p.id
       WHERE p.status = 0 AND s.stopped_at IS NULL
       UNION ALL
       SELECT ${COLUMNS} FROM sessions s JOIN nas n ON n.id = s.nas_id JOIN subscribers p ON p.id = s.subscriber_id
       WHERE s.stopped_at IS NULL AND n.created_at > s.started_at AND n.isp_id <> p.isp_id`,
    )
    .all();
  const once = new Map(found.map((session) => [session.sessionId, session]));
  return [...once.values()].sort((a, b) => a.sessionId - b.sessionId);
}

/**
 * Those that have run out while they were open, the longest first. One that logged in expired, or with its quota used up,
 * has what it should have: its Accept says so, or nothing is known of it and it started after the fact.
 */
function outrunSessions(db: Db, now: Seconds): DueSession[] {
  return db.$client
    .query<DueSession, [{ now: number }]>(
      `SELECT ${COLUMNS} FROM sessions s JOIN services v ON v.subscriber_id = s.subscriber_id
       WHERE s.stopped_at IS NULL AND CASE s.accepted_as
         WHEN 'accepted' THEN ${EXPIRED} OR ${USED_UP}
         WHEN 'accepted_slowed_down' THEN ${EXPIRED} OR ${USED_UP} AND v.quota_exceeded = 'reject'
         WHEN 'accepted_expired' THEN 0
         WHEN 'accepted_quota_used_up' THEN 0
         ELSE ${EXPIRED} AND s.started_at < v.expires_at OR ${USED_UP} AND s.started_at <= v.quota_crossed_at END
       ORDER BY min(v.expires_at, ifnull(v.quota_crossed_at, v.expires_at)), s.id`,
    )
    .all({ now });
}

const EXPIRED = "v.expires_at <= $now";
const USED_UP = "v.quota_total > 0 AND v.quota_used >= v.quota_total";
