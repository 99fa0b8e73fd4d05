import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, requireWholeIsp, seesIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { withoutSms as off } from "../../desk/subscriber-table/table-filters.ts";
import type { Seconds } from "../../core/time/time.ts";
import { noRule, type Rule } from "./rules.ts";

/** Beyond, "more than". */
export const MOST = 5000;
const WEEK = 7 * 86_400;

/** Subscribers without SMS, who have a number though a channel exists. At most `MOST` + 1. */
export function withoutSms(db: Db, by: Actor): number {
  permit(by, "withoutSms");
  requireWholeIsp(by, "messages");
  const { text, values } = all(equal("s.isp_id", by.scope.ispId));
  return (
    db.$client
      .query<{ count: number }, Value[]>(
        `SELECT count(*) AS count FROM (SELECT 1 FROM subscribers s WHERE ${text} AND ${off.text}
           AND EXISTS (SELECT 1 FROM channels c WHERE c.isp_id = s.isp_id AND c.is_sms = 1 AND c.disabled_at IS NULL) LIMIT ${MOST + 1})`,
      )
      .get(...values)?.count ?? 0
  );
}

/** The planner's queries, bounded. */
const selects = {
  expiry: `SELECT count(*) AS count FROM (SELECT 1 FROM services v JOIN subscribers s ON s.id = v.subscriber_id
    WHERE s.isp_id = ?1 AND v.expires_at > ?2 AND v.expires_at <= ?3 AND v.frozen_at IS NULL AND s.archived_at IS NULL
    LIMIT ${MOST + 1})`,
  due: `SELECT count(*) AS count FROM (SELECT 1 FROM invoices i JOIN subscribers s ON s.id = i.subscriber_id
    WHERE s.isp_id = ?1 AND i.period_end > ?2 AND i.period_end <= ?3 AND i.voided_at IS NULL AND i.paid_at IS NULL
      AND s.archived_at IS NULL LIMIT ${MOST + 1})`,
} as const;

/** Moments of the next seven days; undefined: unpredictable. At most `MOST` + 1. Throws `not_found`. */
export function momentsAhead(
  db: Db,
  by: Actor,
  { id, ispId, on, offset }: Pick<Rule, "id" | "ispId" | "on" | "offset">,
  { now }: { now: Seconds },
): number | undefined {
  permit(by, "momentsAhead");
  requireWholeIsp(by, "messages");
  if (!seesIsp(by.scope, { ispId })) throw noRule(id);
  if (on === "event") return undefined;
  return (
    db.$client
      .query<{ count: number }, [number, Seconds, Seconds]>(selects[on])
      .get(ispId, now - offset, now + WEEK - offset)?.count ?? 0
  );
}
