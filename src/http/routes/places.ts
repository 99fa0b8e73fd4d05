import { Type } from "@sinclair/typebox";
import { listChoices } from "../../domain/goods/subscribers/choices.ts";
import { id, without } from "../../domain/core/fields/fields.ts";
import { placeFields, type PlaceKind, placeKinds, placeRules } from "../../domain/people/places/kinds.ts";
import {
  createPlace,
  deletePlace,
  listPlaces,
  placeById,
  updatePlace,
} from "../../domain/people/places/places.ts";
import { choicesSchema, exampleChoices, choicesToJson } from "../../wire/choices.ts";
import { examplePlace, placeSchema, placeToJson } from "../../wire/place.ts";
import { done } from "../describe.ts";
import { managementForm, noForm } from "../form.ts";
import { listed } from "../list.ts";
import { managed, type Managed, anybodyMayRepeat } from "../operation.ts";

const tags: [string] = ["Places and choices"];

const nouns: Readonly<Record<PlaceKind, readonly [one: string, many: string]>> = {
  isp: ["Isp", "Isps"],
  branch: ["Branch", "Branches"],
  city: ["City", "Cities"],
  area: ["Area", "Areas"],
  subarea: ["Subarea", "Subareas"],
};

function declarePlace(kind: PlaceKind) {
  const { one, many } = placeRules[kind];
  const [One, Many] = nouns[kind];
  const isIsp = kind === "isp";
  const { id: _, isp_id: __, time_zone: ___, minor_digits: ____, ...example } = examplePlace(kind);
  return {
    kind,
    one,
    many,
    One,
    Many,
    prefix: `/api/v1/${kind}` as const,
    ids: { id: one },
    described: isIsp ? { description: "For the operator of the box alone." } : {},
    unknown: { 404: `There is no such ${one}.` },
    // an ISP narrowed to an ISP would not be the operator's
    narrowedBy: isIsp ? ([] as const) : (["isp_id"] as const),
    example,
  };
}
type Kind = ReturnType<typeof declarePlace>;

const list = ({ kind, Many, many, prefix, described }: Kind) =>
  listed({
    path: `${prefix}/list`,
    operation: "listPlaces",
    operationId: `list${Many}`,
    tags,
    summary: `List the ${many}`,
    ...described,
    filters: without(placeFields(kind), ["name"]),
    sorts: ["name", "id"],
    record: placeSchema(kind),
    example: examplePlace(kind),
    page: ({ db, by, values: value }, paging) => {
      const { lies } = placeRules[kind];
      const within = lies && Reflect.get(value, lies.field);
      const { records, total } = listPlaces(db, by, kind, {
        ...paging,
        liesIn: typeof within === "number" ? within : null,
      });
      return { records: records.map((place) => placeToJson(kind, place)), total };
    },
  });

const get = ({ kind, One, one, prefix, ids, described, unknown, narrowedBy }: Kind) =>
  managed({
    method: "GET",
    path: `${prefix}/get/:id`,
    operation: "placeById",
    operationId: `get${One}`,
    tags,
    summary: `Get one ${one}`,
    ...described,
    form: { ...noForm, narrowedBy },
    ids,
    success: { description: `The ${one}.`, schema: placeSchema(kind), example: examplePlace(kind) },
    refusals: unknown,
    run: ({ db, by, ids: { id } }) => placeToJson(kind, placeById(db, by, kind, id)),
  });

const create = ({ kind, One, one, prefix, described, example }: Kind) =>
  managed({
    method: "POST",
    path: `${prefix}/create`,
    operation: "createPlace",
    operationId: `create${One}`,
    tags,
    summary: `Add a new ${one}`,
    description: "Accounts of one branch read and change none: 403.",
    ...described,
    form: { ...managementForm(placeFields(kind), ["name"], example), narrowedBy: [] },
    clears: true,
    success: {
      description: "Created.",
      schema: Type.Object({ success: Type.String(), id: Type.Integer() }),
      example: { success: `The ${one} was created.`, id: 1 },
    },
    once: anybodyMayRepeat,
    run: ({ db, by, input, now }) => {
      const { id } = createPlace(db, by, kind, input, { now });
      return { success: `The ${one} was created.`, id };
    },
  });

const update = ({ kind, One, one, prefix, described, unknown, narrowedBy, example }: Kind) =>
  managed({
    method: "POST",
    path: `${prefix}/update`,
    operation: "updatePlace",
    operationId: `update${One}`,
    tags,
    summary: `Change the ${one}; what is not sent stays`,
    ...described,
    form: { ...managementForm({ id, ...placeFields(kind) }, ["id"], { id: 1, ...example }), narrowedBy },
    clears: true,
    success: done(`The ${one} was changed.`),
    refusals: unknown,
    run: ({ db, by, values: value, input, now }) => {
      updatePlace(db, by, kind, { id: value.id, input }, { now });
      return { success: `The ${one} was changed.` };
    },
  });

const remove = ({ kind, One, one, prefix, ids, described, unknown, narrowedBy }: Kind) =>
  managed({
    method: "DELETE",
    path: `${prefix}/delete/:id`,
    operation: "deletePlace",
    operationId: `delete${One}`,
    tags,
    summary: `Delete the ${one} that nothing refers to`,
    ...described,
    form: { ...noForm, narrowedBy },
    ids,
    success: done(`The ${one} was deleted.`),
    refusals: { ...unknown, 400: `The ${one} is in use: by what, and how many.` },
    run: ({ db, by, ids: { id }, now }) => {
      deletePlace(db, by, kind, { id }, { now });
      return { success: `The ${one} was deleted.` };
    },
  });

const choices = managed({
  method: "GET",
  path: "/api/v1/choice/list",
  operation: "listChoices",
  operationId: "listChoices",
  tags,
  summary: "What a subscriber can be given: places, packages, routers, salespersons, roles, by id and name",
  description: "For every account that may see subscribers. `status` 0 is disabled: not for new ones.",
  form: noForm,
  success: { description: "Each list by name.", schema: choicesSchema, example: exampleChoices },
  run: ({ db, by }) => choicesToJson(listChoices(db, by)),
});

export const placeOperations: Managed[] = [
  ...placeKinds
    .map(declarePlace)
    .flatMap((kind) => [list(kind), get(kind), create(kind), update(kind), remove(kind)]),
  choices,
];
