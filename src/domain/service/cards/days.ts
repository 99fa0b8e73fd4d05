import type { Tx } from "../../../../db/open.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";
import type { Card } from "./standing.ts";

export interface Moves {
  readonly sold?: number;
  readonly used?: number;
  readonly void?: number;
  /** Of those that became void, those that had been sold and not used. */
  readonly returned?: number;
}

/** Whose cards: of a batch, sold by somebody; null: by nobody of the staff, so that they are their reseller's. */
export interface Moved {
  readonly batchId: number;
  readonly soldBy: number | null;
}

/** Adds what became of cards to the sums of the day on which it did; in the transaction that writes it. */
export function countMoves(
  { $client }: Pick<Tx, "$client">,
  { batchId, soldBy }: Moved,
  at: Seconds,
  moves: Moves,
): void {
  $client
    .query<unknown, [number, number | null, number, number, number, number, number]>(
      `INSERT INTO card_days (isp_id, day, branch_id, kind, package_id, price, part, reseller_id, seller_id, sold, used, void, returned)
       SELECT b.isp_id, ?1, ifnull(b.branch_id, 0), b.kind, ifnull(b.package_id, 0), b.price, ifnull(b.reseller_price, b.price),
         ifnull(b.reseller_id, 0), coalesce(?2, b.reseller_id, 0), ?3, ?4, ?5, ?6
       FROM card_batches b WHERE b.id = ?7
       ON CONFLICT DO UPDATE SET sold = sold + excluded.sold, used = used + excluded.used, void = void + excluded.void,
         returned = returned + excluded.returned`,
    )
    .run(
      localDay(at),
      soldBy,
      moves.sold ?? 0,
      moves.used ?? 0,
      moves.void ?? 0,
      moves.returned ?? 0,
      batchId,
    );
}

type Before = Moved & Pick<Card, "soldAt" | "firstUsedAt">;

/** The first use of a card, which is the sale of one that nobody sold; one that turns out to be earlier than it was known moves. */
export function countFirstUse(tx: Pick<Tx, "$client">, card: Before, firstUsedAt: Seconds): void {
  const sold = card.soldAt === null ? 1 : 0;
  if (card.firstUsedAt !== null) {
    if (localDay(card.firstUsedAt) === localDay(firstUsedAt)) return;
    countMoves(tx, card, card.firstUsedAt, { sold: -sold, used: -1 });
  }
  countMoves(tx, card, firstUsedAt, { sold, used: 1 });
}

/** A card that becomes void; with -1 one that is revived. */
export function countVoid(tx: Pick<Tx, "$client">, card: Before, at: Seconds, count: 1 | -1 = 1): void {
  const isReturned = card.soldAt !== null && card.firstUsedAt === null;
  countMoves(tx, card, at, { void: count, returned: isReturned ? count : 0 });
}
