import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { cappedSum } from "../../../../db/sum.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type Range, requireDays, sumsInScope } from "./range.ts";

export interface TrafficFilter extends Range {
  readonly per: "day" | "month";
  readonly group?: "package" | "branch" | "seller" | null | undefined;
}

export interface TrafficRow {
  period: number;
  ispId: number;
  id: number | null;
  /** null: no group, or deleted. */
  name: string | null;
  subscribers: number | null;
  inputOctets: number;
  outputOctets: number;
}

const groups = {
  package: ["package_id", "packages"],
  branch: ["branch_id", "branches"],
  seller: ["seller_id", "staff"],
} as const;

/** Traffic of hourly sums, from the oldest. */
export function reportTraffic(
  db: Db,
  by: Actor,
  { from, to, per, group }: TrafficFilter,
): { rows: TrafficRow[] } {
  permit(by, "reportTraffic");
  const { first, last } = requireDays({ from, to }, 3 * 366);
  const { text, values } = sumsInScope(by.scope);
  const [column, names] = group ? groups[group] : ["NULL", "packages"];
  const period = per === "day" ? "day" : "day / 100";
  const rows = db.$client
    .query<TrafficRow, Value[]>(
      `SELECT x.*, names.name AS name FROM (
         SELECT ${period} AS period, isp_id AS ispId, ${column} AS id, ${per === "day" ? "sum(subscribers)" : "NULL"} AS subscribers,
           ${cappedSum("input_octets")} AS inputOctets, ${cappedSum("output_octets")} AS outputOctets
         FROM traffic_days WHERE ${text} AND day >= ? AND day <= ? GROUP BY 1, 2, 3
       ) x LEFT JOIN ${names} names ON names.id = x.id ORDER BY x.period, x.ispId, x.outputOctets DESC, x.id`,
    )
    .all(...values, first, last);
  return { rows };
}
