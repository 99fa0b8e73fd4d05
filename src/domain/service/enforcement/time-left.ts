import type { Db } from "../../../../db/open.ts";
import { MAX_SESSION_TIMEOUT, MIN_SESSION_TIMEOUT } from "../access/decide.ts";
import { readCardAccept } from "../sessions/session-class.ts";
import { staleAfter } from "../sessions/in-scope.ts";
import type { Seconds } from "../../core/time/time.ts";

/*
 * A router ends a session by the Session-Timeout of its Accept, the session's share of the card's time then. The share grows
 * when another session of the card ends, which the router has to be told. When it shrinks nothing is needed: the card is used
 * up earlier and its sessions are ended then. The clock limit is not shared.
 */

/** An open card session about to be cut although time is left. */
export interface CutShort {
  readonly sessionId: number;
  readonly cardId: number;
  readonly nasAddress: string;
  readonly until: Seconds;
}

/** Seconds before the end at which a router is told: enough for retries, while other sessions may still come and go. */
const LEAD = 300;
/** Smaller gains are not worth a request: reports are as late. */
const LEAST_GAIN = 30;

/** Sessions that would be cut short within five minutes, of all or one card. */
export function sessionsCutShort(db: Db, now: Seconds, cardId?: number): CutShort[] {
  const soon = candidates(db, now, cardId).filter((session) => isSoon(announcedEnd(session), now));
  const cards = new Set(soon.map((session) => session.cardId));
  return [...cards].flatMap((id) => findCutShort(db, id, now));
}

/** Lower bound of an unknown timeout: the share with as many sessions as allowed. */
const LEAST = `max(${MIN_SESSION_TIMEOUT}, (b.uptime_seconds - c.used_seconds + s.session_time) / b.simultaneous_use)`;

/** A session's timeout as known to its router. */
interface Announced {
  readonly startedAt: Seconds;
  readonly class: Uint8Array | null;
  /** Told last; null: only by the Accept. */
  readonly announced: Seconds | null;
  /** Lower bound of the Accept's timeout in seconds. */
  readonly least: Seconds;
}

interface Candidate extends Announced {
  readonly cardId: number;
}

/** Candidates by that bound, read at once. */
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

function findCutShort(db: Db, cardId: number, now: Seconds): CutShort[] {
  const open = db.$client
    .query<Open, [number]>(
      `SELECT s.id AS sessionId, s.nas_address AS nasAddress, s.started_at AS startedAt, s.updated_at AS updatedAt, s.class,
         t.until AS announced, ${LEAST} AS least, b.uptime_seconds - c.used_seconds AS left, c.ends_at AS endsAt
       FROM sessions s INDEXED BY sessions_open_card CROSS JOIN cards c ON c.id = s.card_id JOIN card_batches b ON b.id = c.batch_id
         LEFT JOIN told_ends t ON t.session_id = s.id
       WHERE s.card_id = ? AND s.stopped_at IS NULL ORDER BY s.id`,
    )
    .all(cardId);
  // usage since the last report counts too; a silent router may have lost the session
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

/** Whether it ends soon enough to act, and not yet. */
function isSoon(end: Seconds, now: Seconds): boolean {
  return end > now && end <= now + LEAD;
}

/** The time at which its router ends a session, as far as known. */
function announcedEnd({ announced, class: sessionClass, startedAt, least }: Announced): Seconds {
  if (announced !== null) return announced;
  const accept = sessionClass && readCardAccept(Buffer.from(sessionClass));
  return startedAt + (accept?.sessionTimeout ?? least);
}
