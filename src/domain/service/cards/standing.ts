import type { cardBatches, cards } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";

export type Card = typeof cards.$inferSelect;
export type CardBatch = typeof cardBatches.$inferSelect;

/** A card's effective state: stored (`new`, `sold`, `active`, `void`), or derived from clock and counters. */
export type CardStanding = Card["state"] | "expired" | "used_up";

type Counted = Pick<Card, "state" | "endsAt" | "usedSeconds" | "usedOctets">;
type Bounds = Pick<CardBatch, "sellBy" | "useBy" | "uptimeSeconds" | "quotaTotal">;

/** `expired` and `used_up` are derived, never stored. */
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

export function isUsedUp(
  { usedSeconds, usedOctets }: Pick<Card, "usedSeconds" | "usedOctets">,
  { uptimeSeconds, quotaTotal }: Pick<CardBatch, "uptimeSeconds" | "quotaTotal">,
): boolean {
  return (
    (uptimeSeconds !== null && usedSeconds >= uptimeSeconds) || (quotaTotal > 0 && usedOctets >= quotaTotal)
  );
}

/** The same in SQL for cards `c` and batch `b` at `$now`; NULL limits are none. Used-up is written by the report that reached it. */
export const standingSql = `CASE
  WHEN c.state = 'void' THEN 'void'
  WHEN c.state = 'new' THEN iif(b.sell_by <= $now, 'expired', 'new')
  WHEN c.state = 'sold' THEN iif(b.use_by <= $now, 'expired', 'sold')
  WHEN c.ends_at <= $now THEN 'expired'
  WHEN c.used_up_at IS NOT NULL THEN 'used_up'
  ELSE 'active' END`;
