import type { Db } from "../../../../db/open.ts";
import { dayBefore, localDay, type Seconds, startOfDay } from "../../core/time/time.ts";

/** How many subscribers a day had at its end, by where they belong. */
export interface Standing {
  day: number;
  ispId: number;
  branchId: number;
  sellerId: number;
  total: number;
  active: number;
}

/** Invoices of a step. */
const STEP = 5000;
/** Milliseconds. */
const PAUSE = 10;

interface Invoice {
  readonly id: number;
  readonly ispId: number;
  readonly branchId: number;
  readonly sellerId: number;
  readonly subscriberId: number;
  readonly periodStart: Seconds;
  readonly periodEnd: Seconds;
}

/** The end of a month: its last day and its last second. */
interface MonthEnd {
  readonly day: number;
  readonly at: Seconds;
  /** Bits of counted subscribers. */
  readonly counted: Uint8Array;
}

/** Month ends since the first invoice, reconstructed: active had an unfinished period. Undefined: aborted. */
export async function pastMonths(
  db: Db,
  { now, signal }: { now: Seconds; signal: AbortSignal | undefined },
): Promise<Standing[] | undefined> {
  const ends = monthEnds(db, now);
  const sums = new Map<string, Standing>();
  for (const { day, at } of ends) {
    for (const row of totals(db, day, at)) sums.set(keyOf(row), row);
    await Bun.sleep(PAUSE);
  }
  for (let after = 0; ends.length > 0;) {
    if (signal?.aborted) return undefined;
    const invoices = invoicesAfter(db, after);
    for (const invoice of invoices) countInvoice(invoice, ends, sums);
    const last = invoices.at(-1);
    if (!last || invoices.length < STEP) break;
    after = last.id;
    await Bun.sleep(PAUSE);
  }
  return [...sums.values()];
}

function countInvoice(invoice: Invoice, ends: readonly MonthEnd[], sums: Map<string, Standing>): void {
  const { ispId, branchId, sellerId, subscriberId, periodStart, periodEnd } = invoice;
  for (const { day, at, counted } of ends) {
    if (at < periodStart || at >= periodEnd) continue;
    const bit = 1 << (subscriberId & 7);
    const byte = counted[subscriberId >> 3] ?? 0;
    if (byte & bit) continue;
    counted[subscriberId >> 3] = byte | bit;
    const none = { day, ispId, branchId, sellerId, total: 0, active: 0 };
    const key = keyOf(none);
    const sum = sums.get(key) ?? none;
    sums.set(key, sum);
    sum.active++;
    // it may have belonged elsewhere
    sum.total = Math.max(sum.total, sum.active);
  }
}

function monthEnds({ $client }: Db, now: Seconds): MonthEnd[] {
  const row = $client
    .query<{ first: Seconds | null; newest: number | null }, []>(
      "SELECT (SELECT period_start FROM invoices ORDER BY id LIMIT 1) AS first, (SELECT max(id) FROM subscribers) AS newest",
    )
    .get();
  const first = row?.first ?? null;
  if (first === null) return [];
  const size = ((row?.newest ?? 0) >> 3) + 1;
  const ends: MonthEnd[] = [];
  for (let day = lastOfMonthBefore(localDay(now)); day >= localDay(first); day = lastOfMonthBefore(day))
    ends.push({ day, at: startOfDay(firstOfMonthAfter(day)) - 1, counted: new Uint8Array(size) });
  return ends;
}

const lastOfMonthBefore = (day: number) => dayBefore(day - (day % 100) + 1);
const firstOfMonthAfter = (day: number) =>
  day % 10_000 === 1231 ? day - 1231 + 10_101 : day - (day % 100) + 101;

function totals({ $client }: Db, day: number, at: Seconds): Standing[] {
  return $client
    .query<Standing, number[]>(
      `SELECT ? AS day, isp_id AS ispId, ifnull(branch_id, 0) AS branchId, ifnull(salesperson_id, 0) AS sellerId,
         count(*) AS total, 0 AS active
       FROM subscribers WHERE created_at <= ? AND (archived_at IS NULL OR archived_at > ?) GROUP BY 2, 3, 4`,
    )
    .all(day, at, at);
}

function invoicesAfter({ $client }: Db, after: number): Invoice[] {
  return $client
    .query<Invoice, number[]>(
      `SELECT id, isp_id AS ispId, ifnull(branch_id, 0) AS branchId, ifnull(seller_id, 0) AS sellerId,
         subscriber_id AS subscriberId, period_start AS periodStart, period_end AS periodEnd
       FROM invoices WHERE id > ? AND voided_at IS NULL ORDER BY id LIMIT ${STEP}`,
    )
    .all(after);
}

const keyOf = ({ day, ispId, branchId, sellerId }: Standing) => `${day} ${ispId} ${branchId} ${sellerId}`;
