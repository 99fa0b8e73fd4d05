import type { Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { batchesSeen } from "./reach.ts";
import type { CardBatch } from "./standing.ts";

/** What is left to sell of what cards bring, and how fast it goes. */
export interface StockLine {
  readonly kind: CardBatch["kind"];
  /** null: refills of a price. */
  readonly packageId: number | null;
  readonly packageName: string | null;
  /** Minor units, of refills, which have no package. */
  readonly price: number | null;
  /** Cards that nobody has bought or used yet. */
  readonly left: number;
  /** Sold or first used within the last seven days. */
  readonly gone: number;
}

const WEEK = 7 * 86_400;

/** What is in stock by kind and package (refills by their price), the least that is left first. */
export function cardStock(db: Db, by: Actor, { now }: { now: Seconds }): StockLine[] {
  permit(by, "cardStock");
  const { text, values } = batchesSeen(by.scope);
  return db.$client
    .query<StockLine, Value[]>(
      `WITH mine AS (SELECT b.id, b.kind, b.package_id, iif(b.kind = 'refill', b.price, NULL) AS worth,
           b.voided_at IS NULL AND (b.sell_by IS NULL OR b.sell_by > ?) AS sells FROM card_batches b WHERE ${text}),
         counted AS (
           SELECT m.kind, m.package_id, m.worth,
             iif(m.sells, (SELECT count(*) FROM cards c WHERE c.batch_id = m.id AND c.state = 'new'), 0) AS left, 0 AS gone FROM mine m
           UNION ALL
           SELECT m.kind, m.package_id, m.worth, 0, 1 FROM cards c CROSS JOIN mine m ON m.id = c.batch_id WHERE c.sold_at > ?
           UNION ALL
           SELECT m.kind, m.package_id, m.worth, 0, 1 FROM cards c CROSS JOIN mine m ON m.id = c.batch_id
             WHERE c.first_used_at > ? AND c.sold_at IS NULL)
       SELECT t.kind, t.package_id AS packageId, p.name AS packageName, t.worth AS price, sum(t.left) AS left, sum(t.gone) AS gone
       FROM counted t LEFT JOIN packages p ON p.id = t.package_id
       GROUP BY t.kind, t.package_id, t.worth HAVING sum(t.left) + sum(t.gone) > 0 ORDER BY left, t.kind, p.name`,
    )
    .all(now, ...values, now - WEEK, now - WEEK);
}

/** Whether less is left than went in the last seven days. */
export function isRunningOut({ left, gone }: Pick<StockLine, "left" | "gone">): boolean {
  return left < gone;
}
