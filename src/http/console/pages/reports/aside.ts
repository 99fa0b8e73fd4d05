import { listPackages } from "../../../../domain/goods/packages/packages.ts";
import { packageSales } from "../../../../domain/around/reports/sales.ts";
import type { Isps } from "../../../../domain/money/sums/isps.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ReportQuery } from "./query.ts";
import type { Row } from "./read.ts";

const all = { sort: "id", descending: false, limit: 10_000, offset: 0 } as const;

export function asideOf(
  { db, now }: StaffVisit,
  query: ReportQuery,
  isps: Isps,
): ((row: Row) => Row) | undefined {
  const { look, values, by } = query;
  if (look.aside === undefined || values["by"] !== "package" || !may(by, "package_view")) return undefined;
  const active = new Map(packageSales(db, by, { now, isps }).map((one) => [one.packageId, one.active]));
  const prices = new Map(listPackages(db, by, all).records.map(({ id, price }) => [id, price]));
  return ({ package_id: id }) => {
    const isThere = typeof id === "number" && prices.has(id);
    return isThere ? { active_now: active.get(id) ?? 0, price: prices.get(id) ?? null } : none;
  };
}

const none: Row = { active_now: null, price: null };
