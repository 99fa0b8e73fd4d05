import { selectColumns } from "../../../../db/columns.ts";
import { all, columnsSet, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { packages, services } from "../../../../db/schema.ts";
import { packageTerms } from "./package-terms.ts";
import { freedBefore } from "../address-pools/kept.ts";
import { theOneCalled } from "../../core/references/called.ts";
import { type Actor, type Scope, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

type Package = typeof packages.$inferSelect;

/** The volume of a service without top-ups. */
const OWN_VOLUME = "(v.quota_total - iif(v.quota_total > 0, v.extra_bytes, 0))";

/** Services `v` with other terms or pools than the package's; expired leases do not count. */
export function hasOtherTerms(db: Db, sold: Package, now: Seconds): Condition {
  const terms = columnsSet(services, packageTerms(sold));
  const isAlone = sold.simultaneousUse === 1;
  const pool = "(SELECT id FROM address_pools WHERE isp_id = ? AND name = ?)";
  const isKept = "(v.expires_at > ? OR v.frozen_at IS NOT NULL)";
  const pools = `v.subscriber_id IN (SELECT h.id FROM subscribers h WHERE h.id = v.subscriber_id AND h.archived_at IS NULL AND
    (h.pool_ip_from IS NOT CASE WHEN h.static_ip IS NULL THEN ${pool} END AND (h.pool_ip_from IS NOT NULL OR ${isKept})
      OR h.pool_prefix_from IS NOT CASE WHEN h.delegated_ipv6_prefix IS NULL THEN ${pool} END
        AND (h.pool_prefix_from IS NOT NULL OR ${isKept})))`;
  const until = freedBefore(db, now);
  return {
    text: `(${terms.map(({ name }) => `${name === "quota_total" ? OWN_VOLUME : `v.${name}`} IS NOT ?`).join(" OR ")} OR ${pools})`,
    values: [
      ...terms.map(({ value }) => value),
      ...[sold.ispId, isAlone ? sold.addressPool : null, until],
      ...[sold.ispId, isAlone ? sold.delegatedIpv6From : null, until],
    ],
  };
}

export function countHolders(db: Db, scope: Scope, sold: Package, now: Seconds): number {
  const { text, values } = all(
    equal("v.package_id", sold.id),
    hasOtherTerms(db, sold, now),
    scopeCondition(scope),
  );
  const row = db.$client
    .query<{ holders: number }, Value[]>(
      // holders first: SQLite would start with the whole scope
      `SELECT count(*) AS holders FROM services v CROSS JOIN subscribers s ON s.id = v.subscriber_id WHERE ${text}`,
    )
    .get(...values);
  return row?.holders ?? 0;
}

export interface OldTerms {
  package_id: number;
  name: string;
  subscribers: number;
}

/** How many have other terms than their package, by package. */
export function holdersOnOldTerms(db: Db, by: Actor, { now }: { now: Seconds }): OldTerms[] {
  permit(by, "holdersOnOldTerms");
  return ownPackages(db, by)
    .map((sold) => ({
      package_id: sold.id,
      name: sold.name,
      subscribers: countHolders(db, by.scope, sold, now),
    }))
    .filter(({ subscribers }) => subscribers > 0);
}

/** The package by name or id. Throws not_found, refused for an ambiguous name. */
export function packageNamed(db: Db, by: Actor, nameOrId: string): Package {
  permit(by, "packageNamed");
  return theOneCalled(ownPackages(db, by), nameOrId, { one: "package", many: "packages", by: "id" });
}

function ownPackages({ $client }: Db, { scope }: Actor): Package[] {
  const { text, values } = all(equal("p.isp_id", scope.ispId));
  return $client
    .query<Package, Value[]>(
      `SELECT ${selectColumns(packages, "p")} FROM packages p WHERE ${text} ORDER BY p.id`,
    )
    .all(...values);
}
