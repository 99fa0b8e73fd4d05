import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { ABLE } from "../../money/billing/able.ts";
import { type Actor, type Scope, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { localDay, type Seconds, startOfDay } from "../../core/time/time.ts";
import { Isps } from "../../money/sums/isps.ts";
import { nextMonth } from "../../money/sums/ledger-sums.ts";
import { daysOf, type Range, sumsInScope } from "./range.ts";

/** Seconds after its end within which the next period has to begin for it to be renewed. */
const RETURN = 30 * 86_400;
const MOST_DAYS = 366;

/** A month of an ISP: `due` = `renewed` + `waiting` + `lost`. */
export interface RenewalsRow {
  /** 202601. */
  month: number;
  ispId: number;
  isp: string;
  /** Periods that end in the month, of invoices that are not void; one that was credited to nothing is none. */
  due: number;
  /** The subscriber's next period has begun before the end, at it, or within 30 days after it: with any package. */
  renewed: number;
  /** None has begun, and the 30 days are not over. */
  waiting: number;
  /** None has begun within 30 days. */
  lost: number;
}

/** How many periods ended in each month, and what became of them. Throws `invalid`. */
export function reportRenewals(
  db: Db,
  by: Actor,
  range: Range,
  { now, isps = new Isps(db) }: { now: Seconds; isps?: Isps },
): { rows: RenewalsRow[] } {
  permit(by, "reportRenewals");
  const { first, last } = daysOf(range, MOST_DAYS);
  const rows: RenewalsRow[] = [];
  for (let month = Math.floor(first / 100); month <= Math.floor(last / 100); month = nextMonth(month)) {
    const [start, end] = [startOfDay(month * 100 + 1), startOfDay(nextMonth(month) * 100 + 1)];
    const open = Math.min(end, Math.max(start, now - RETURN)); // from here on there is time left to come back
    for (const { id: ispId, name: isp } of isps.in(by.scope)) {
      const scope = { ...by.scope, ispId };
      const over = endedIn(db, scope, start, open);
      const late = endedIn(db, scope, open, end);
      const due = over.due + late.due;
      if (due === 0) continue;
      const [lost, waiting] = [over.due - over.renewed, late.due - late.renewed];
      rows.push({ month, ispId, isp, due, renewed: over.renewed + late.renewed, waiting, lost });
    }
  }
  return { rows };
}

/** Periods that end within a time, before `to`; counted from the index alone, of one ISP. */
function endedIn(db: Db, scope: Scope, from: Seconds, to: Seconds): { due: number; renewed: number } {
  const none = { due: 0, renewed: 0 };
  if (from >= to) return none;
  const { text, values } = all(sumsInScope(scope), {
    text: "voided_at IS NULL AND period_end >= ? AND period_end < ? AND period_end > period_start",
    values: [from, to],
  });
  return (
    db.$client
      .query<{ due: number; renewed: number }, Value[]>(
        `SELECT count(*) AS due, count(*) FILTER (WHERE followed_at <= period_end + ${RETURN}) AS renewed FROM invoices WHERE ${text}`,
      )
      .get(...values) ?? none
  );
}

export interface ExpiringRow {
  /** 20260131. */
  day: number;
  ispId: number;
  isp: string;
  expiring: number;
  /** Of these, who has less than the price in the wallet and may not owe it, as Today counts. */
  needMoney: number;
  /** Of all, subscribers that renew by themselves, and of those whose wallet holds the price by now, or who pay later. */
  autoRenew: number;
  covered: number;
}

/** Which services end on each of so many days from now on: of enabled subscribers, and none that is frozen. */
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
      // whom it concerns first, from an index that has all of this: a row of each would take ten times as long
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

/** Zones differ by quarters of an hour, so that all times of one are on the same day. */
const QUARTER = 900;
