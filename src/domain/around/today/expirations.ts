import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { ABLE } from "../../money/billing/able.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { localDay, type Seconds, startOfDay } from "../../core/time/time.ts";
import { whoseService } from "../../goods/subscribers/whose.ts";

const DAY = 86_400;
/** Zones differ by quarters of an hour, so a quarter is within one day. */
const QUARTER = 900;

interface Counted {
  expiring: number;
  /** Wallet below the price, without credit. */
  needMoney: number;
  /** Automatic, and able to pay. */
  renewing: number;
}

export interface ExpirationDay extends Counted {
  readonly day: number;
}

/** Expirations of enabled and unfrozen services by local day, today first, with those that need money. */
export function expirationsAhead(
  db: Db,
  by: Actor,
  { days }: { days: number },
  { now }: { now: Seconds },
): ExpirationDay[] {
  permit(by, "expirationsAhead");
  const first = startOfDay(localDay(now));
  const ahead = Array.from({ length: days }, (_, index) => localDay(startAfter(first, index)));
  const counts = new Map(
    ahead.map((day): [number, ExpirationDay] => [day, { day, expiring: 0, needMoney: 0, renewing: 0 }]),
  );
  for (const { quarter, ...counted } of quartersUntil(db, by, now, startAfter(first, days))) {
    const day = counts.get(localDay(Math.max(now, quarter * QUARTER)));
    if (day) add(day, counted);
  }
  return [...counts.values()];
}

export function sumDaysAhead(days: readonly ExpirationDay[]): Readonly<Counted> {
  const sum = { expiring: 0, needMoney: 0, renewing: 0 };
  for (const day of days) add(sum, day);
  return sum;
}

type Quarter = Counted & { quarter: number };

function quartersUntil({ $client }: Db, { scope }: Actor, now: Seconds, until: Seconds): Quarter[] {
  const { text, values } = whoseService("v.subscriber_id", scope);
  return $client
    .query<Quarter, Value[]>(
      `SELECT v.expires_at / ${QUARTER} AS quarter, count(*) AS expiring,
         sum(v.subscriber_id NOT IN (${ABLE})) AS needMoney,
         sum(iif(v.subscriber_id IN (SELECT id FROM subscribers WHERE auto_renew = 1), v.subscriber_id IN (${ABLE}), 0)) AS renewing
       FROM services v INDEXED BY services_expires WHERE v.expires_at >= ? AND v.expires_at < ? AND ${text} GROUP BY 1`,
    )
    .all(now, until, ...values);
}

/** The start of a day by the calendar. */
function startAfter(first: Seconds, days: number): Seconds {
  return startOfDay(localDay(first + days * DAY + DAY / 2));
}

function add(sum: Counted, more: Counted): void {
  sum.expiring += more.expiring;
  sum.needMoney += more.needMoney;
  sum.renewing += more.renewing;
}

export interface Expiring {
  readonly subscriberId: number;
  readonly name: string;
  readonly mobile: string | null;
  readonly package: string;
  readonly expiresAt: Seconds;
  /** 0: enough, or on credit. */
  readonly missing: number;
  readonly renewsItself: 0 | 1;
}

/** Subscribers who expire until midnight, the soonest first. */
export function expiringToday(
  db: Db,
  by: Actor,
  { limit }: { limit: number },
  { now }: { now: Seconds },
): Expiring[] {
  permit(by, "expiringToday");
  const { text, values } = whoseService("v.subscriber_id", by.scope);
  return db.$client
    .query<Expiring, Value[]>(
      `SELECT s.id AS subscriberId, s.name, s.mobile_number AS mobile, p.name AS package, e.expires_at AS expiresAt,
         iif(p.billing_type = 'prepaid', max(0, p.price - coalesce(w.balance, 0)), 0) AS missing, s.auto_renew AS renewsItself
       FROM (SELECT v.subscriber_id, v.expires_at FROM services v INDEXED BY services_expires
             WHERE v.expires_at >= ? AND v.expires_at < ? AND ${text} ORDER BY v.expires_at, v.subscriber_id LIMIT ? + 0) e
         JOIN subscribers s ON s.id = e.subscriber_id JOIN packages p ON p.id = s.package_id LEFT JOIN wallets w ON w.subscriber_id = s.id
       ORDER BY e.expires_at, s.id`,
    )
    .all(now, startAfter(startOfDay(localDay(now)), 1), ...values, limit);
}
