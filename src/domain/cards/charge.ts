import type { Tx } from "../../../db/open.ts";
import { append } from "../billing/ledger.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";
import type { Card, CardBatch } from "./standing.ts";

/** What the reseller pays for a card that is used, where the batch says at its use: once per card, also below the wallet's limit. */
export function chargeCard(
  tx: Tx,
  by: Actor,
  { card, batch }: { card: Pick<Card, "id">; batch: CardBatch },
  { now }: { now: Seconds },
): void {
  const { resellerId, resellerPrice, chargeOn, ispId, id: batchId } = batch;
  if (resellerId === null || chargeOn !== "use") return;
  const { changes } = tx.$client
    .query<unknown, [Seconds, number]>("UPDATE cards SET charged_at = ? WHERE id = ? AND charged_at IS NULL")
    .run(now, card.id);
  if (changes === 0 || resellerPrice === null || resellerPrice === 0) return;
  const account = { staffId: resellerId };
  append(tx, { account, ispId, amount: -resellerPrice, kind: "card", batchId, cardId: card.id }, now, by);
}
