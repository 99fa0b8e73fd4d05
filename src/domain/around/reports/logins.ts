import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { reasonWords } from "../../service/access/outcomes.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type Range, requireDays, requireRouters } from "./range.ts";

export interface LoginsFilter extends Range {
  readonly group: "nas" | "reason" | "day";
  readonly nasId?: number | null | undefined;
}

export interface LoginsRow {
  day: number | null;
  nasId: number | null;
  nas: string | null;
  accepted: 0 | 1;
  reason: string | null;
  words: string | null;
  logins: number;
}

const columns = {
  nas: { names: "NULL AS day, x.nas_id AS nasId, nas.name AS nas, x.reason", by: "x.nas_id, x.reason" },
  reason: { names: "NULL AS day, NULL AS nasId, NULL AS nas, x.reason", by: "x.reason" },
  day: { names: "x.day, NULL AS nasId, NULL AS nas, NULL AS reason", by: "x.day" },
};

/** Logins by frequency, or by day from the oldest. Throws `forbidden`. */
export function reportLogins(
  db: Db,
  by: Actor,
  { from, to, group, nasId }: LoginsFilter,
): { rows: LoginsRow[] } {
  permit(by, "reportLogins");
  requireRouters(by);
  const { first, last } = requireDays({ from, to }, 366);
  const { text, values } = all(equal("x.isp_id", by.scope.ispId), equal("x.nas_id", nasId));
  const { names, by: grouped } = columns[group];
  const rows = db.$client
    .query<Omit<LoginsRow, "words">, Value[]>(
      `SELECT ${names}, x.accepted, sum(x.logins) AS logins
       FROM login_days x LEFT JOIN nas ON nas.id = x.nas_id
       WHERE x.day >= ? AND x.day <= ? AND ${text} GROUP BY ${grouped}, x.accepted
       ORDER BY ${group === "day" ? "x.day, x.accepted DESC" : "logins DESC, x.nas_id, x.reason"}`,
    )
    .all(first, last, ...values);
  return {
    rows: rows.map((row) =>
      Object.assign(row, { words: row.reason === null ? null : reasonWords(row.reason) }),
    ),
  };
}
