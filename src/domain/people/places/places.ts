import { getTableName } from "drizzle-orm";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { id as rowId, type Input, readFields, scopeId } from "../../core/fields/fields.ts";
import { theOneCalled } from "../../core/references/called.ts";
import { findReferenceFaults, ispForNewRow, storedReferences } from "../../core/references/references.ts";
import { type Actor, requireWholeIsp, type Scope, seesIsp } from "../../core/actor/actor.ts";
import { permit, requireOperator } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { countUses, letGo, usesInWords } from "../../core/references/uses.ts";
import { type PlaceKind, placeName, placeRules } from "./kinds.ts";

/** `liesIn`: the parent. An ISP is its own `ispId`. */
export interface Place {
  readonly id: number;
  readonly ispId: number;
  readonly name: string;
  readonly liesIn: number | null;
}

export interface PlaceChoice {
  readonly liesIn?: number | null | undefined;
  readonly sort: "name" | "id";
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

interface At {
  readonly now: Seconds;
}

/** Places with their total. ISPs are the operator's. */
export function listPlaces(
  { $client }: Db,
  by: Actor,
  kind: PlaceKind,
  { liesIn, sort, descending, limit, offset }: PlaceChoice,
): { records: Place[]; total: number } {
  permit(by, "listPlaces");
  requireTheirs(by, kind);
  const { lies } = placeRules[kind];
  const { text, values } = all(inScope(kind, by.scope), lies && equal(`p.${lies.field}`, liesIn));
  const direction = descending ? "DESC" : "ASC";
  const order = `${sort === "name" ? `p.name COLLATE NOCASE ${direction}, ` : ""}p.id ${direction}`;
  const records = $client
    .query<Place, Value[]>(`${select(kind)} WHERE ${text} ORDER BY ${order} LIMIT ? + 0 OFFSET ?`)
    .all(...values, limit, offset);
  const counted = $client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total FROM ${placeTable(kind)} p WHERE ${text}`)
    .get(...values);
  return { records, total: counted?.total ?? 0 };
}

export function placeById(db: Db, by: Actor, kind: PlaceKind, id: number): Place {
  permit(by, "placeById");
  requireTheirs(by, kind);
  return findPlace(db, by.scope, kind, id);
}

/** The place by name or id. Throws not_found, refused for an ambiguous name. */
export function placeNamed({ $client }: Db, by: Actor, kind: PlaceKind, nameOrId: string): Place {
  permit(by, "placeNamed");
  requireTheirs(by, kind);
  const { one, many } = placeRules[kind];
  const { text, values } = inScope(kind, by.scope);
  const places = $client.query<Place, Value[]>(`${select(kind)} WHERE ${text} ORDER BY p.id`).all(...values);
  return theOneCalled(places, nameOrId, { one, many, by: "id" });
}

/** Throws `invalid` with every fault, `forbidden` for another ISP, accounts of a branch, and ISPs to non-operators. */
export function createPlace(db: Db, by: Actor, kind: PlaceKind, input: Input, { now }: At): Place {
  permit(by, "createPlace");
  requireMayChange(by, kind);
  const faults: Faults = {};
  const { isp_id: named, ...values } = readPlace(kind, input, faults);
  return write(db, (tx) => {
    const ispId = kind === "isp" ? null : ispForNewRow(tx, by, named);
    findReferenceFaults(storedReferences(tx), references, { isp: ispId, values }, faults);
    rejectFaults(faults);
    const id = insert(tx, placeRules[kind].table, { ...(ispId !== null && { ispId }), ...toColumns(values) });
    const place = findPlace(tx, by.scope, kind, id);
    audit(tx, by, now, { ...entry(kind, place, "create"), after: placeRecord(kind, place) });
    return place;
  });
}

/** Throws `not_found`, `invalid` with every fault, `forbidden` as createPlace. */
export function updatePlace(
  db: Db,
  by: Actor,
  kind: PlaceKind,
  { id, input }: { id: number; input: Input },
  { now }: At,
): Place {
  permit(by, "updatePlace");
  requireMayChange(by, kind);
  const faults: Faults = {};
  const { isp_id: _, ...values } = readPlace(kind, input, faults, { partial: true });
  return write(db, (tx) => {
    const before = findPlace(tx, by.scope, kind, id);
    findReferenceFaults(storedReferences(tx), references, { isp: before.ispId, values }, faults);
    rejectFaults(faults);
    const changes = toColumns(values);
    if (Object.values(changes).some((value) => value !== undefined))
      update(tx, placeRules[kind].table, changes, { id });
    const after = findPlace(tx, by.scope, kind, id);
    const records = { before: placeRecord(kind, before), after: placeRecord(kind, after) };
    audit(tx, by, now, { ...entry(kind, before, "update"), ...records });
    return after;
  });
}

/**
 * Only if unreferenced; the books keep its name. An ISP's settings go too. Throws `not_found`, `refused` with its uses,
 * `forbidden` as createPlace.
 */
export function deletePlace(db: Db, by: Actor, kind: PlaceKind, { id }: { id: number }, { now }: At): Place {
  permit(by, "deletePlace");
  requireMayChange(by, kind);
  const { one, table } = placeRules[kind];
  return write(db, (tx) => {
    const place = findPlace(tx, by.scope, kind, id);
    const uses = countUses(tx, table, id);
    if (uses.length > 0)
      throw new DomainError(
        "refused",
        phrase`the ${one} ${place.name} is used by ${usesInWords(uses)}; ${kind === "isp" ? phrase`delete those first` : phrase`give them another one first`}`,
        { code: "in_use" },
      );
    if (kind === "branch") letGo(tx, id);
    if (kind === "isp") tx.$client.query("DELETE FROM settings WHERE isp_id = ?").run(id);
    tx.$client.query(`DELETE FROM ${placeTable(kind)} WHERE id = ?`).run(id);
    audit(tx, by, now, { ...entry(kind, place, "delete"), before: placeRecord(kind, place) });
    return place;
  });
}

export function placeRecord(kind: PlaceKind, { id, ispId, name, liesIn }: Place) {
  const { lies } = placeRules[kind];
  return {
    id,
    ...(kind !== "isp" && { isp_id: ispId }),
    name,
    ...(lies && { [lies.field]: liesIn }),
  };
}

/** Throws `forbidden` for ISPs to non-operators. */
export function requireTheirs(by: Actor, kind: PlaceKind): void {
  if (kind === "isp") requireOperator(by);
}

function requireMayChange(by: Actor, kind: PlaceKind): void {
  requireTheirs(by, kind);
  requireWholeIsp(by, placeRules[kind].many);
}

/** `which`: an id, or a row that was read already. Throws `not_found` outside the scope. */
export function placeIn(db: Db, scope: Scope, kind: PlaceKind, which: number | Place): Place {
  if (typeof which === "number") return findPlace(db, scope, kind, which);
  const isTheirs = placeRules[kind].ofBranch === undefined || [null, which.id].includes(scope.branchId);
  if (seesIsp(scope, which) && isTheirs) return which;
  throw missing(kind, which.id);
}

export function findPlace({ $client }: Db, scope: Scope, kind: PlaceKind, id: number): Place {
  const { text, values } = all(equal("p.id", id), inScope(kind, scope));
  const found = $client.query<Place, Value[]>(`${select(kind)} WHERE ${text}`).get(...values);
  if (!found) throw missing(kind, id);
  return found;
}

const missing = (kind: PlaceKind, id: number) =>
  new DomainError("not_found", phrase`there is no ${placeRules[kind].one} ${id}`);

const references = [
  ["city_id", "cities"],
  ["area_id", "areas"],
] as const;

function readPlace(
  kind: PlaceKind,
  input: Input,
  faults: Faults,
  { partial = false }: { partial?: boolean } = {},
) {
  const { lies } = placeRules[kind];
  const named = readFields({ isp_id: scopeId, name: placeName }, input, faults, {
    required: ["name"],
    partial,
  });
  const lying = lies ? { [lies.field]: input[lies.field] } : {};
  return { ...named, ...readFields({ city_id: rowId, area_id: rowId }, lying, faults) };
}

const toColumns = ({ name, city_id: cityId, area_id: areaId }: ReturnType<typeof readPlace>) => ({
  name,
  cityId,
  areaId,
});

const placeTable = (kind: PlaceKind) => getTableName(placeRules[kind].table);

function select(kind: PlaceKind): string {
  const { ofIsp, lies } = placeRules[kind];
  const liesIn = lies ? `p.${lies.field}` : "NULL";
  return `SELECT p.id, p.${ofIsp} AS ispId, p.name, ${liesIn} AS liesIn FROM ${placeTable(kind)} p`;
}

function inScope(kind: PlaceKind, { ispId, branchId }: Scope): Condition {
  const { ofIsp, ofBranch } = placeRules[kind];
  return all(equal(`p.${ofIsp}`, ispId), ofBranch && equal(`p.${ofBranch}`, branchId));
}

function entry(kind: PlaceKind, { id, ispId }: Place, verb: string) {
  return { action: `${kind}.${verb}`, entity: kind, entityId: id, ispId };
}
