import type { cardBatches, cards } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";

export type Card = typeof cards.$inferSelect;
export type CardBatch = typeof cardBatches.$inferSelect;

/** What a card is worth now: what people did with it (`new`, `sold`, `active`, `void`), and what follows from its clock and counters. */
export type CardStanding = Card["state"] | "expired" | "used_up";

type Counted = Pick<Card, "state" | "endsAt" | "usedSeconds" | "usedOctets">;
type Bounds = Pick<CardBatch, "sellBy" | "useBy" | "uptimeSeconds" | "quotaTotal">;

/** Nothing writes `expired` and `used_up`: they follow. */
export function standingOf(card: Counted, batch: Bounds, now: Seconds): CardStanding {
  if (card.state === "void") return "void";
  if (card.state === "new") return isOver(batch.sellBy, now) ? "expired" : "new";
  if (card.state === "sold") return isOver(batch.useBy, now) ? "expired" : "sold";
  if (isOver(card.endsAt, now)) return "expired";
  return isUsedUp(card, batch) ? "used_up" : "active";
}

function isOver(end: Seconds | null, now: Seconds): boolean {
  return end !== null && end <= now;
}

/** Whether its time online or its bytes are used up. */
export function isUsedUp(
  { usedSeconds, usedOctets }: Pick<Card, "usedSeconds" | "usedOctets">,
  { uptimeSeconds, quotaTotal }: Pick<CardBatch, "uptimeSeconds" | "quotaTotal">,
): boolean {
  return (
    (uptimeSeconds !== null && usedSeconds >= uptimeSeconds) || (quotaTotal > 0 && usedOctets >= quotaTotal)
  );
}

/**
 * The same in SQL, of a row `c` of cards and `b` of its batch at `$now`; a bound that is NULL is none. What is used up is written with
 * the report that used it up.
 */
export const standingSql = `CASE
  WHEN c.state = 'void' THEN 'void'
  WHEN c.state = 'new' THEN iif(b.sell_by <= $now, 'expired', 'new')
  WHEN c.state = 'sold' THEN iif(b.use_by <= $now, 'expired', 'sold')
  WHEN c.ends_at <= $now THEN 'expired'
  WHEN c.used_up_at IS NOT NULL THEN 'used_up'
  ELSE 'active' END`;
