import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { Isps } from "../../money/sums/isps.ts";
import { type Range, requireDays, sumsInScope } from "./range.ts";

/** The kinds of concessions. Adjustments have one for each sign, because a correction down is no gift. */
const concessions = ["extension", "trust", "void", "unused", "adjustment_up", "adjustment_down"] as const;

export const concessionDivisions = ["staff", "branch", "area", "package", "salesperson"] as const;

export interface ConcessionsFilter extends Range {
  readonly by: (typeof concessionDivisions)[number];
  /** Of one account. */
  readonly staffId?: number | null | undefined;
}

export interface ConcessionRow {
  ispId: number;
  isp: string;
  currency: string;
  /** 0: nobody, or nowhere. */
  id: number;
  name: string | null;
  what: (typeof concessions)[number];
  times: number;
  seconds: number;
  amount: number;
}

const divisions = {
  staff: ["acting_staff_id", "staff"],
  branch: ["branch_id", "branches"],
  area: ["area_id", "areas"],
  package: ["package_id", "packages"],
  salesperson: ["seller_id", "staff"],
} as const;

export function reportConcessions(
  db: Db,
  by: Actor,
  { from, to, by: division, staffId }: ConcessionsFilter,
): { rows: ConcessionRow[] } {
  permit(by, "reportConcessions");
  const { first, last } = requireDays({ from, to }, 3 * 366);
  const { text, values } = all(sumsInScope(by.scope), equal("acting_staff_id", staffId));
  const [column, table] = divisions[division];
  const rows = db.$client
    .query<Omit<ConcessionRow, "currency">, Value[]>(
      `SELECT x.*, isps.name AS isp, names.name AS name FROM (
         SELECT isp_id AS ispId, coalesce(${column}, 0) AS id, iif(trust, 'trust', 'extension') AS what, count(*) AS times,
           sum(after - max(before, created_at)) AS seconds, 0 AS amount
         FROM extensions WHERE ${text} AND created_at >= ? AND created_at <= ? GROUP BY 1, 2, 3
         UNION ALL
         SELECT isp_id, coalesce(${column}, 0), iif(kind = 'adjustment', iif(amount > 0, 'adjustment_up', 'adjustment_down'), kind) AS what,
           count(*), 0, sum(amount)
         FROM ledger_entries WHERE ${text} AND kind IN ('void', 'unused', 'adjustment') AND day >= ? AND day <= ? GROUP BY 1, 2, 3
       ) x JOIN isps ON isps.id = x.ispId LEFT JOIN ${table} names ON names.id = x.id ORDER BY x.ispId, name, x.id, x.what`,
    )
    .all(...values, from, to, ...values, first, last);
  return { rows: new Isps(db).withCurrency(rows) };
}
