import { type Db, write } from "../../../../db/open.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";
import { inSteps } from "./in-steps.ts";
import { pastMonths, type Standing } from "./past-months.ts";

/**
 * Stores the day's counts of subscribers and active services; the last run of a day counts. The first run ever adds the ends of
 * earlier months.
 */
export async function keepSubscriberDay(
  db: Db,
  { now, signal }: { now: Seconds; signal?: AbortSignal | undefined },
): Promise<void> {
  const isFirst = db.$client.query("SELECT 1 FROM subscriber_days LIMIT 1").get() === null;
  const past = isFirst ? await pastMonths(db, { now, signal }) : [];
  const today = await countsAt(db, { now, signal });
  if (!past || !today) return;
  write(db, ({ $client }) => {
    const day = localDay(now);
    $client.query("DELETE FROM subscriber_days WHERE isp_id IN (SELECT id FROM isps) AND day = ?").run(day);
    const insert = $client.query<unknown, number[]>(
      "INSERT INTO subscriber_days (day, isp_id, branch_id, seller_id, total, active) VALUES (?, ?, ?, ?, ?, ?)",
    );
    for (const { day, ispId, branchId, sellerId, total, active } of [...past, ...today])
      insert.run(day, ispId, branchId, sellerId, total, active);
  });
}

/** Undefined: aborted. */
async function countsAt(
  db: Db,
  { now, signal }: { now: Seconds; signal: AbortSignal | undefined },
): Promise<Standing[] | undefined> {
  const sums = new Map<string, Standing>();
  const statement = db.$client.query<Standing, number[]>(
    `SELECT ? AS day, s.isp_id AS ispId, ifnull(s.branch_id, 0) AS branchId, ifnull(s.salesperson_id, 0) AS sellerId,
       count(*) AS total, sum(s.status = 1 AND ifnull(v.expires_at > ? AND v.frozen_at IS NULL, 0)) AS active
     FROM subscribers s LEFT JOIN services v ON v.subscriber_id = s.id
     WHERE s.id > ? AND s.id <= ? AND s.archived_at IS NULL GROUP BY 2, 3, 4`,
  );
  const isWhole = await inSteps(db, signal, ({ after, last }) => {
    for (const row of statement.all(localDay(now), now, after, last)) {
      const key = `${row.ispId} ${row.branchId} ${row.sellerId}`;
      const known = sums.get(key);
      if (!known) sums.set(key, row);
      else {
        known.total += row.total;
        known.active += row.active;
      }
    }
  });
  return isWhole ? [...sums.values()] : undefined;
}
