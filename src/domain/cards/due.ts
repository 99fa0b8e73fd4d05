import type { Db } from "../../../db/open.ts";
import { rateFingerprint } from "../access/granted.ts";
import type { Seconds } from "../time.ts";

/** An open session of a card that may not go on as it is. */
export interface DueCardSession {
  readonly sessionId: number;
  readonly cardId: number;
  readonly nasAddress: string;
  /** What it is slowed down to; null: it ends. */
  readonly slowerRate: string | null;
  /** As of Granted. */
  readonly grantedRate: number | null;
}

const HARD = `(ifnull(c.ends_at <= $now, 0) OR ifnull(c.used_seconds >= b.uptime_seconds, 0)
  OR (b.quota_total > 0 AND c.used_octets >= b.quota_total AND b.quota_exceeded = 'reject'))`;
const SLOWER = "(b.quota_total > 0 AND c.used_octets >= b.quota_total AND b.quota_exceeded <> 'reject')";
const HAS_GARDEN = "(b.expired_pool IS NOT NULL OR b.expired_address_list IS NOT NULL)";
const LAST = "min(ifnull(c.ends_at, 9e15), ifnull(c.used_up_at, 9e15))";

/**
 * Every open session of void cards, and of cards that ran out while it was open, by the clock, by time online or by volume; or those
 * of one card. Who logged in to the walled garden, or has the slower rate already, has what it should have.
 */
export function dueCardSessions({ $client }: Db, now: Seconds, cardId?: number): DueCardSession[] {
  const ofOne = cardId === undefined ? "" : " AND s.card_id = $cardId";
  return $client
    .query<DueCardSession, { now: Seconds; cardId?: number }>(
      `SELECT s.id AS sessionId, s.card_id AS cardId, s.nas_address AS nasAddress, s.granted_rate AS grantedRate,
         CASE WHEN c.state <> 'void' AND NOT ${HARD} THEN b.quota_exceeded END AS slowerRate
       FROM sessions s INDEXED BY sessions_open_card CROSS JOIN cards c ON c.id = s.card_id JOIN card_batches b ON b.id = c.batch_id
       WHERE s.stopped_at IS NULL AND s.card_id IS NOT NULL${ofOne} AND CASE
         WHEN c.state = 'void' THEN 1
         WHEN NOT ${HARD} AND NOT ${SLOWER} THEN 0
         WHEN s.accepted_as = 'accepted' THEN 1
         WHEN s.accepted_as = 'accepted_slowed_down' THEN ${HARD}
         WHEN s.accepted_as IS NOT NULL THEN 0
         WHEN ${HARD} THEN NOT ${HAS_GARDEN} OR s.started_at < ${LAST}
         ELSE s.started_at <= c.used_up_at END
       ORDER BY s.id`,
    )
    .all(cardId === undefined ? { now } : { now, cardId })
    .filter(
      ({ grantedRate, slowerRate }) => slowerRate === null || grantedRate !== rateFingerprint(slowerRate),
    );
}
