import { type Static, Type } from "@sinclair/typebox";
import type { Choice, Choices, ChoiceWithin, ChoiceWithStatus } from "../domain/goods/subscribers/choices.ts";
import { nullable } from "./kinds.ts";

const choice = { id: Type.Integer(), isp_id: Type.Integer(), name: Type.String() };
const withStatus = Type.Array(Type.Object({ ...choice, status: Type.Integer() }));

export const choicesSchema = Type.Object({
  branches: Type.Array(Type.Object(choice)),
  cities: Type.Array(Type.Object(choice)),
  areas: Type.Array(Type.Object({ ...choice, city_id: nullable(Type.Integer()) })),
  subareas: Type.Array(Type.Object({ ...choice, area_id: nullable(Type.Integer()) })),
  packages: withStatus,
  nas: Type.Array(Type.Object(choice)),
  salespersons: withStatus,
  roles: Type.Array(
    Type.Object({ ...choice, id: Type.Integer({ description: "Number of the role, its `code`." }) }),
  ),
});

const own = (id: number, name: string) => ({ id, isp_id: 1, name });

export const exampleChoices: Static<typeof choicesSchema> = {
  branches: [own(1, "Centre")],
  cities: [own(1, "Riverton")],
  areas: [{ ...own(1, "East"), city_id: 1 }],
  subareas: [{ ...own(1, "Block 4"), area_id: 1 }],
  packages: [{ ...own(7, "Home 10"), status: 1 }],
  nas: [own(1, "core")],
  salespersons: [{ ...own(3, "Rita Reseller"), status: 1 }],
  roles: [own(3, "Support")],
};

const choiceToJson = ({ id, ispId, name }: Choice) => ({ id, isp_id: ispId, name });
const withStatusToJson = (row: ChoiceWithStatus) => ({ ...choiceToJson(row), status: row.status });
const inCity = (row: ChoiceWithin) => ({ ...choiceToJson(row), city_id: row.within });
const inArea = (row: ChoiceWithin) => ({ ...choiceToJson(row), area_id: row.within });

export function choicesToJson(choices: Choices): Static<typeof choicesSchema> {
  return {
    branches: choices.branches.map(choiceToJson),
    cities: choices.cities.map(choiceToJson),
    areas: choices.areas.map(inCity),
    subareas: choices.subareas.map(inArea),
    packages: choices.packages.map(withStatusToJson),
    nas: choices.nas.map(choiceToJson),
    salespersons: choices.salespersons.map(withStatusToJson),
    roles: choices.roles.map(choiceToJson),
  };
}
