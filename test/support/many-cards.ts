import type { Db } from "../../db/open.ts";
import { localDay, type Seconds } from "../../src/domain/core/time/time.ts";

const DAY = 86_400;
/** Zones differ by quarters of an hour, so one quarter is of one day everywhere. */
const QUARTER = 900;

/**
 * Writes a year of card batches of ISP 1 up to `now`, a million cards in seconds: of ten cards two are new, one is sold, seven
 * are used. Every other batch lasts a day, the others 30; a third expires unused after two months.
 */
export function fillManyCards(
  { $client }: Db,
  { cards, perBatch, now }: { cards: number; perBatch: number; now: Seconds },
): void {
  const batches = Math.ceil(cards / perBatch);
  const addBatch = $client.query<unknown, (number | null)[]>(
    `INSERT INTO card_batches (id, isp_id, kind, package_id, quantity, price, length, alphabet, duration, duration_unit, uptime_seconds, sell_by, use_by, created_at)
     VALUES (?, 1, 'access', 1, ?, 100, 12, '0123456789', ?, 'day', 3600, ?, ?, ?)`,
  );
  // sold and used within a month, by whoever is account 1
  const addCards = $client.query<unknown, [number, number, Seconds, Seconds, number]>(
    `WITH RECURSIVE n (i, at) AS (SELECT 1, ?3 UNION ALL SELECT i + 1, min(?3 + i * 2592000 / ?1, ?4) FROM n WHERE i < ?1)
     INSERT INTO cards (batch_id, serial, code_key, code_sealed, state, sold_at, sold_by, first_used_at, ends_at, charged_at, used_up_at, used_seconds)
     SELECT ?2, i, randomblob(16), randomblob(40), iif(i % 10 < 2, 'new', iif(i % 10 = 2, 'sold', 'active')), iif(i % 10 < 2, NULL, at), iif(i % 10 < 2, NULL, 1),
       iif(i % 10 < 3, NULL, at), iif(i % 10 < 3, NULL, at + ?5), iif(i % 10 < 3, NULL, at), iif(i % 20 = 19, at + 1, NULL), iif(i % 20 = 19, 3600, 0)
     FROM n`,
  );
  $client.transaction(() => {
    for (let batch = 1, left = cards; left > 0; batch++, left -= perBatch) {
      const quantity = Math.min(left, perBatch);
      const made = now - 365 * DAY + Math.floor((batch * 365 * DAY) / (batches + 1));
      const [days, ends] = [batch % 2 === 0 ? 1 : 30, batch % 3 === 0];
      const [sellBy, useBy] = ends ? [made + 60 * DAY, made + 90 * DAY] : [null, null];
      addBatch.run(batch, quantity, days, sellBy, useBy, made);
      addCards.run(quantity, batch, made, now, days * DAY);
    }
    sumDays($client);
  })();
}

function sumDays($client: Db["$client"]): void {
  const moved = $client.query<{ quarter: number; sold: number; used: number }, []>(
    `SELECT quarter, sum(sold) AS sold, sum(used) AS used FROM (
       SELECT sold_at / ${QUARTER} AS quarter, 1 AS sold, 0 AS used FROM cards WHERE sold_at IS NOT NULL
       UNION ALL SELECT first_used_at / ${QUARTER}, 0, 1 FROM cards WHERE first_used_at IS NOT NULL) GROUP BY quarter`,
  );
  const add = $client.query<unknown, [number, number, number]>(
    `INSERT INTO card_days (isp_id, day, branch_id, kind, package_id, price, part, reseller_id, seller_id, sold, used, void, returned)
     VALUES (1, ?, 0, 'access', 1, 100, 100, 0, 1, ?, ?, 0, 0) ON CONFLICT DO UPDATE SET sold = sold + excluded.sold, used = used + excluded.used`,
  );
  for (const { quarter, sold, used } of moved.all()) add.run(localDay(quarter * QUARTER), sold, used);
}
