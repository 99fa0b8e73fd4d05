import { type Db, write } from "../../../../db/open.ts";
import { announceOther, timestamp } from "../../core/events/announce.ts";
import type { Session } from "../sessions/advance.ts";
import { readCardAccept } from "../sessions/session-class.ts";
import { addDuration, type Seconds } from "../../core/time/time.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { countFirstUse } from "./days.ts";
import type { Card, CardBatch } from "./standing.ts";

/** End by the clock of a card first used at a moment; null: none. */
export function endOfCard(
  { duration, durationUnit }: Pick<CardBatch, "duration" | "durationUnit">,
  firstUsedAt: Seconds,
): Seconds | null {
  return duration === null || durationUnit === null
    ? null
    : addDuration(firstUsedAt, { count: duration, unit: durationUnit }).end;
}

/** An Accept or Start of an access card, in UTC seconds, and its device; null: unknown. */
export interface CardUse {
  readonly cardId: number;
  readonly at: Seconds;
  readonly mac: string | null;
}

/** Seconds after `sell_by` or `use_by` in which a use counts: it was accepted before. */
const UNDER_WAY = 60;

/** Longest age of a use that only its router vouches for: routers without a clock say anything. */
const MOST_DELAY = 86_400;

/**
 * Time of a card's use, from a report at `arrival`: the Accept's, which its Class carries and accounting delays do not move;
 * else the session's start, within a day.
 */
export function useReportedBy(
  { class: sessionClass, startedAt }: Pick<Session, "class" | "startedAt">,
  arrival: Seconds,
): Seconds {
  const accept = readCardAccept(sessionClass);
  return Math.min(accept?.acceptedAt ?? Math.max(startedAt, arrival - MOST_DELAY), arrival);
}

type Used = Readonly<
  Pick<CardBatch, "duration" | "durationUnit" | "lockFirstDevice" | "createdAt" | "ispId"> &
    Pick<Card, "batchId" | "soldAt" | "soldBy" | "firstUsedAt" | "lockedMac">
>;

/**
 * Records an access card's first use: the earliest reported, never before its batch was made. Sets its end and, when the card
 * is device-locked, its device; a later report of an earlier use changes neither the device nor an unlock by staff. Void,
 * unsold (where required) or already expired cards are not used. Returns whether anything was written.
 */
export function recordFirstUse(db: Pick<Db, "$client">, { cardId, at, mac }: CardUse): boolean {
  const card = db.$client
    .query<Used, { cardId: number; at: Seconds }>(
      `SELECT c.batch_id AS batchId, c.sold_at AS soldAt, c.sold_by AS soldBy, c.first_used_at AS firstUsedAt, c.locked_mac AS lockedMac, b.duration, b.duration_unit AS durationUnit,
         b.lock_first_device AS lockFirstDevice, b.created_at AS createdAt, b.isp_id AS ispId
       FROM cards c JOIN card_batches b ON b.id = c.batch_id
       WHERE c.id = $cardId AND b.kind = 'access' AND CASE c.state
         WHEN 'active' THEN 1
         WHEN 'sold' THEN ifnull(b.use_by + ${UNDER_WAY} > $at, 1)
         WHEN 'new' THEN b.needs_sale = 0 AND ifnull(b.sell_by + ${UNDER_WAY} > $at, 1)
         ELSE 0 END`,
    )
    .get({ cardId, at });
  if (!card) return false;
  const earliest = Math.max(card.createdAt, at);
  const isEarlier = card.firstUsedAt === null || earliest < card.firstUsedAt;
  const firstUsedAt = isEarlier ? earliest : card.firstUsedAt;
  const mayLock = card.lockFirstDevice === 1 && card.lockedMac === null && mac !== null;
  const lockedMac = mayLock && at >= unlockedAt(db, cardId) ? mac : card.lockedMac;
  if (!isEarlier && lockedMac === card.lockedMac) return false;
  if (isEarlier) countFirstUse(db, card, firstUsedAt);
  db.$client
    .query<
      unknown,
      { cardId: number; firstUsedAt: Seconds; endsAt: Seconds | null; lockedMac: string | null }
    >(
      `UPDATE cards SET state = 'active', first_used_at = $firstUsedAt, ends_at = $endsAt, locked_mac = $lockedMac
       WHERE id = $cardId`,
    )
    .run({ cardId, firstUsedAt, endsAt: endOfCard(card, firstUsedAt), lockedMac });
  if (card.firstUsedAt === null)
    tellFirstUse(db, { ...card, cardId, at: firstUsedAt, subscriberId: null }, firstUsedAt);
  return true;
}

/** Event for a card's first use; `subscriberId`: the redeemer, null for an access card. */
export function tellFirstUse(
  db: Pick<Db, "$client">,
  {
    cardId,
    at,
    batchId,
    ispId,
    subscriberId,
  }: Pick<Used, "batchId" | "ispId"> & { cardId: number; at: Seconds; subscriberId: number | null },
  now: Seconds,
): void {
  const used = {
    id: cardId,
    number: cardNumber(cardId),
    batch_id: batchId,
    isp_id: ispId,
    used_at: timestamp(at),
    subscriber_id: subscriberId,
  };
  announceOther(db, now, { type: "card.first_used", ispId, at, data: { card: used } });
}

/** The time at which staff last unlocked a card; 0: never. */
function unlockedAt({ $client }: Pick<Db, "$client">, cardId: number): Seconds {
  const unlocked = $client.query<{ at: Seconds | null }, [string]>(
    "SELECT max(at) AS at FROM audit_entries WHERE entity = 'card' AND entity_id = ? AND action = 'card.unlock'",
  );
  return unlocked.get(String(cardId))?.at ?? 0;
}

interface Decided extends Omit<CardUse, "cardId"> {
  readonly cardId: number | null;
  /** Whether it is the card's first use, or the first that can lock it. */
  readonly isCardUse: boolean;
}

/** Records first uses among decisions, in one transaction; idempotent. */
export function recordFirstUses(db: Db, decisions: readonly Decided[]): void {
  const uses = decisions.flatMap(({ isCardUse, cardId, at, mac }) =>
    isCardUse && cardId !== null ? [{ cardId, at, mac }] : [],
  );
  if (uses.length === 0) return;
  write(db, (tx) => {
    for (const use of uses) recordFirstUse(tx, use);
  });
}
