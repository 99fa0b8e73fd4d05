import type { Db } from "../../../db/open.ts";
import type { Seconds } from "../time.ts";

/** An open session that would not be let in any more, or has no longer what its login was given. */
export interface DueSession {
  sessionId: number;
  subscriberId: number;
  nasAddress: string;
  /** `barred`: it has to go; `ended`: it has to go, or into the walled garden; `slower`: it goes on with another rate. */
  change: "barred" | "ended" | "slower";
}

/** Every session that is to be ended or changed: those of who may not be online at all, then those that have run out. */
export function dueSessions(db: Db, now: Seconds): DueSession[] {
  const barred = barredSessions(db);
  const ids = new Set(barred.map(({ sessionId }) => sessionId));
  return [...barred, ...overdueSessions(db, now).filter(({ sessionId }) => !ids.has(sessionId))];
}

/** Those of disabled subscribers, and those at a router that belongs to another ISP by now. */
function barredSessions(db: Db): DueSession[] {
  const columns = "s.id AS sessionId, s.subscriber_id AS subscriberId, s.nas_address AS nasAddress";
  // UNION or ORDER BY would read all that are over too, for their order
  const found = db.$client
    .query<DueSession, []>(
      `SELECT ${columns}, 'barred' AS change FROM subscribers p JOIN sessions s ON s.subscriber_id = p.id
       WHERE p.status = 0 AND s.stopped_at IS NULL
       UNION ALL
       SELECT ${columns}, 'barred' FROM sessions s JOIN nas n ON n.id = s.nas_id JOIN subscribers p ON p.id = s.subscriber_id
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
function overdueSessions(db: Db, now: Seconds): DueSession[] {
  return db.$client
    .query<DueSession, [{ now: number }]>(
      `SELECT s.id AS sessionId, s.subscriber_id AS subscriberId, s.nas_address AS nasAddress,
         CASE WHEN v.expires_at <= $now OR v.quota_exceeded = 'reject' THEN 'ended' ELSE 'slower' END AS change
       FROM sessions s JOIN services v ON v.subscriber_id = s.subscriber_id
       WHERE s.stopped_at IS NULL AND (
         v.expires_at <= $now AND (s.started_at < v.expires_at OR ${acceptedAs("accepted", "accepted_slowed_down")})
         OR v.quota_total > 0 AND v.quota_used >= v.quota_total AND (s.started_at < v.quota_crossed_at
           OR s.started_at = v.quota_crossed_at AND NOT ${acceptedAs("accepted_slowed_down")}
           OR ${acceptedAs("accepted")})
       ) AND NOT ${acceptedAs("accepted_expired", "accepted_quota_used_up")}
       ORDER BY min(v.expires_at, ifnull(v.quota_crossed_at, v.expires_at)), s.id`,
    )
    .all({ now });
}

/** Whether the login of session `s` was accepted for one of these reasons; by way of `v`, so that it is asked of what ran out only. */
function acceptedAs(...reasons: string[]): string {
  const list = reasons.map((reason) => `'${reason}'`).join(", ");
  return `EXISTS (SELECT 1 FROM auth_log a WHERE a.subscriber_id = v.subscriber_id AND a.class = s.class
    AND a.accepted = 1 AND a.reason IN (${list}))`;
}
