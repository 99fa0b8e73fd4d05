import { type Db, write } from "../../../db/open.ts";
import { addDuration, type Seconds } from "../time.ts";
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

/** A card in use: an Accept of it, or the Start of a session. */
export interface CardUse {
  readonly cardId: number;
  readonly at: Seconds;
  /** Of the device; null: it said none. */
  readonly mac: string | null;
}

type Stored = Pick<Card, "firstUsedAt" | "lockedMac"> &
  Pick<CardBatch, "createdAt" | "duration" | "durationUnit" | "lockFirstDevice">;

/**
 * Writes that a card is in use, from the earliest use that is known and never from before its batch was made, and which device it
 * is locked to where it is one that locks. Leaves alone a card that is void. True: nobody had used it before. Within a transaction;
 * its statements are compiled once on a connection.
 */
export function recordFirstUse({ $client }: Pick<Db, "$client">, { cardId, at, mac }: CardUse): boolean {
  const card = $client
    .query<Stored, [number]>(
      `SELECT c.first_used_at AS firstUsedAt, c.locked_mac AS lockedMac, b.created_at AS createdAt, b.duration,
         b.duration_unit AS durationUnit, b.lock_first_device AS lockFirstDevice
       FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = ? AND c.state <> 'void'`,
    )
    .get(cardId);
  if (!card) return false;
  const isFirst = card.firstUsedAt === null;
  const usedAt = Math.max(at, card.createdAt);
  if (card.firstUsedAt === null || usedAt < card.firstUsedAt)
    $client
      .query<unknown, [Seconds, Seconds | null, number]>(
        "UPDATE cards SET state = 'active', first_used_at = ?, ends_at = ? WHERE id = ?",
      )
      .run(usedAt, endOfCard(card, usedAt), cardId);
  if (card.lockFirstDevice === 1 && card.lockedMac === null && mac !== null)
    $client.query<unknown, [string, number]>("UPDATE cards SET locked_mac = ? WHERE id = ?").run(mac, cardId);
  return isFirst;
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
