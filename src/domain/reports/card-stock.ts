import type { Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import type { Card, CardBatch } from "../cards/standing.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { batchesInScope } from "./cards.ts";
import { withCurrency } from "./ledger-sums.ts";

/** The cards of a package, or of refills, as they stand now. */
export interface CardStockRow {
  ispId: number;
  isp: string;
  currency: string;
  /** 0: refills. */
  packageId: number;
  package: string | null;
  kind: CardBatch["kind"];
  /** To be sold; what they cost, in minor units. */
  new: number;
  worth: number;
  /** Sold and not used. */
  sold: number;
  /** Used, with time and volume left. */
  active: number;
  /** Used, without. */
  usedUp: number;
  /** Never used and over, by `sell_by` or `use_by`. */
  expired: number;
  void: number;
}

interface Batch extends Pick<
  CardStockRow,
  "ispId" | "isp" | "packageId" | "package" | "kind" | "new" | "sold" | "void"
> {
  readonly id: number;
  readonly price: number;
  readonly quantity: number;
  readonly isSaleOver: 0 | 1;
  readonly isUseOver: 0 | 1;
}

/** How many cards there are of each package, by what they are worth now. */
export function reportCardStock(db: Db, by: Actor, { now }: { now: Seconds }): { rows: CardStockRow[] } {
  permit(by, "reportCardStock");
  const { text, values } = batchesInScope(by.scope);
  // from the index alone, and not those that were used, which are most: they are what is left of the batch
  const cards = (state: Card["state"]) =>
    `(SELECT count(*) FROM cards c WHERE c.batch_id = b.id AND c.state = '${state}') AS ${state}`;
  const batches = db.$client
    .query<Batch, Value[]>(
      `SELECT b.id, b.isp_id AS ispId, isps.name AS isp, coalesce(b.package_id, 0) AS packageId, p.name AS package, b.kind, b.price,
         b.quantity, ${cards("new")}, ${cards("sold")}, ${cards("void")},
         coalesce(b.sell_by <= ?, 0) AS isSaleOver, coalesce(b.use_by <= ?, 0) AS isUseOver
       FROM card_batches b JOIN isps ON isps.id = b.isp_id LEFT JOIN packages p ON p.id = b.package_id
       WHERE ${text} ORDER BY b.isp_id, p.name IS NULL, p.name, b.kind, b.id`,
    )
    .all(now, now, ...values);
  const running = runningCards(db, now);
  const rows = new Map<string, Omit<CardStockRow, "currency">>();
  for (const batch of batches) {
    const { ispId, isp, packageId, package: sold, kind } = batch;
    const row = rows.getOrInsertComputed(`${ispId} ${packageId} ${kind}`, () => ({
      ...{ ispId, isp, packageId, package: sold, kind },
      ...{ new: 0, worth: 0, sold: 0, active: 0, usedUp: 0, expired: 0, void: 0 },
    }));
    count(row, batch, running.get(batch.id) ?? 0);
  }
  return { rows: withCurrency(db, [...rows.values()]) };
}

function count(row: Omit<CardStockRow, "currency">, batch: Batch, running: number): void {
  const { kind, price, quantity, new: unsold, sold, isSaleOver, isUseOver } = batch;
  const used = quantity - unsold - sold - batch.void;
  // what was redeemed is used up by that
  const active = kind === "access" ? Math.min(used, running) : 0;
  row.active += active;
  row.usedUp += used - active;
  row.void += batch.void;
  row[isSaleOver ? "expired" : "new"] += unsold;
  row.worth += isSaleOver ? 0 : unsold * price;
  row[isUseOver ? "expired" : "sold"] += sold;
}

/** How many cards of each batch are used and not at their end: read by the index of ends, or by batch where no clock ends them. */
function runningCards({ $client }: Db, now: Seconds): Map<number, number> {
  const hasRest = `c.state = 'active' AND coalesce(c.used_seconds < b.uptime_seconds, 1)
    AND (b.quota_total = 0 OR c.used_octets < b.quota_total)`;
  const rows = $client
    .query<{ id: number; cards: number }, [Seconds]>(
      `SELECT b.id, count(*) AS cards FROM cards c INDEXED BY cards_ends JOIN card_batches b ON b.id = c.batch_id
       WHERE c.ends_at > ? AND c.used_up_at IS NULL AND ${hasRest} GROUP BY b.id
       UNION ALL
       SELECT b.id, count(*) FROM card_batches b CROSS JOIN cards c ON c.batch_id = b.id
       WHERE b.kind = 'access' AND b.duration IS NULL AND ${hasRest} GROUP BY b.id`,
    )
    .all(now);
  return new Map(rows.map(({ id, cards }) => [id, cards]));
}
