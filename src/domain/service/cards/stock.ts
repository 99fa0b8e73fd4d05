import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";
import { countSql, withCounts } from "./counts.ts";
import { batchesSeen, sumsSeen } from "./reach.ts";
import type { CardBatch } from "./standing.ts";

export interface StockLine {
  readonly kind: CardBatch["kind"];
  /** null: refills of a price. */
  readonly packageId: number | null;
  readonly packageName: string | null;
  /** Of refills, in minor units. */
  readonly price: number | null;
  /** Unsold and unused. */
  readonly left: number;
  /** Sold, or used unsold, today and in the six days before. */
  readonly gone: number;
}

const WEEK = 7 * 86_400;

/** Stock by kind and package (refills by price), lowest first. */
export function cardStock(db: Db, by: Actor, { now }: { now: Seconds }): StockLine[] {
  permit(by, "cardStock");
  const batches = batchesSeen(by.scope);
  const sums = sumsSeen(by.scope);
  return db.$client
    .query<StockLine, Value[]>(
      `WITH counted AS (
         SELECT b.kind, ifnull(b.package_id, 0) AS package, iif(b.kind = 'refill', b.price, NULL) AS worth, sum(${countSql({ standing: "new" })}) AS left, 0 AS gone
         FROM ${withCounts} WHERE ?1 = ?1 AND ${batches.text} AND b.voided_at IS NULL GROUP BY 1, 2, 3
         UNION ALL
         SELECT d.kind, d.package_id, iif(d.kind = 'refill', d.price, NULL), 0, sum(d.sold) FROM card_days d
         WHERE ${sums.text} AND d.day > ? GROUP BY 1, 2, 3)
       SELECT t.kind, nullif(t.package, 0) AS packageId, p.name AS packageName, t.worth AS price, sum(t.left) AS left, sum(t.gone) AS gone
       FROM counted t LEFT JOIN packages p ON p.id = t.package
       GROUP BY t.kind, t.package, t.worth HAVING sum(t.left) + sum(t.gone) > 0 ORDER BY left, t.kind, p.name`,
    )
    .all(now, ...batches.values, ...sums.values, localDay(now - WEEK));
}

/** Whether less is left than went in seven days. */
export function isRunningOut({ left, gone }: Pick<StockLine, "left" | "gone">): boolean {
  return left < gone;
}
