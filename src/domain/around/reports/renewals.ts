import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { ABLE } from "../../money/billing/able.ts";
import { type Actor, type Scope, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { localDay, type Seconds, startOfDay } from "../../core/time/time.ts";
import { Isps } from "../../money/sums/isps.ts";
import { nextMonth } from "../../money/sums/ledger-sums.ts";
import { pastPeriods, RETURN } from "../../money/sums/past-periods.ts";
import { type Range, requireDays, sumsInScope } from "./range.ts";

const MOST_DAYS = 366;

/** `due` = `renewed` + `waiting` + `lost`. */
export interface RenewalsRow {
  month: number;
  ispId: number;
  isp: string;
  /** Valid periods ending in the month. */
  due: number;
  /** Next period within 30 days, with any package. */
  renewed: number;
  /** Within the 30 days. */
  waiting: number;
  lost: number;
}

/** Throws `invalid`. */
export function reportRenewals(
  db: Db,
  by: Actor,
  range: Range,
  { now, isps = new Isps(db) }: { now: Seconds; isps?: Isps },
): { rows: RenewalsRow[] } {
  permit(by, "reportRenewals");
  const { first, last } = requireDays(range, MOST_DAYS);
  const rows: RenewalsRow[] = [];
  const kept = db.$client.inTransaction ? undefined : pastPeriods(db);
  for (let month = Math.floor(first / 100); month <= Math.floor(last / 100); month = nextMonth(month)) {
    const [start, end] = [startOfDay(month * 100 + 1), startOfDay(nextMonth(month) * 100 + 1)];
    const open = Math.min(end, Math.max(start, now - RETURN)); // from here on there is time left to come back
    for (const { id: ispId, name: isp } of isps.in(by.scope)) {
      const scope = { ...by.scope, ispId };
      const count = () => endedIn(db, scope, start, open);
      const { branchId, salespersonId } = scope;
      const key = JSON.stringify([start, end, ispId, branchId, salespersonId]);
      const over = kept && open === end ? kept(key, end, count) : count(); // whole months are kept, which nearly nothing changes
      const late = endedIn(db, scope, open, end);
      const due = over.due + late.due;
      if (due === 0) continue;
      const [lost, waiting] = [over.due - over.renewed, late.due - late.renewed];
      rows.push({ month, ispId, isp, due, renewed: over.renewed + late.renewed, waiting, lost });
    }
  }
  return { rows };
}

interface Counted {
  readonly due: number;
  readonly renewed: number;
}

/** Periods that ended in a range, counted by an index alone. */
function endedIn(db: Db, scope: Scope, from: Seconds, to: Seconds): Counted {
  const none = { due: 0, renewed: 0 };
  if (from >= to) return none;
  const { text, values } = all(sumsInScope(scope), {
    text: "voided_at IS NULL AND period_end >= ? AND period_end < ? AND period_end > period_start",
    values: [from, to],
  });
  return (
    db.$client
      .query<Counted, Value[]>(
        `SELECT count(*) AS due, count(*) FILTER (WHERE followed_at <= period_end + ${RETURN}) AS renewed FROM invoices WHERE ${text}`,
      )
      .get(...values) ?? none
  );
}

export interface ExpiringRow {
  day: number;
  ispId: number;
  isp: string;
  expiring: number;
  /** As Today counts. */
  needMoney: number;
  /** Automatic, and those that can pay. */
  autoRenew: number;
  covered: number;
}

export function reportExpiring(
  db: Db,
  by: Actor,
  { days }: { days: number },
  { now }: { now: Seconds },
): { rows: ExpiringRow[] } {
  permit(by, "reportExpiring");
  const until = startOfDay(localDay(startOfDay(localDay(now)) + days * 86_400 + 7200));
  const { text, values } = all(
    { text: "s.status = 1 AND s.archived_at IS NULL", values: [] },
    scopeCondition(by.scope),
  );
  const found = db.$client
    .query<Omit<ExpiringRow, "day"> & { quarter: number }, Value[]>(
      // a covering index: rows would take ten times as long
      `WITH s AS MATERIALIZED (SELECT id, isp_id, auto_renew FROM subscribers s WHERE ${text})
       SELECT v.expires_at / ${QUARTER} AS quarter, s.isp_id AS ispId, isps.name AS isp, count(*) AS expiring, sum(s.auto_renew) AS autoRenew,
         sum(s.id NOT IN (${ABLE})) AS needMoney, sum(iif(s.auto_renew = 1, s.id IN (${ABLE}), 0)) AS covered
       FROM services v CROSS JOIN s ON s.id = v.subscriber_id JOIN isps ON isps.id = s.isp_id
       WHERE v.expires_at >= ? AND v.expires_at < ? AND v.subscriber_id NOT IN (SELECT subscriber_id FROM services WHERE frozen_at IS NOT NULL)
       GROUP BY 1, 2`,
    )
    .all(...values, now, until);
  const rows = new Map<string, ExpiringRow>();
  for (const { quarter, ...counted } of found) {
    const day = localDay(Math.max(now, quarter * QUARTER));
    const key = `${day} ${counted.ispId}`;
    const known = rows.get(key);
    if (!known) {
      rows.set(key, { day, ...counted });
      continue;
    }
    known.expiring += counted.expiring;
    known.needMoney += counted.needMoney;
    known.autoRenew += counted.autoRenew;
    known.covered += counted.covered;
  }
  return { rows: [...rows.values()].sort((a, b) => a.day - b.day || a.ispId - b.ispId) };
}

/** Zones differ by quarters of an hour, so a quarter is within one day. */
const QUARTER = 900;
