import type { Tx } from "../../../../db/open.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";
import type { Card } from "./standing.ts";

export interface Moves {
  readonly sold?: number;
  readonly used?: number;
  readonly void?: number;
  /** Of the voided, those sold but unused. */
  readonly returned?: number;
}

/** Cards by batch and seller; null: not sold by staff, so counted for the reseller. */
export interface Moved {
  readonly batchId: number;
  readonly soldBy: number | null;
}

/** Adds to a day's sums; in the same transaction. */
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

/** A first use, which also counts as the sale of an unsold card; an earlier one found later moves it. */
export function countFirstUse(tx: Pick<Tx, "$client">, card: Before, firstUsedAt: Seconds): void {
  const sold = card.soldAt === null ? 1 : 0;
  if (card.firstUsedAt !== null) {
    if (localDay(card.firstUsedAt) === localDay(firstUsedAt)) return;
    countMoves(tx, card, card.firstUsedAt, { sold: -sold, used: -1 });
  }
  countMoves(tx, card, firstUsedAt, { sold, used: 1 });
}

/** A voided card; with -1 a revived one. */
export function countVoid(tx: Pick<Tx, "$client">, card: Before, at: Seconds, count: 1 | -1 = 1): void {
  const isReturned = card.soldAt !== null && card.firstUsedAt === null;
  countMoves(tx, card, at, { void: count, returned: isReturned ? count : 0 });
}
