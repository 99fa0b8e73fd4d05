import { and, count, eq, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { packages, services, subscribers } from "../../../db/schema.ts";
import { packageTerms } from "../activation/service.ts";
import { DomainError } from "../errors.ts";
import { type Actor, inIsp, subscriberInScope } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";

type Package = typeof packages.$inferSelect;

/** The services whose terms are not those of this package, as a condition of a query. */
export function hasOtherTerms(sold: Package): SQL | undefined {
  const terms = packageTerms(sold);
  const names = Object.keys(terms) as (keyof typeof terms)[];
  return or(...names.map((name) => sql`${services[name]} IS NOT ${terms[name]}`));
}

/** Holders of a package whose terms are not those that it has now. */
export interface OldTerms {
  package_id: number;
  name: string;
  subscribers: number;
}

/** By package, those of which there are any. */
export function holdersOnOldTerms(db: Db, by: Actor): OldTerms[] {
  permit(by, "holdersOnOldTerms");
  const all = ownPackages(db, by);
  return all
    .map((sold) => {
      const row = db
        .select({ holders: count() })
        .from(services)
        .innerJoin(subscribers, eq(subscribers.id, services.subscriberId))
        .where(and(eq(services.packageId, sold.id), hasOtherTerms(sold), subscriberInScope(by.scope)))
        .get();
      return { package_id: sold.id, name: sold.name, subscribers: row?.holders ?? 0 };
    })
    .filter(({ subscribers }) => subscribers > 0);
}

/** The package of a name or an id. Throws not_found, and refused where several have the name. */
export function packageNamed(db: Db, by: Actor, nameOrId: string): Package {
  permit(by, "packageNamed");
  const all = ownPackages(db, by);
  const named = all.filter(({ name }) => name === nameOrId);
  if (named.length > 1) {
    const ids = named.map(({ id, ispId }) => `${id} (ISP ${ispId})`).join(", ");
    throw new DomainError("refused", `several packages are called ${nameOrId}; name one by its id: ${ids}`);
  }
  const found = named[0] ?? all.find(({ id }) => String(id) === nameOrId);
  if (found) return found;
  const known = all
    .slice(0, 20)
    .map(({ id, name }) => `${id} ${name}`)
    .join(", ");
  throw new DomainError("not_found", `there is no package ${nameOrId}; there are: ${known || "none"}`);
}

function ownPackages(db: Db, { scope }: Actor): Package[] {
  return db.select().from(packages).where(inIsp(scope, packages.ispId)).orderBy(packages.id).all();
}
