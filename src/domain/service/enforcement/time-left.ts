import type { Db } from "../../../../db/open.ts";
import { MAX_SESSION_TIMEOUT, MIN_SESSION_TIMEOUT } from "../access/decide.ts";
import { readCardAccept } from "../sessions/session-class.ts";
import { staleAfter } from "../sessions/stale.ts";
import type { Seconds } from "../../core/time/time.ts";

/*
 * A router ends a session by the Session-Timeout of its Accept: the share of the time online that the session had then. The share
 * grows when another session of the card ends, and of that the router has to be told. One that shrinks needs nothing: the card is
 * used up earlier, and its sessions are ended then. The clock divides nothing.
 */

/** An open session of a card that its router is about to end, although the card has time left. */
export interface CutShort {
  readonly sessionId: number;
  readonly cardId: number;
  readonly nasAddress: string;
  /** Until when its share lasts. */
  readonly until: Seconds;
}

/** Seconds before its end that a router is told of another one: enough for some tries, and others may come and go until then. */
const LEAD = 300;
/** What is less is not worth asking a router for: reports are late by as much. */
const LEAST_GAIN = 30;

/** Every session that its router would cut short within five minutes, or those of one card. */
export function sessionsCutShort(db: Db, now: Seconds, cardId?: number): CutShort[] {
  const soon = candidates(db, now, cardId).filter((session) => isSoon(announcedEnd(session), now));
  const cards = new Set(soon.map((session) => session.cardId));
  return [...cards].flatMap((id) => cutShortOf(db, id, now));
}

/** The least that a session without a word of its Accept was told to last: its share beside as many as the card allows. */
const LEAST = `max(${MIN_SESSION_TIMEOUT}, (b.uptime_seconds - c.used_seconds + s.session_time) / b.simultaneous_use)`;

/** Until when a session lasts, as far as anybody has told its router. */
interface Announced {
  readonly startedAt: Seconds;
  readonly class: Uint8Array | null;
  /** What its router was told last; null: by its Accept alone. */
  readonly announced: Seconds | null;
  /** Seconds that its Accept has granted at the least. */
  readonly least: Seconds;
}

interface Candidate extends Announced {
  readonly cardId: number;
}

/** Sessions that could have been told of an end so soon: read at once, since most of them were not. */
function candidates({ $client }: Db, now: Seconds, cardId?: number): Candidate[] {
  const ofOne = cardId === undefined ? "" : " AND s.card_id = $cardId";
  return $client
    .query<Candidate, { now: Seconds; cardId?: number }>(
      `SELECT s.card_id AS cardId, s.started_at AS startedAt, s.class, t.until AS announced, ${LEAST} AS least
       FROM sessions s INDEXED BY sessions_open_card CROSS JOIN cards c ON c.id = s.card_id JOIN card_batches b ON b.id = c.batch_id
         LEFT JOIN told_ends t ON t.session_id = s.id
       WHERE s.stopped_at IS NULL AND s.via_box IS NULL AND s.card_id IS NOT NULL${ofOne} AND b.uptime_seconds IS NOT NULL AND b.simultaneous_use > 1
         AND c.state = 'active' AND c.used_seconds < b.uptime_seconds AND ifnull(c.ends_at > $now, 1)
         AND (b.quota_total = 0 OR c.used_octets < b.quota_total)
         AND ifnull(t.until, s.started_at + ${LEAST}) <= $now + ${LEAD}
       ORDER BY s.id`,
    )
    .all(cardId === undefined ? { now } : { now, cardId });
}

interface Open extends Announced {
  readonly sessionId: number;
  readonly nasAddress: string;
  readonly updatedAt: Seconds;
  readonly left: Seconds;
  readonly endsAt: Seconds | null;
}

function cutShortOf(db: Db, cardId: number, now: Seconds): CutShort[] {
  const open = db.$client
    .query<Open, [number]>(
      `SELECT s.id AS sessionId, s.nas_address AS nasAddress, s.started_at AS startedAt, s.updated_at AS updatedAt, s.class,
         t.until AS announced, ${LEAST} AS least, b.uptime_seconds - c.used_seconds AS left, c.ends_at AS endsAt
       FROM sessions s INDEXED BY sessions_open_card CROSS JOIN cards c ON c.id = s.card_id JOIN card_batches b ON b.id = c.batch_id
         LEFT JOIN told_ends t ON t.session_id = s.id
       WHERE s.card_id = ? AND s.stopped_at IS NULL ORDER BY s.id`,
    )
    .all(cardId);
  // what was used since the last reports; a router that has gone silent may not have the session any more
  const longest = staleAfter(db);
  const unreported = open.reduce(
    (sum, { updatedAt }) => sum + Math.min(Math.max(now - updatedAt, 0), longest),
    0,
  );
  return open.flatMap(({ sessionId, nasAddress, startedAt, endsAt, left, ...session }) => {
    const share = Math.floor((left - unreported) / open.length);
    const latest = Math.min(endsAt ?? Infinity, startedAt + MAX_SESSION_TIMEOUT);
    const announced = announcedEnd({ startedAt, ...session });
    const gain = Math.min(now + share, latest) - announced;
    if (!isSoon(announced, now) || gain < LEAST_GAIN) return [];
    const until = Math.min(now + Math.max(share, MIN_SESSION_TIMEOUT), latest);
    return [{ sessionId, cardId, nasAddress, until }];
  });
}

/** Whether a session ends so soon that its router is told of another end now; one that has ended is not told any more. */
function isSoon(end: Seconds, now: Seconds): boolean {
  return end > now && end <= now + LEAD;
}

/** When its router ends a session, as far as anybody has told it. */
function announcedEnd({ announced, class: sessionClass, startedAt, least }: Announced): Seconds {
  if (announced !== null) return announced;
  const accept = sessionClass && readCardAccept(Buffer.from(sessionClass));
  return startedAt + (accept?.sessionTimeout ?? least);
}
