import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ISP_OF_SELLER, sellersCondition } from "../../people/staff/salesperson.ts";

/** A choice in forms and filters. */
export interface Choice {
  readonly id: number;
  readonly ispId: number;
  readonly name: string;
}
export type ChoiceWithStatus = Choice & { readonly status: number };
export type ChoiceWithin = Choice & { readonly within: number | null };

export interface Choices {
  readonly branches: Choice[];
  readonly cities: Choice[];
  readonly areas: ChoiceWithin[];
  readonly subareas: ChoiceWithin[];
  readonly packages: ChoiceWithStatus[];
  readonly nas: Choice[];
  readonly salespersons: ChoiceWithStatus[];
  readonly roles: Choice[];
}

/** What a subscriber can be given, within the actor's scope. */
export function listChoices({ $client }: Db, by: Actor): Choices {
  permit(by, "listChoices");
  const { ispId, branchId } = by.scope;
  const read = <T extends Choice>(table: string, more = "", narrowed = equal("id", null), id = "id") => {
    const { text, values } = all(equal("isp_id", ispId), narrowed);
    return $client
      .query<T, Value[]>(
        `SELECT ${id} AS id, isp_id AS ispId, name${more} FROM ${table} WHERE ${text} ORDER BY name COLLATE NOCASE, id`,
      )
      .all(...values);
  };
  const sellers = sellersCondition(by.scope);
  return {
    branches: read("branches", "", equal("id", branchId)),
    cities: read("cities"),
    areas: read("areas", ", city_id AS within"),
    subareas: read("subareas", ", area_id AS within"),
    packages: read("packages", ", iif(top_up_bytes > 0 OR top_up_days > 0, 0, status) AS status"),
    nas: read("nas"),
    salespersons: $client
      .query<ChoiceWithStatus, Value[]>(
        `SELECT a.id, ${ISP_OF_SELLER} AS ispId, a.name, a.status FROM staff a
         WHERE ${sellers.text} ORDER BY a.name COLLATE NOCASE, a.id`,
      )
      .all(...sellers.values),
    roles: read("roles", "", undefined, "code"),
  };
}
