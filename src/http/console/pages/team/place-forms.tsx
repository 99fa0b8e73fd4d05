import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { type PlaceKind, placeKinds, placeRules } from "../../../../domain/people/places/kinds.ts";
import {
  createPlace,
  listPlaces,
  type Place,
  placeById,
  updatePlace,
} from "../../../../domain/people/places/places.ts";
import { requireWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { pathId } from "../../../form.ts";
import { Button } from "../../../pages/parts/button.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { FormField, Values } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { PLACES } from "./place-links.ts";
import { chosenIspId } from "./places.tsx";

/** Options of a select at the most. */
const MOST = 5000;
export const PLACE = `${PLACES}/:kind/:id`;

function readKind({ by }: StaffVisit, name: string | null | undefined): PlaceKind {
  const kind = placeKinds.find((one) => one === name);
  if (!kind) throw new DomainError("not_found", phrase`there is no such kind of place`);
  requireWholeIsp(by, placeRules[kind].many);
  return kind;
}

export function named(visit: StaffVisit): { kind: PlaceKind; place: Place } {
  const { params, db, by } = visit;
  const kind = readKind(visit, params["kind"]);
  return { kind, place: placeById(db, by, kind, pathId(placeRules[kind].one, params["id"] ?? null)) };
}

/** The tree of its ISP. */
export const listHref = ({ by }: StaffVisit, ispId: number) =>
  by.scope.ispId === null ? `${PLACES}?isp=${ispId}` : PLACES;

interface Standing {
  readonly kind: PlaceKind;
  readonly ispId: number;
  readonly name: string;
  readonly within: string | number;
}

function buildFields({ view, db, by }: StaffVisit, { kind, ispId, name, within }: Standing): FormField[] {
  const words = view.words.team.places;
  const { lies } = placeRules[kind];
  const called = { name: "name", label: words.name, value: name, required: true, max: 120 };
  const fields: FormField[] = [{ ...called, attributes: { autofocus: true } }];
  if (lies?.in !== "city" && lies?.in !== "area") return fields;
  const among = { sort: "name", descending: false, limit: MOST, offset: 0 } as const;
  const others = listPlaces(db, by, lies.in, among).records.filter((one) => one.ispId === ispId);
  const options = [
    { value: "", label: words.nowhere },
    ...others.map(({ id, name: label }) => ({ value: id, label })),
  ];
  const where = { name: "within", faultOf: lies.field, label: words.liesIn[lies.in], help: words.moveHelp };
  return [...fields, { ...where, value: within, options }];
}

/** The domain's input. */
function sent(kind: PlaceKind, { name, within }: Values) {
  const { lies } = placeRules[kind];
  return { name, ...(lies && { [lies.field]: within }) };
}

interface Named {
  readonly id: number;
  readonly name: string;
}

const add = form({
  path: `${PLACES}/new`,
  permit: "createPlace",
  of: (visit) => ({ kind: readKind(visit, visit.query.get("kind") ?? "city"), ispId: chosenIspId(visit) }),
  chosen: ({ ispId }) => ({ isp: String(ispId) }),
  content: (visit, { kind, ispId }) => ({
    title: visit.view.words.team.places.addTitle[kind],
    back: listHref(visit, ispId),
    submit: visit.view.words.team.save,
    fields: buildFields(visit, { kind, ispId, name: "", within: visit.query.get("in") ?? "" }),
  }),
  once: ({ id, name }: Named) => ({ id, name }),
  save: ({ db, by, now }, { kind, ispId }, values): Named =>
    createPlace(db, by, kind, { ...sent(kind, values), ...(kind !== "isp" && { isp_id: ispId }) }, { now }),
  done: (visit, { id, name }, { kind, ispId }) => ({
    title: visit.view.words.team.places.added(visit.view.format.name(name)),
    to: listHref(visit, kind === "isp" ? id : ispId),
  }),
});

const edit = form({
  path: PLACE,
  permit: "updatePlace",
  of: named,
  content: (visit, { kind, place: { id, ispId, name, liesIn } }) => {
    const { team } = visit.view.words;
    return {
      title: team.places.editOf(name),
      back: listHref(visit, ispId),
      submit: team.save,
      beside: (
        <Button href={`${PLACES}/${kind}/${id}/remove`} kind="danger" size="large" drawer>
          {team.places.remove}
        </Button>
      ),
      fields: buildFields(visit, { kind, ispId, name, within: liesIn ?? "" }),
    };
  },
  save: ({ db, by, now }, { kind, place }, values) =>
    updatePlace(db, by, kind, { id: place.id, input: sent(kind, values) }, { now }),
  done: ({ view }, { name }) => view.words.team.places.saved(view.format.name(name)),
});

export const placeForms = [...add, ...edit];
