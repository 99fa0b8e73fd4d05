import type { Db } from "../../../../db/open.ts";
import { crowdedCardSessions } from "../control/crowded.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface DueCardSession {
  readonly sessionId: number;
  readonly cardId: number;
  readonly nasAddress: string;
}

/**
 * Open sessions of void, expired or used-up cards, of cards never valid (a session makes a card active, so one that is not was
 * unsold or expired unused), and surplus ones across access boxes. All, or one card's.
 */
export function dueCardSessions(db: Db, now: Seconds, cardId?: number): DueCardSession[] {
  const over = overSessions(db, now, cardId);
  const known = new Set(over.map(({ sessionId }) => sessionId));
  return [...over, ...crowdedCardSessions(db, cardId).filter(({ sessionId }) => !known.has(sessionId))];
}

function overSessions({ $client }: Db, now: Seconds, cardId?: number): DueCardSession[] {
  const ofOne = cardId === undefined ? "" : " AND s.card_id = $cardId";
  return $client
    .query<DueCardSession, { now: Seconds; cardId?: number }>(
      `SELECT s.id AS sessionId, s.card_id AS cardId, s.nas_address AS nasAddress
       FROM sessions s INDEXED BY sessions_open_card CROSS JOIN cards c ON c.id = s.card_id JOIN card_batches b ON b.id = c.batch_id
       WHERE s.stopped_at IS NULL AND s.via_box IS NULL AND s.card_id IS NOT NULL${ofOne}
         AND (c.state <> 'active' OR c.ends_at <= $now OR c.used_seconds >= b.uptime_seconds
           OR (b.quota_total > 0 AND c.used_octets >= b.quota_total))
       ORDER BY s.id`,
    )
    .all(cardId === undefined ? { now } : { now, cardId });
}
