import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { type PlaceKind, placeKinds, placeRules } from "../../../../domain/people/places/kinds.ts";
import {
  createPlace,
  listPlaces,
  type Place,
  placeById,
  updatePlace,
} from "../../../../domain/people/places/places.ts";
import { requireWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { pathId } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { faultOf, formDrawer, typedIn } from "./form.tsx";
import { PLACES } from "./place-links.ts";
import { ispIn } from "./places.tsx";

/** Places that one chooses among at the most. */
const MOST = 5000;

interface Typed {
  readonly name: string;
  /** The id of what it lies in, as text; empty: nothing. */
  readonly within: string;
}

function kindOf(name: string | null | undefined): PlaceKind {
  const kind = placeKinds.find((one) => one === name);
  if (!kind) throw new DomainError("not_found", "there is no such kind of place");
  return kind;
}

/** The place of the address. Throws `not_found`. */
export function named({ params, db, by }: StaffVisit): { kind: PlaceKind; place: Place } {
  const kind = kindOf(params["kind"]);
  return { kind, place: placeById(db, by, kind, pathId(placeRules[kind].one, params["id"] ?? null)) };
}

/** What a form says of a place, by the names of its fields. */
function sent(kind: PlaceKind, { name, within }: Typed): Input {
  const { lies } = placeRules[kind];
  return { name: name.trim(), ...(lies && { [lies.field]: within }) };
}

const typedOf = (input: Input): Typed => ({ name: typedIn(input, "name"), within: typedIn(input, "within") });

function Fields({ visit, kind, ispId, typed, refused }: FieldsProps) {
  const { view, db, by } = visit;
  const words = view.words.team.places;
  const { lies } = placeRules[kind];
  const among = { sort: "name", descending: false, limit: MOST, offset: 0 } as const;
  return (
    <>
      <Field
        name="name"
        label={words.name}
        value={typed.name}
        fault={faultOf(refused, "name")}
        required
        attributes={{ maxlength: 120, autocomplete: "off", autofocus: true }}
      />
      {(lies?.in === "city" || lies?.in === "area") && (
        <Select
          name="within"
          label={words.liesIn[lies.in]}
          value={typed.within}
          fault={faultOf(refused, lies.field)}
          help={words.moveHelp}
          options={[
            { value: "", label: words.nowhere },
            ...listPlaces(db, by, lies.in, among)
              .records.filter((one) => one.ispId === ispId)
              .map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
    </>
  );
}

interface FieldsProps {
  visit: StaffVisit;
  kind: PlaceKind;
  ispId: number;
  typed: Typed;
  refused?: DomainError | undefined;
}

/** The tree of the ISP that a place is of. */
export const listHref = ({ by }: StaffVisit, ispId: number) =>
  by.scope.ispId === null ? `${PLACES}?isp=${ispId}` : PLACES;

function newForm(visit: StaffVisit, typed: Typed, refused?: DomainError): Response {
  const { view, query } = visit;
  const words = view.words.team.places;
  const kind = kindOf(query.get("kind") ?? "city");
  const ispId = ispIn(visit);
  const sentWith = new URLSearchParams({ ...Object.fromEntries(query), isp: String(ispId) });
  return formDrawer(visit, {
    ...{ title: words.addTitle[kind], refused, submit: view.words.team.save },
    action: `${PLACES}/new?${String(sentWith)}`,
    back: listHref(visit, ispId),
    children: <Fields visit={visit} kind={kind} ispId={ispId} typed={typed} refused={refused} />,
  });
}

export function newPlace(visit: StaffVisit): Response {
  permit(visit.by, "createPlace");
  requireWholeIsp(visit.by, placeRules[kindOf(visit.query.get("kind") ?? "city")].many);
  return newForm(visit, { name: "", within: visit.query.get("in") ?? "" });
}

export async function addPlace(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view, query } = visit;
  const kind = kindOf(query.get("kind") ?? "city");
  const ispId = ispIn(visit);
  const typed = typedOf(input);
  const done = await attempt(visit, async () =>
    createPlace(db, by, kind, { ...sent(kind, typed), ...(kind !== "isp" && { isp_id: ispId }) }, { now }),
  );
  if (done instanceof DomainError) return newForm(visit, typed, done);
  const title = view.words.team.places.added(view.format.name(done.name));
  return said(visit, { kind: "good", title }, listHref(visit, kind === "isp" ? done.id : ispId));
}

function editForm(visit: StaffVisit, typed?: Typed, refused?: DomainError): Response {
  const { view } = visit;
  const { team } = view.words;
  const { kind, place } = named(visit);
  const { id, ispId, name, liesIn } = place;
  const href = `${PLACES}/${kind}/${id}`;
  return formDrawer(visit, {
    ...{ title: team.places.editOf(name), refused, submit: team.save, action: href },
    back: listHref(visit, ispId),
    beside: (
      <Button href={`${href}/remove`} kind="danger" size="large" drawer>
        {team.places.remove}
      </Button>
    ),
    children: (
      <Fields
        visit={visit}
        kind={kind}
        ispId={ispId}
        typed={typed ?? { name, within: liesIn === null ? "" : String(liesIn) }}
        refused={refused}
      />
    ),
  });
}

export function editPlace(visit: StaffVisit): Response {
  permit(visit.by, "updatePlace");
  requireWholeIsp(visit.by, placeRules[kindOf(visit.params["kind"])].many);
  return editForm(visit);
}

export async function savePlace(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { kind, place } = named(visit);
  const typed = typedOf(input);
  const done = await attempt(visit, async () =>
    updatePlace(db, by, kind, { id: place.id, input: sent(kind, typed) }, { now }),
  );
  if (done instanceof DomainError) return editForm(visit, typed, done);
  const title = view.words.team.places.saved(view.format.name(done.name));
  return said(visit, { kind: "good", title }, listHref(visit, place.ispId));
}
