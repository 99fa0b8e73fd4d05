import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface FailingRenewal {
  readonly subscriberId: number;
  readonly ispId: number;
  readonly name: string;
  readonly username: string;
  readonly mobile: string | null;
  readonly packageName: string;
  readonly expiresAt: Seconds;
  readonly price: number;
  readonly balance: number;
  readonly short: number;
}

const DAY = 86_400;

/** Prepaid price or credit. */
const SHORT = `iif(p.billing_type = 'prepaid', p.price - ifnull(w.balance, 0), -ifnull(w.balance, 0) - coalesce(s.credit_limit, p.price))`;

/** Subscribers that renew, by the index of automatic renewals. */
const RENEWS = `SELECT 1 FROM subscribers a INDEXED BY subscribers_auto_renew WHERE a.auto_renew = 1 AND a.id = v.subscriber_id`;

/** Renewals of the next 24 hours that lack money, soonest first. */
export function failingRenewals(
  db: Db,
  by: Actor,
  { limit }: { limit: number },
  { now }: { now: Seconds },
): { renewals: FailingRenewal[]; total: number; short: number } {
  permit(by, "failingRenewals");
  const { text, values } = all(
    { text: "v.expires_at > ? AND v.expires_at <= ?", values: [now, now + DAY] },
    {
      text: `EXISTS (${RENEWS}) AND s.status = 1 AND v.frozen_at IS NULL AND p.status = 1 AND r.renewed_at IS NULL AND ${SHORT} > 0`,
      values: [],
    },
    scopeCondition(by.scope),
  );
  const from = `services v INDEXED BY services_expires CROSS JOIN subscribers s ON s.id = v.subscriber_id
    CROSS JOIN packages p ON p.id = s.package_id LEFT JOIN wallets w ON w.subscriber_id = s.id
    LEFT JOIN auto_renewals r ON r.subscriber_id = v.subscriber_id AND r.expires_at = v.expires_at WHERE ${text}`;
  const renewals = db.$client
    .query<FailingRenewal, Value[]>(
      `SELECT s.id AS subscriberId, s.isp_id AS ispId, s.name, s.username, s.mobile_number AS mobile, p.name AS packageName,
         v.expires_at AS expiresAt, p.price, ifnull(w.balance, 0) AS balance, ${SHORT} AS short
       FROM ${from} ORDER BY v.expires_at, s.id`,
    )
    .all(...values);
  return {
    renewals: renewals.slice(0, limit),
    total: renewals.length,
    short: renewals.reduce((sum, { short }) => sum + short, 0),
  };
}
