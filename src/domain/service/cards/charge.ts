import { type Db, type Tx, write } from "../../../../db/open.ts";
import { append } from "../../money/billing/ledger.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { type BelowLimit, belowLimitSince, newestEntry } from "./below-limit.ts";
import type { CardBatch } from "./standing.ts";

/** Cards charged per transaction; accounting needs the same lock. */
const STEP = 200;

/** Result of a run: cards charged, and resellers now below their limit, including by cards redeemed since the last run. */
export interface Charged {
  readonly cards: number;
  readonly below: readonly BelowLimit[];
  /** The newest ledger entry seen, for the next run. */
  readonly newest: number;
}

interface Uncharged {
  readonly id: number;
  readonly batchId: number;
  readonly ispId: number;
  /** null: nobody owes for the card. */
  readonly resellerId: number | null;
  readonly price: number;
}

/**
 * Debits resellers for used cards where they pay at first use: each card once, even below the credit limit. Cards nobody owes
 * for are marked as settled, to be skipped later.
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

/** The reseller's price of a card being redeemed, when due at use; in the redeeming transaction. */
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
  // most runs find nothing, and should not take the write lock
  if (uncharged(db, after).length === 0) return [];
  return write(db, (tx) => {
    const due = uncharged(tx, after);
    for (const card of due) chargeIfItFits(tx, by, card, now);
    return due;
  });
}

/** A wallet at its numeric limit is refused before anything is written, without blocking other cards. */
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
