import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Isps } from "../../money/sums/isps.ts";
import { ledgerSums } from "../../money/sums/ledger-sums.ts";
import { type Actor, may, type Scope, scopeCondition, seesWholeIsp } from "../../core/actor/actor.ts";
import { permissions, permit } from "../../core/actor/permissions.ts";
import { keepWhenMany, MANY } from "../../core/kept/kept.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

export interface PackageSales {
  readonly packageId: number;
  /** Who is served by it now: enabled, not frozen, not over. */
  readonly active: number;
  readonly thisMonth: number | null;
  readonly lastMonth: number | null;
}

/** `months`: with what was sold in this and the last. */
export function packageSales(
  db: Db,
  by: Actor,
  { now, isps, months: withMonths = true }: { now: Seconds; isps?: Isps; months?: boolean },
): PackageSales[] {
  permit(by, "packageSales");
  const active = activeByPackage(db, by.scope, now);
  const months = withMonths && may(by, permissions.reportSales) ? soldByMonth(db, by, now, isps) : undefined;
  const ids = new Set([...active.keys(), ...(months?.keys() ?? [])]);
  return [...ids].map((packageId) => ({
    packageId,
    active: active.get(packageId) ?? 0,
    thisMonth: months ? (months.get(packageId)?.thisMonth ?? 0) : null,
    lastMonth: months ? (months.get(packageId)?.lastMonth ?? 0) : null,
  }));
}

const keptActive = keepWhenMany<Map<number, number>>(
  60,
  (active) => active.values().reduce((sum, count) => sum + count, 0) > MANY,
);

function activeByPackage(db: Db, scope: Scope, now: Seconds): Map<number, number> {
  const { ispId, branchId, salespersonId } = scope;
  const key = JSON.stringify([ispId, branchId, salespersonId]);
  return keptActive(db, { key, now }, () => countActive(db, scope, now));
}

/** Active subscribers by package: counted by the index, less the few exceptions. */
function countActive({ $client }: Db, scope: Scope, now: Seconds): Map<number, number> {
  const count = ({ text, values }: Condition) =>
    $client.query<{ id: number; count: number }, Value[]>(text).all(...values);
  if (!seesWholeIsp(scope)) return sumById(count(servedIn(scope, now)));
  const isp = all(equal("isp_id", scope.ispId));
  const running = count({
    text: `SELECT v.package_id AS id, count(*) AS count FROM services v
      WHERE v.package_id IN (SELECT id FROM packages WHERE ${isp.text}) AND v.expires_at > ? GROUP BY v.package_id`,
    values: [...isp.values, now],
  });
  const others = count({
    text: `SELECT v.package_id AS id, -count(*) AS count FROM services v CROSS JOIN packages p ON p.id = v.package_id
      WHERE v.subscriber_id IN (
        SELECT id FROM subscribers WHERE status = 0 UNION ALL SELECT id FROM subscribers WHERE archived_at IS NOT NULL
        UNION ALL SELECT subscriber_id FROM services WHERE frozen_at IS NOT NULL
      ) AND v.expires_at > ? AND ${isp.text} GROUP BY v.package_id`,
    values: [now, ...isp.values],
  });
  return sumById([...running, ...others]);
}

function servedIn(scope: Scope, now: Seconds): Condition {
  const { text, values } = all(
    { text: "v.expires_at > ? AND v.frozen_at IS NULL AND s.status = 1", values: [now] },
    scopeCondition(scope),
  );
  return {
    text: `SELECT v.package_id AS id, count(*) AS count FROM subscribers s CROSS JOIN services v ON v.subscriber_id = s.id
      WHERE ${text} GROUP BY v.package_id`,
    values,
  };
}

function sumById(rows: readonly { id: number; count: number }[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { id, count } of rows) sums.set(id, (sums.get(id) ?? 0) + count);
  return sums;
}

function soldByMonth(
  db: Db,
  by: Actor,
  now: Seconds,
  isps: Isps | undefined,
): Map<number, { thisMonth: number; lastMonth: number }> {
  const today = localDay(now);
  const thisMonth = Math.floor(today / 100);
  const before = thisMonth % 100 === 1 ? thisMonth - 89 : thisMonth - 1;
  const rows = ledgerSums(
    db,
    by.scope,
    {
      days: { first: before * 100 + 1, last: today },
      entries: { subscriber: ["activation", "unused", "void"] },
      by: ["month", "package"],
      measures: { net: "-sum(amount)" },
    },
    isps,
  );
  const sums = new Map<number, { thisMonth: number; lastMonth: number }>();
  for (const { packageId, month, net } of rows) {
    if (!packageId) continue; // of an old entry that does not say
    const sum = sums.get(packageId) ?? { thisMonth: 0, lastMonth: 0 };
    const isThis = month === thisMonth;
    sums.set(packageId, {
      thisMonth: sum.thisMonth + (isThis ? net : 0),
      lastMonth: sum.lastMonth + (isThis ? 0 : net),
    });
  }
  return sums;
}

/** Whether a package is used, and so cannot be deleted. */
export function isPackageUsed({ $client }: Db, { id, ispId }: { id: number; ispId: number }): boolean {
  const used = $client
    .query<{ used: number }, [number, number]>(
      `SELECT EXISTS (SELECT 1 FROM subscribers WHERE package_id = ?1) OR EXISTS (SELECT 1 FROM services WHERE package_id = ?1)
         OR EXISTS (SELECT 1 FROM ledger_months WHERE isp_id = ?2 AND account = 'subscriber' AND kind = 'activation' AND package_id = ?1) AS used`,
    )
    .get(id, ispId);
  return used?.used === 1;
}
