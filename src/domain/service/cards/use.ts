import type { Tx } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { isUsedUp, type Card, type CardBatch } from "./standing.ts";

/** Seconds online and bytes both ways added by a report. */
export interface Spent {
  readonly cardId: number;
  readonly seconds: Seconds;
  readonly octets: number;
  readonly at: Seconds;
}

type Counted = Pick<Card, "usedSeconds" | "usedOctets" | "usedUpAt"> &
  Pick<CardBatch, "uptimeSeconds" | "quotaTotal">;

/** Adds to a card's totals. Returns whether this used it up, once. */
export function useCard({ $client }: Pick<Tx, "$client">, { cardId, seconds, octets, at }: Spent): boolean {
  if (seconds === 0 && octets === 0) return false;
  const card = $client
    .query<Counted, { cardId: number; seconds: number; octets: number }>(
      `UPDATE cards SET used_seconds = used_seconds + $seconds, used_octets = used_octets + $octets WHERE id = $cardId
       RETURNING used_seconds AS usedSeconds, used_octets AS usedOctets, used_up_at AS usedUpAt,
         (SELECT b.uptime_seconds FROM card_batches b WHERE b.id = batch_id) AS uptimeSeconds,
         (SELECT b.quota_total FROM card_batches b WHERE b.id = batch_id) AS quotaTotal`,
    )
    .get({ cardId, seconds, octets });
  if (!card || card.usedUpAt !== null || !isUsedUp(card, card)) return false;
  $client
    .query<unknown, [Seconds, number]>("UPDATE cards SET used_up_at = ? WHERE id = ? AND used_up_at IS NULL")
    .run(at, cardId);
  return true;
}
