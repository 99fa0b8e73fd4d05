import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, scopeEver } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { startOfDay } from "../../core/time/time.ts";
import { type Range, requireDays, sumsInScope } from "./range.ts";

export interface GrowthRow {
  month: number;
  ispId: number;
  joined: number;
  left: number;
  /** null: not counted. */
  total: number | null;
  active: number | null;
}

export function reportGrowth(db: Db, by: Actor, { from, to }: Range): { rows: GrowthRow[] } {
  permit(by, "reportGrowth");
  const { first, last } = requireDays({ from, to }, 10 * 366);
  const months = new Map<string, GrowthRow>();
  const rowFor = (month: number, ispId: number) => {
    const none = { month, ispId, joined: 0, left: 0, total: null, active: null };
    const row = months.get(`${month} ${ispId}`) ?? none;
    months.set(`${month} ${ispId}`, row);
    return row;
  };
  for (const { day, ispId, total, active } of standings(db, by, first, last))
    Object.assign(rowFor(Math.floor(day / 100), ispId), { total, active });
  for (const { start, end, month } of listMonths(first, last)) {
    for (const { ispId, n } of counted(db, by, moments.joined, start, end)) rowFor(month, ispId).joined = n;
    for (const { ispId, n } of counted(db, by, moments.left, start, end)) rowFor(month, ispId).left = n;
  }
  const rows = [...months.values()].toSorted((a, b) => a.month - b.month || a.ispId - b.ispId);
  return { rows };
}

function standings({ $client }: Db, { scope }: Actor, first: number, last: number) {
  const { text, values } = sumsInScope(scope);
  return $client
    .query<{ day: number; ispId: number; total: number; active: number }, Value[]>(
      `SELECT day, isp_id AS ispId, sum(total) AS total, sum(active) AS active FROM subscriber_days
       WHERE ${text} AND day IN (SELECT max(day) FROM subscriber_days WHERE day >= ? AND day <= ? GROUP BY day / 100)
       GROUP BY day, isp_id`,
    )
    .all(...values, first - (first % 100), last - (last % 100) + 99);
}

/** Time column and index; the ISP's index would read everything. */
const moments = {
  joined: ["created_at", "subscribers_created"],
  left: ["archived_at", "subscribers_archived"],
} as const;

function counted(
  { $client }: Db,
  { scope }: Actor,
  [column, index]: (typeof moments)[keyof typeof moments],
  start: number,
  end: number,
): { ispId: number; n: number }[] {
  const { text, values } = all(
    { text: `s.${column} >= ? AND s.${column} < ?`, values: [start, end] },
    scopeEver(scope),
  );
  return $client
    .query<{ ispId: number; n: number }, Value[]>(
      `SELECT s.isp_id AS ispId, count(*) AS n FROM subscribers s INDEXED BY ${index} WHERE ${text} GROUP BY s.isp_id`,
    )
    .all(...values);
}

function* listMonths(first: number, last: number): Generator<{ month: number; start: number; end: number }> {
  for (let month = Math.floor(first / 100); month <= Math.floor(last / 100);) {
    const next = month % 100 === 12 ? month + 89 : month + 1;
    yield { month, start: startOfDay(month * 100 + 1), end: startOfDay(next * 100 + 1) };
    month = next;
  }
}
