import type { WholeNoun } from "../../core/actor/actor.ts";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { areas, branches, cities, isps, subareas } from "../../../../db/schema.ts";
import { type Fields, id, text } from "../../core/fields/fields.ts";

interface PlaceRules {
  readonly one: string;
  readonly many: WholeNoun;
  readonly table: SQLiteTable;
  /** The column that scopes it. */
  readonly ofIsp: "id" | "isp_id";
  readonly ofBranch?: "id";
  /** Its parent's field and kind. */
  readonly lies?: { readonly field: "city_id" | "area_id"; readonly in: PlaceKind };
}

/** Kinds of places from the ISP down. */
export const placeKinds = ["isp", "branch", "city", "area", "subarea"] as const;
export type PlaceKind = (typeof placeKinds)[number];

export const placeRules: Readonly<Record<PlaceKind, PlaceRules>> = {
  isp: { one: "ISP", many: "ISPs", table: isps, ofIsp: "id" },
  branch: { one: "branch", many: "branches", table: branches, ofIsp: "isp_id", ofBranch: "id" },
  city: { one: "city", many: "cities", table: cities, ofIsp: "isp_id" },
  area: {
    one: "area",
    many: "areas",
    table: areas,
    ofIsp: "isp_id",
    lies: { field: "city_id", in: "city" },
  },
  subarea: {
    one: "subarea",
    many: "subareas",
    table: subareas,
    ofIsp: "isp_id",
    lies: { field: "area_id", in: "area" },
  },
};

export const placeName = text(120);

/** Fields of a place without the ISP. */
export function placeFields(kind: PlaceKind): Fields & { readonly name: typeof placeName } {
  const { lies } = placeRules[kind];
  return { name: placeName, ...(lies && { [lies.field]: id }) };
}
