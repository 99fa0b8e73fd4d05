import { all, type Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import { ledgerSums } from "../reports/ledger-sums.ts";
import { type Actor, may, scopeCondition } from "../staff/actor.ts";
import { permissions, permit } from "../staff/permissions.ts";
import { localDay, type Seconds } from "../time.ts";

/** How a package sells, in the actor's scope. */
export interface PackageSales {
  readonly packageId: number;
  /** Who is served by it now: enabled, not frozen, not over. */
  readonly active: number;
  /** Whose profile names it: what the next activation would be. */
  readonly profiles: number;
  /** Sales of this month less what was given back, in minor units; null: not for the actor to see. */
  readonly thisMonth: number | null;
  /** Of the month before it, which is whole. */
  readonly lastMonth: number | null;
}

/** Of each package that has any of it. */
export function packageSales(db: Db, by: Actor, { now }: { now: Seconds }): PackageSales[] {
  permit(by, "packageSales");
  const active = countsOf(db, activeByPackage(by, now));
  const profiles = countsOf(db, profilesByPackage(by));
  const showsMoney = may(by, permissions.reportSales);
  const months = showsMoney ? soldByMonth(db, by, now) : undefined;
  const ids = new Set([...active.keys(), ...profiles.keys(), ...(months?.keys() ?? [])]);
  return [...ids].map((packageId) => ({
    packageId,
    active: active.get(packageId) ?? 0,
    profiles: profiles.get(packageId) ?? 0,
    thisMonth: months ? (months.get(packageId)?.thisMonth ?? 0) : null,
    lastMonth: months ? (months.get(packageId)?.lastMonth ?? 0) : null,
  }));
}

interface Query {
  readonly text: string;
  readonly values: readonly Value[];
}

function activeByPackage({ scope }: Actor, now: Seconds): Query {
  const { text, values } = all(
    { text: "v.expires_at > ? AND v.frozen_at IS NULL AND s.status = 1", values: [now] },
    scopeCondition(scope),
  );
  return {
    text: `SELECT v.package_id AS id, count(*) AS count FROM subscribers s JOIN services v ON v.subscriber_id = s.id
      WHERE ${text} GROUP BY 1`,
    values,
  };
}

function profilesByPackage({ scope }: Actor): Query {
  const { text, values } = scopeCondition(scope);
  return {
    text: `SELECT s.package_id AS id, count(*) AS count FROM subscribers s WHERE ${text} GROUP BY 1`,
    values,
  };
}

function countsOf({ $client }: Db, { text, values }: Query): Map<number, number> {
  const rows = $client.query<{ id: number; count: number }, Value[]>(text).all(...values);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

function soldByMonth(db: Db, by: Actor, now: Seconds): Map<number, { thisMonth: number; lastMonth: number }> {
  const today = localDay(now);
  const thisMonth = Math.floor(today / 100);
  const before = thisMonth % 100 === 1 ? thisMonth - 89 : thisMonth - 1;
  const rows = ledgerSums(db, by.scope, {
    days: { first: before * 100 + 1, last: today },
    entries: { subscriber: ["activation", "unused", "void"] },
    by: ["month", "package"],
    measures: { net: "-sum(amount)" },
  });
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
