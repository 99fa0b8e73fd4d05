import type { Db } from "../../../db/open.ts";
import type { Seconds } from "../time.ts";

/** An open session that no longer has what its login was given: the service has expired, or its quota is used up. */
export interface DueSession {
  sessionId: number;
  subscriberId: number;
  nasAddress: string;
  /** `ended`: it has to go, or into the walled garden; `slower`: it goes on with another rate. */
  change: "ended" | "slower";
}

/**
 * Every session that has run out while it was open, the longest first. One that logged in expired, or with its quota used
 * up, has what it should have: its Accept says so, or nothing is known of it and it started after the fact.
 */
export function dueSessions(db: Db, now: Seconds): DueSession[] {
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

/** Whether the login of session `s` was accepted for one of these reasons. */
function acceptedAs(...reasons: string[]): string {
  const list = reasons.map((reason) => `'${reason}'`).join(", ");
  return `EXISTS (SELECT 1 FROM auth_log a WHERE a.subscriber_id = s.subscriber_id AND a.class = s.class
    AND a.accepted = 1 AND a.reason IN (${list}))`;
}
