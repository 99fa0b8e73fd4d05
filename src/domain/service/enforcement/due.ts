import type { Db } from "../../../../db/open.ts";
import { rateFingerprint } from "../access/granted.ts";
import type { Seconds } from "../../core/time/time.ts";
import { crowdedSessions } from "../control/crowded.ts";

/** An open session that would not be let in any more, or has no longer what its login was given. */
export interface DueSession {
  sessionId: number;
  subscriberId: number;
  nasAddress: string;
}

const COLUMNS = "s.id AS sessionId, s.subscriber_id AS subscriberId, s.nas_address AS nasAddress";

/**
 * Every session that is to be ended or changed, or those of one subscriber: of who may not be online at all, what has
 * run out, and what is one too many beside those of other boxes. Those that a box tells of are its own to look after, connected or not.
 */
export function dueSessions(db: Db, now: Seconds, subscriberId?: number): DueSession[] {
  // a condition more, so that nobody else is read: of all 140,000 that are open it takes a fifth of a second
  const whose: Whose =
    subscriberId === undefined ? { sql: "", values: {} } : { sql: OF_ONE, values: { subscriberId } };
  const barred = barredSessions(db, whose);
  const ids = new Set(barred.map(({ sessionId }) => sessionId));
  const due = [...barred, ...overdueSessions(db, now, whose).filter(({ sessionId }) => !ids.has(sessionId))];
  const known = new Set(due.map(({ sessionId }) => sessionId));
  return [...due, ...crowdedSessions(db, subscriberId).filter(({ sessionId }) => !known.has(sessionId))];
}

interface Whose {
  sql: string;
  values: { subscriberId?: number };
}

const OF_ONE = " AND s.subscriber_id = $subscriberId";

/** Those of disabled subscribers, of services that are frozen, and those at a router that belongs to another ISP by now. */
function barredSessions(db: Db, whose: Whose): DueSession[] {
  // UNION or ORDER BY would read all that are over too, for their order
  const found = db.$client
    .query<DueSession, [Whose["values"]]>(
      `SELECT ${COLUMNS} FROM subscribers p JOIN sessions s ON s.subscriber_id = p.id
       WHERE p.status = 0 AND s.stopped_at IS NULL AND s.via_box IS NULL${whose.sql}
       UNION ALL
       SELECT ${COLUMNS} FROM services v JOIN sessions s ON s.subscriber_id = v.subscriber_id
       WHERE v.frozen_at IS NOT NULL AND s.stopped_at IS NULL AND s.via_box IS NULL${whose.sql}
       UNION ALL
       SELECT ${COLUMNS} FROM sessions s JOIN nas n ON n.id = s.nas_id JOIN subscribers p ON p.id = s.subscriber_id
       WHERE s.stopped_at IS NULL AND s.via_box IS NULL AND n.created_at > s.started_at AND n.isp_id <> p.isp_id${whose.sql}`,
    )
    .all(whose.values);
  const once = new Map(found.map((session) => [session.sessionId, session]));
  return [...once.values()].sort((a, b) => a.sessionId - b.sessionId);
}

/**
 * Those that have run out while they were open, the longest first, before them those that were let in for a service that is gone, as
 * that of a void invoice. One that logged in expired, or with its quota used up, or has the slower rate already, has what it should
 * have; where its Class does not say, if it started after the fact. The plus keeps SQLite from reading all that are open by
 * subscriber, here and there in the table.
 */
function overdueSessions(db: Db, now: Seconds, whose: Whose): DueSession[] {
  return db.$client
    .query<
      DueSession & { grantedRate: number | null; slowerRate: string | null },
      [{ now: number } & Whose["values"]]
    >(
      `SELECT ${COLUMNS}, s.granted_rate AS grantedRate, CASE WHEN NOT ${EXPIRED} THEN nullif(v.quota_exceeded, 'reject') END AS slowerRate
       FROM sessions s LEFT JOIN services v ON v.subscriber_id = s.subscriber_id
       WHERE s.stopped_at IS NULL AND s.via_box IS NULL AND +s.subscriber_id IS NOT NULL${whose.sql} AND (v.subscriber_id IS NULL OR ${EXPIRED} OR ${USED_UP} AND NOT ${BY_HOURS}) AND CASE
         WHEN s.accepted_as IN ('accepted', 'accepted_slowed_down') THEN 1
         WHEN s.accepted_as IS NOT NULL THEN 0
         WHEN NOT ${EXPIRED} THEN s.started_at <= v.quota_crossed_at
         ELSE s.started_at < v.expires_at AND NOT (${USED_UP} AND v.quota_exceeded = 'reject'
           AND ifnull(s.started_at > v.quota_crossed_at, 0)) END
       ORDER BY min(v.expires_at, ifnull(v.quota_crossed_at, v.expires_at)), s.id`,
    )
    .all({ now, ...whose.values })
    .filter(
      ({ grantedRate, slowerRate }) =>
        grantedRate === null || slowerRate === null || grantedRate !== rateFingerprint(slowerRate),
    );
}

const EXPIRED = "(v.expires_at <= $now)";
/** Its rate depends on the clock too, and fair-due.ts looks after it. */
const BY_HOURS = "(v.quota_exceeded <> 'reject' AND (v.tiers IS NOT NULL OR v.hours IS NOT NULL))";
const USED_UP = "(v.quota_total > 0 AND v.quota_used >= v.quota_total)";
