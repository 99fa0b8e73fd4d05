import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { countSql, withCounts } from "../../service/cards/counts.ts";
import type { CardBatch } from "../../service/cards/standing.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { batchesInScope } from "./cards.ts";
import { Isps } from "../../money/sums/isps.ts";

export interface CardStockRow {
  ispId: number;
  isp: string;
  currency: string;
  /** 0: refills. */
  packageId: number;
  package: string | null;
  kind: CardBatch["kind"];
  new: number;
  worth: number;
  sold: number;
  active: number;
  usedUp: number;
  expired: number;
  lost: number;
  unused: number;
  void: number;
}

type Sums = Omit<CardStockRow, "currency">;

// redeeming uses a card up
const inUse = `iif(b.kind = 'access', ${countSql({ standing: "active" })}, 0)`;
const isOver = "coalesce(b.sell_by <= ?1, 0)";
const unsold = countSql({ state: "new" });

/** Cards by package, at current values. */
export function reportCardStock(db: Db, by: Actor, { now }: { now: Seconds }): { rows: CardStockRow[] } {
  permit(by, "reportCardStock");
  const { text, values } = batchesInScope(by.scope);
  const rows = db.$client
    .query<Sums, Value[]>(
      `SELECT t.isp_id AS ispId, isps.name AS isp, t.packageId, p.name AS package, t.kind, t.new, t.worth, t.sold, t.active,
         t.used - t.active AS usedUp, t.expired, t.lost, t.unused, t.void
       FROM (SELECT b.isp_id, ifnull(b.package_id, 0) AS packageId, b.kind, sum(iif(${isOver}, 0, ${unsold})) AS new, sum(iif(${isOver}, 0, ${unsold} * b.price)) AS worth,
           sum(${countSql({ standing: "sold" })}) AS sold, sum(${countSql({ state: "active" })}) AS used, sum(${inUse}) AS active,
           sum(iif(${isOver}, ${unsold}, 0)) AS expired, sum(iif(${isOver}, ${unsold} * b.price, 0)) AS lost,
           sum(${countSql({ state: "sold", standing: "expired" })}) AS unused, sum(${countSql({ state: "void" })}) AS void
         FROM ${withCounts} WHERE ?1 = ?1 AND ${text} GROUP BY b.isp_id, b.package_id, b.kind) t
       JOIN isps ON isps.id = t.isp_id LEFT JOIN packages p ON p.id = t.packageId
       ORDER BY t.isp_id, p.name IS NULL, p.name, t.kind`,
    )
    .all(now, ...values);
  return { rows: new Isps(db).withCurrency(rows) };
}
