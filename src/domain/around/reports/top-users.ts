import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, scopeEver } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

export interface TopFilter {
  readonly per: "day" | "month";
  readonly at: Seconds;
  readonly limit: number;
}

export interface TopRow {
  subscriberId: number;
  username: string;
  name: string;
  packageId: number;
  package: string;
  inputOctets: number;
  outputOctets: number;
}

/** Top users by up plus down. Days are kept for usage_days. */
export function reportTopUsers(db: Db, by: Actor, { per, at, limit }: TopFilter): { rows: TopRow[] } {
  permit(by, "reportTopUsers");
  const { text, values } = all(scopeEver(by.scope));
  const [table, column, period] =
    per === "day"
      ? (["usage_days", "day", localDay(at)] as const)
      : (["usage_months", "month", Math.floor(localDay(at) / 100)] as const);
  const rows = db.$client
    .query<TopRow, Value[]>(
      `SELECT s.id AS subscriberId, s.username, s.name, s.package_id AS packageId, packages.name AS package,
         x.input_octets AS inputOctets, x.output_octets AS outputOctets
       FROM (
         SELECT u.subscriber_id, u.input_octets, u.output_octets FROM ${table} u CROSS JOIN subscribers s ON s.id = u.subscriber_id
         WHERE u.${column} = ? AND ${text} ORDER BY u.input_octets + u.output_octets DESC, u.subscriber_id LIMIT ? + 0
       ) x JOIN subscribers s ON s.id = x.subscriber_id JOIN packages ON packages.id = s.package_id
       ORDER BY x.input_octets + x.output_octets DESC, s.id`,
    )
    .all(period, ...values, limit);
  return { rows };
}
