import { fold } from "../../core/fields/text.ts";
import type { Value } from "./imported-rows.ts";
import { cleanText, isJunk } from "./clean.ts";
import type { MovedSubscriber } from "./model.ts";
import type { Move } from "./move.ts";
import type { StoredPerson } from "./stored-people.ts";
import type { ImportedPackage } from "./import-packages.ts";
import type { ImportedPlaces } from "./import-places.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { enabledSellers, type Seller, usualSalesperson } from "../../people/staff/salesperson.ts";

export class References {
  /** Whose those are that name nobody; null: nobody's. */
  readonly #default: Seller | null;
  #defaulted = 0;
  readonly #packages: ReadonlyMap<string, ImportedPackage>;
  readonly #none: ImportedPackage | undefined;
  readonly #routers: ReadonlyMap<string, number>;
  readonly #places: ImportedPlaces;
  readonly #sellers: ReadonlyMap<string, Seller>;
  /** Those that nobody here is called, with how many name them. */
  readonly #unknown = new Map<string, number>();

  constructor(
    { db, ispId }: Move,
    {
      packages,
      none,
      routers,
      places,
      by,
    }: {
      packages: ReadonlyMap<string, ImportedPackage>;
      /** That of those that name none. */
      none: ImportedPackage | undefined;
      routers: ReadonlyMap<string, number>;
      places: ImportedPlaces;
      by: Actor;
    },
  ) {
    this.#packages = packages;
    this.#none = none;
    this.#routers = routers;
    this.#places = places;
    const sellers = enabledSellers(db, { ispId, branchId: null, salespersonId: null });
    this.#sellers = new Map(sellers.map((seller) => [fold(seller.username), seller]));
    const usual = usualSalesperson(db, by, ispId);
    this.#default = sellers.find(({ id }) => id === usual) ?? null;
  }

  packageOf({ package: key }: MovedSubscriber): ImportedPackage {
    const found = (key === null ? undefined : this.#packages.get(key)) ?? this.#none;
    if (!found) throw new Error("who names no package has that of none");
    return found;
  }

  /** The columns that refer, null where nothing is named. */
  of(moved: MovedSubscriber): Readonly<Record<string, Value>> & { readonly package_id: number } {
    const city = this.#places.idOf("city", moved.city);
    const area = this.#places.idOf("area", moved.area, city);
    return {
      package_id: this.packageOf(moved).id,
      nas_id: (moved.router && this.#routers.get(moved.router)) || null,
      salesperson_id: this.#sellerOf(moved),
      branch_id: this.#places.idOf("branch", moved.branch),
      city_id: city,
      area_id: area,
      subarea_id: area === null ? null : this.#places.idOf("subarea", moved.subarea, area),
    };
  }

  #sellerOf({ salesperson }: MovedSubscriber): number | null {
    const name = cleanText(salesperson ?? "");
    if (name === "" || isJunk(name)) return null;
    const found = this.#sellers.get(fold(name));
    if (!found) this.#unknown.set(name, (this.#unknown.get(name) ?? 0) + 1);
    return found?.id ?? null;
  }

  /** Whose a new subscriber is that names nobody. */
  sellerOfNobodys(): number | null {
    this.#defaulted++;
    return this.#default?.id ?? null;
  }

  /** Whether somebody is whose those are that name nobody: its own seller may have an account by now. */
  isOfNobodys({ salesperson_id: id }: StoredPerson): boolean {
    return this.#default !== null && id === this.#default.id;
  }

  /** Tells of sellers that have no account here, once each, and whose those are that name none. */
  tellUnknown({ notices }: Move): void {
    if (this.#defaulted > 0)
      notices.add(
        "note",
        null,
        this.#default?.username ?? "(nobody)",
        this.#default
          ? `is the salesperson of ${this.#defaulted} new subscribers that have none there, or none here`
          : `sells to ${this.#defaulted} new subscribers: add an Admin and make it their salesperson before they renew`,
      );
    for (const [name, count] of this.#unknown)
      notices.add(
        "note",
        null,
        name,
        `sold to ${count} and has no account here; add it (gatehouse staff add) and give it its subscribers (Subscribers, Salesperson)`,
      );
  }
}
