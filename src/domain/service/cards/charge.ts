import { type Db, type Tx, write } from "../../../../db/open.ts";
import { append } from "../../money/billing/ledger.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { type BelowLimit, belowLimitSince, newestEntry } from "./below-limit.ts";
import type { CardBatch } from "./standing.ts";

/** Cards that one transaction charges; accounting needs the same lock. */
const STEP = 200;

/** What a run charged: cards, and whose wallets do not reach any more, those that were redeemed since the last run among them. */
export interface Charged {
  readonly cards: number;
  readonly below: readonly BelowLimit[];
  /** The newest entry of the ledger that was looked at, for the next run. */
  readonly newest: number;
}

interface Uncharged {
  readonly id: number;
  readonly batchId: number;
  readonly ispId: number;
  /** null: nobody owes anything for the card. */
  readonly resellerId: number | null;
  readonly price: number;
}

/**
 * Debits resellers for cards that were used, where they pay when a card is first used: each card once, also below the credit limit. A
 * card for which nobody owes anything is noted as settled, so that it is not looked at again.
 */
export async function chargeCards(
  db: Db,
  by: Actor,
  {
    now,
    signal,
    since = newestEntry(db),
  }: { now: Seconds; signal?: AbortSignal | undefined; since?: number | undefined },
): Promise<Charged> {
  permit(by, "chargeCards");
  let cards = 0;
  for (let after = 0; ;) {
    const step = chargeSome(db, by, after, now);
    cards += step.filter(({ resellerId }) => resellerId !== null).length;
    after = step.at(-1)?.id ?? after;
    if (step.length < STEP || signal?.aborted === true) break;
    await Bun.sleep(0);
  }
  return { cards, ...belowLimitSince(db, since) };
}

/** What the reseller pays for a card that is redeemed just now, where its batch says at the use; in the transaction that redeems it. */
export function chargeCard(
  tx: Tx,
  by: Actor,
  { card: { id }, batch }: { card: { readonly id: number }; batch: CardBatch },
  { now }: { now: Seconds },
): void {
  const { id: batchId, ispId, chargeOn, resellerPrice } = batch;
  const resellerId = chargeOn === "use" ? batch.resellerId : null;
  charge(tx, by, { id, batchId, ispId, resellerId, price: resellerPrice ?? 0 }, now);
}

function chargeSome(db: Db, by: Actor, after: number, now: Seconds): readonly Uncharged[] {
  // most runs find nothing, and must not take the write lock for it
  if (uncharged(db, after).length === 0) return [];
  return write(db, (tx) => {
    const due = uncharged(tx, after);
    for (const card of due) chargeIfItFits(tx, by, card, now);
    return due;
  });
}

/** A wallet that takes no more, which is refused before anything is written, keeps nobody else's cards from being charged. */
function chargeIfItFits(tx: Tx, by: Actor, card: Uncharged, now: Seconds): void {
  try {
    charge(tx, by, card, now);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

function uncharged({ $client }: Db, after: number): Uncharged[] {
  return $client
    .query<Uncharged, [number]>(
      `SELECT c.id, c.batch_id AS batchId, b.isp_id AS ispId, b.reseller_price AS price,
         CASE WHEN b.charge_on = 'use' THEN b.reseller_id END AS resellerId
       FROM cards c INDEXED BY cards_uncharged CROSS JOIN card_batches b ON b.id = c.batch_id
       WHERE c.first_used_at IS NOT NULL AND c.charged_at IS NULL AND c.id > ? ORDER BY c.id LIMIT ${STEP}`,
    )
    .all(after);
}

function charge(tx: Tx, by: Actor, { id, batchId, ispId, resellerId, price }: Uncharged, now: Seconds): void {
  if (resellerId !== null && price > 0) {
    const account = { staffId: resellerId };
    append(
      tx,
      { account, ispId, amount: -price, kind: "card", batchId, cardId: id, reason: cardNumber(id) },
      now,
      by,
    );
  }
  tx.$client
    .query<unknown, [Seconds, number]>("UPDATE cards SET charged_at = coalesce(charged_at, ?) WHERE id = ?")
    .run(now, id);
}
