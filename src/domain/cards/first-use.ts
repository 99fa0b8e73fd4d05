import { type Db, write } from "../../../db/open.ts";
import { addDuration, type Seconds } from "../time.ts";
import { countFirstUse } from "./days.ts";
import type { Card, CardBatch } from "./standing.ts";

/** When a card that is first used at a moment ends by the clock; null: never by the clock. */
export function endOfCard(
  { duration, durationUnit }: Pick<CardBatch, "duration" | "durationUnit">,
  firstUsedAt: Seconds,
): Seconds | null {
  return duration === null || durationUnit === null
    ? null
    : addDuration(firstUsedAt, { count: duration, unit: durationUnit }).end;
}

/** An Accept or a Start of an access card, at UTC seconds, from a device; null: nobody knows which. */
export interface CardUse {
  readonly cardId: number;
  readonly at: Seconds;
  readonly mac: string | null;
}

/**
 * Seconds after the end of `sell_by` or `use_by` in which a use still counts: it was let in before, and was under way.
 */
const UNDER_WAY = 60;

type Used = Readonly<
  Pick<CardBatch, "duration" | "durationUnit" | "lockFirstDevice" | "createdAt"> &
    Pick<Card, "batchId" | "soldAt" | "soldBy" | "firstUsedAt" | "lockedMac">
>;

/**
 * Writes the first use of an access card: the earliest that anybody tells of, never before its batch was made. Its end by the clock
 * follows, and the first device where it is bound to that. Of a void card, one that is not sold where it has to be, or one that had run
 * out unused, nothing is written. Whether anything was.
 */
export function recordFirstUse(db: Pick<Db, "$client">, { cardId, at, mac }: CardUse): boolean {
  const card = db.$client
    .query<Used, { cardId: number; at: Seconds }>(
      `SELECT c.batch_id AS batchId, c.sold_at AS soldAt, c.sold_by AS soldBy, c.first_used_at AS firstUsedAt, c.locked_mac AS lockedMac, b.duration, b.duration_unit AS durationUnit,
         b.lock_first_device AS lockFirstDevice, b.created_at AS createdAt
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
  const isBound = card.lockFirstDevice === 1 && (isEarlier || card.lockedMac === null);
  const lockedMac = isBound ? (mac ?? card.lockedMac) : card.lockedMac;
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
  return true;
}

/** A decision about a login, as far as cards care. */
interface Decided extends Omit<CardUse, "cardId"> {
  readonly cardId: number | null;
  /** Whether it is the first use of the card, or the first by which it can be locked. */
  readonly isCardUse: boolean;
}

/** Writes the first uses among decisions about logins, in one transaction. Again, it changes nothing. */
export function recordFirstUses(db: Db, decisions: readonly Decided[]): void {
  const uses = decisions.flatMap(({ isCardUse, cardId, at, mac }) =>
    isCardUse && cardId !== null ? [{ cardId, at, mac }] : [],
  );
  if (uses.length === 0) return;
  write(db, (tx) => {
    for (const use of uses) recordFirstUse(tx, use);
  });
}
