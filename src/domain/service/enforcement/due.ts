import type { Db } from "../../../../db/open.ts";
import { rateFingerprint } from "../access/granted.ts";
import type { Seconds } from "../../core/time/time.ts";
import { crowdedSessions } from "../control/crowded.ts";

export interface DueSession {
  sessionId: number;
  subscriberId: number;
  nasAddress: string;
}

const COLUMNS = "s.id AS sessionId, s.subscriber_id AS subscriberId, s.nas_address AS nasAddress";

/**
 * Sessions to end or change, of all or one subscriber: not allowed online, expired, or surplus across access boxes. Sessions of
 * access boxes are theirs to handle.
 */
export function dueSessions(db: Db, now: Seconds, subscriberId?: number): DueSession[] {
  // an added condition for one subscriber: reading all 140,000 open sessions takes a fifth of a second
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

/** Sessions of disabled subscribers, frozen services, and routers that moved to another ISP. */
function barredSessions(db: Db, whose: Whose): DueSession[] {
  // UNION or ORDER BY would make SQLite read closed sessions too
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
 * Expired while open, longest first, preceded by those whose service is gone, for example by a void invoice. A session accepted
 * as expired, over quota or at the reduced rate is right already; without a Class, if it started afterwards. The plus keeps
 * SQLite from reading open sessions by subscriber, scattered across the table.
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
/** Time-dependent rates are handled by fair-due.ts. */
const BY_HOURS = "(v.quota_exceeded <> 'reject' AND (v.tiers IS NOT NULL OR v.hours IS NOT NULL))";
const USED_UP = "(v.quota_total > 0 AND v.quota_used >= v.quota_total)";
