import { type Static, type TObject, Type } from "@sinclair/typebox";
import { type PlaceKind, placeRules } from "../domain/people/places/kinds.ts";
import { type Place, placeRecord } from "../domain/people/places/places.ts";
import { timeZone } from "../domain/core/time/time.ts";
import { nullable } from "./kinds.ts";
import { MINOR_DIGITS } from "./money.ts";

/** Fields of an ISP besides its columns. */
const ofIsp = <Z, D>(kind: PlaceKind, time_zone: Z, minor_digits: D) =>
  kind === "isp" ? { time_zone, minor_digits } : {};

export function placeSchema(kind: PlaceKind): TObject {
  const { lies } = placeRules[kind];
  return Type.Object({
    id: Type.Integer(),
    ...(kind !== "isp" && { isp_id: Type.Integer() }),
    name: Type.String(),
    ...(lies && { [lies.field]: nullable(Type.Integer()) }),
    ...ofIsp(kind, Type.String(), Type.Literal(MINOR_DIGITS)),
  });
}

const examples: Record<PlaceKind, Place> = {
  isp: { id: 1, ispId: 1, name: "Northlink", liesIn: null },
  branch: { id: 1, ispId: 1, name: "Centre", liesIn: null },
  city: { id: 1, ispId: 1, name: "Riverton", liesIn: null },
  area: { id: 1, ispId: 1, name: "East", liesIn: 1 },
  subarea: { id: 1, ispId: 1, name: "Block 4", liesIn: 1 },
};

export const examplePlace = (kind: PlaceKind): Static<TObject> => ({
  ...placeRecord(kind, examples[kind]),
  ...ofIsp(kind, "Africa/Nairobi", MINOR_DIGITS),
});

export const placeToJson = (kind: PlaceKind, place: Place): Static<TObject> => ({
  ...placeRecord(kind, place),
  ...ofIsp(kind, timeZone(), MINOR_DIGITS),
});
