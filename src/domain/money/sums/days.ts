import { type Db, write } from "../../../../db/open.ts";
import { cappedSum, MOST_OCTETS } from "../../../../db/sum.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { dayBefore, localDay, type Seconds } from "../../core/time/time.ts";
import { pastMonths, type Standing } from "./past-months.ts";

interface Work {
  readonly now: Seconds;
  readonly signal?: AbortSignal;
}

/**
 * Counts subscribers, and sums traffic of today, yesterday and unsummed days, by where subscribers are now. Stops at `signal`;
 * the next run goes on.
 */
export async function sumDays(db: Db, by: Actor, { now, signal }: Work): Promise<void> {
  permit(by, "sumDays");
  await keepSubscriberDay(db, { now, signal });
  const today = localDay(now);
  const days = new Set([today, dayBefore(today), ...daysNotSummed(db)]);
  for (const [month, itsDays] of Map.groupBy(days, (day) => Math.floor(day / 100))) {
    // first, because days mark progress
    await sumMonth(db, month, signal);
    for (const day of itsDays) await sumDay(db, day, signal);
  }
}

/** Days without sums, the newest first, by one step of an index each. */
function daysNotSummed({ $client }: Db): number[] {
  return $client
    .query<{ day: number }, []>(
      `WITH RECURSIVE used(day) AS (
         SELECT max(day) FROM usage_days
         UNION ALL SELECT (SELECT max(day) FROM usage_days u WHERE u.day < used.day) FROM used WHERE used.day IS NOT NULL
       )
       SELECT day FROM used WHERE day IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM isps CROSS JOIN traffic_days t WHERE t.isp_id = isps.id AND t.day = used.day)`,
    )
    .all()
    .map(({ day }) => day);
}

interface Traffic {
  ispId: number;
  branchId: number;
  packageId: number;
  sellerId: number;
  subscribers: number;
  input: number;
  output: number;
}

async function sumDay(db: Db, day: number, signal: AbortSignal | undefined): Promise<void> {
  const sums = new Map<string, Traffic>();
  const statement = db.$client.query<Traffic, number[]>(
    `SELECT s.isp_id AS ispId, ifnull(s.branch_id, 0) AS branchId, ifnull(v.package_id, s.package_id) AS packageId,
       ifnull(s.salesperson_id, 0) AS sellerId, count(*) AS subscribers, ${cappedSum("u.input_octets")} AS input, ${cappedSum("u.output_octets")} AS output
     FROM subscribers s CROSS JOIN usage_days u ON u.subscriber_id = s.id AND u.day = ?
       LEFT JOIN services v ON v.subscriber_id = s.id
     WHERE s.id > ? AND s.id <= ? GROUP BY 1, 2, 3, 4`,
  );
  const isWhole = await inSteps(db, signal, ({ after, last }) => {
    for (const row of statement.all(day, after, last)) {
      const key = `${row.ispId} ${row.branchId} ${row.packageId} ${row.sellerId}`;
      const known = sums.get(key);
      if (!known) sums.set(key, row);
      else {
        known.subscribers += row.subscribers;
        known.input = Math.min(known.input + row.input, MOST_OCTETS);
        known.output = Math.min(known.output + row.output, MOST_OCTETS);
      }
    }
  });
  if (isWhole && sums.size > 0) write(db, ({ $client }) => replaceDay($client, day, sums.values()));
}

/** Replaces them, so that moved subscribers leave no trace. */
function replaceDay($client: Db["$client"], day: number, sums: Iterable<Traffic>): void {
  $client.query("DELETE FROM traffic_days WHERE isp_id IN (SELECT id FROM isps) AND day = ?").run(day);
  const insert = $client.query<unknown, number[]>(
    `INSERT INTO traffic_days (day, isp_id, branch_id, package_id, seller_id, subscribers, input_octets, output_octets)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { ispId, branchId, packageId, sellerId, subscribers, input, output } of sums)
    insert.run(day, ispId, branchId, packageId, sellerId, subscribers, input, output);
}

async function sumMonth(db: Db, month: number, signal: AbortSignal | undefined): Promise<void> {
  const { $client } = db;
  const sums = $client.query<{ subscriberId: number; input: number; output: number }, number[]>(
    `SELECT s.id AS subscriberId, ${cappedSum("u.input_octets")} AS input, ${cappedSum("u.output_octets")} AS output
     FROM subscribers s CROSS JOIN usage_days u ON u.subscriber_id = s.id AND u.day > ? AND u.day <= ?
     WHERE s.id > ? AND s.id <= ? GROUP BY s.id`,
  );
  const keep = $client.query<unknown, number[]>(
    `INSERT INTO usage_months (month, subscriber_id, input_octets, output_octets) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET input_octets = max(input_octets, excluded.input_octets),
       output_octets = max(output_octets, excluded.output_octets)
     WHERE excluded.input_octets > input_octets OR excluded.output_octets > output_octets`,
  );
  await inSteps(db, signal, ({ after, last }) => {
    const rows = sums.all(month * 100, month * 100 + 99, after, last);
    if (rows.length === 0) return;
    write(db, () => {
      for (const { subscriberId, input, output } of rows) keep.run(month, subscriberId, input, output);
    });
  });
}

/** Subscribers of a step, a few milliseconds. */
const STEP = 500;
/** Milliseconds. */
const PAUSE = 10;

interface IdRange {
  readonly after: number;
  readonly last: number;
}

/** False: aborted. */
export async function inSteps(
  { $client }: Db,
  signal: AbortSignal | undefined,
  work: (range: IdRange) => void,
): Promise<boolean> {
  const newest = $client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM subscribers").get();
  for (let after = 0; after < (newest?.id ?? 0); after += STEP) {
    if (signal?.aborted) return false;
    work({ after, last: after + STEP });
    await Bun.sleep(PAUSE);
  }
  return true;
}

/**
 * Stores the day's counts of subscribers and active services; the last run of a day counts. The first run ever adds the ends of
 * earlier months.
 */
async function keepSubscriberDay(
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
