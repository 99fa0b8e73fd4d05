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
  /** Default seller; null: none. */
  readonly #default: Seller | null;
  #defaulted = 0;
  readonly #packages: ReadonlyMap<string, ImportedPackage>;
  readonly #none: ImportedPackage | undefined;
  readonly #routers: ReadonlyMap<string, number>;
  readonly #places: ImportedPlaces;
  readonly #sellers: ReadonlyMap<string, Seller>;
  /** Unknown sellers with counts. */
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
      /** The default package. */
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

  requirePackage({ package: key }: MovedSubscriber): ImportedPackage {
    const found = (key === null ? undefined : this.#packages.get(key)) ?? this.#none;
    if (!found) throw new Error("who names no package has that of none");
    return found;
  }

  /** Reference columns. */
  of(moved: MovedSubscriber): Readonly<Record<string, Value>> & { readonly package_id: number } {
    const city = this.#places.findOrAdd("city", moved.city);
    const area = this.#places.findOrAdd("area", moved.area, city);
    return {
      package_id: this.requirePackage(moved).id,
      nas_id: (moved.router && this.#routers.get(moved.router)) || null,
      salesperson_id: this.#findSeller(moved),
      branch_id: this.#places.findOrAdd("branch", moved.branch),
      city_id: city,
      area_id: area,
      subarea_id: area === null ? null : this.#places.findOrAdd("subarea", moved.subarea, area),
    };
  }

  #findSeller({ salesperson }: MovedSubscriber): number | null {
    const name = cleanText(salesperson ?? "");
    if (name === "" || isJunk(name)) return null;
    const found = this.#sellers.get(fold(name));
    if (!found) this.#unknown.set(name, (this.#unknown.get(name) ?? 0) + 1);
    return found?.id ?? null;
  }

  /** The default seller of new ones. */
  defaultSeller(): number | null {
    this.#defaulted++;
    return this.#default?.id ?? null;
  }

  /** Whether it has the default seller, whose own may have an account by now. */
  isDefaultSeller({ salesperson_id: id }: StoredPerson): boolean {
    return this.#default !== null && id === this.#default.id;
  }

  /** Reports unknown sellers once, and the default. */
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
