import type { Db } from "../../../db/open.ts";
import { DomainError, type FieldErrors } from "../errors.ts";
import { addFault } from "../fields.ts";
import type { Row } from "./rows.ts";

/** The ISP of each row by its id; null is the operator of the box, undefined one that the file names wrongly. */
export type IspsById = Map<number, number | null | undefined>;
export type Directory = ReturnType<typeof readDirectory>;

/** What there is and whose it is, as the store has it. */
export function readDirectory(db: Db) {
  const ispsById = (query: string): IspsById =>
    new Map(
      db.$client
        .query<{ id: number; isp: number | null }, []>(query)
        .all()
        .map(({ id, isp }) => [id, isp]),
    );
  return {
    isps: ispsById("SELECT id, id AS isp FROM isps"),
    branches: ispsById("SELECT id, isp_id AS isp FROM branches"),
    cities: ispsById("SELECT id, isp_id AS isp FROM cities"),
    areas: ispsById("SELECT id, isp_id AS isp FROM areas"),
    subareas: ispsById("SELECT id, isp_id AS isp FROM subareas"),
    roles: ispsById("SELECT code AS id, isp_id AS isp FROM roles"),
    staff: ispsById("SELECT id, isp_id AS isp FROM staff"),
    nas: ispsById("SELECT id, isp_id AS isp FROM nas"),
    packages: ispsById("SELECT id, isp_id AS isp FROM packages"),
    subscribers: ispsById("SELECT id, isp_id AS isp FROM subscribers"),
  };
}

type OwnedRow = Row<{ isp_id?: number | null }>;

/**
 * Enters the rows of the file, once for each table. A row stays in its ISP, a new one needs an ISP that exists.
 * Throws as requireCurrent does.
 */
export function enter(
  directory: Directory,
  table: keyof Directory,
  rows: readonly OwnedRow[],
  faults: FieldErrors,
): void {
  requireCurrent(directory, table, rows);
  const entries = directory[table];
  for (const { id, known, pointer, values } of rows) {
    const given = values.isp_id === 0 ? null : values.isp_id;
    if (known) {
      const stays = entries.get(id);
      if (given !== undefined && given !== stays)
        addFault(faults, `${pointer}/isp_id`, `cannot change; it is ${stays ?? 0}`);
    } else {
      if (typeof given === "number" && !directory.isps.has(given))
        addFault(faults, `${pointer}/isp_id`, `does not exist; ${thereAre(directory.isps, undefined)}`);
      entries.set(id, given);
    }
  }
}

/** Throws `refused` when the store got or lost one of the rows since they were read. */
export function requireCurrent(
  directory: Directory,
  table: keyof Directory,
  rows: readonly Row<unknown>[],
): void {
  if (rows.every(({ id, known }) => known === directory[table].has(id))) return;
  throw new DomainError(
    "refused",
    `${table} changed while the file was read; nothing was imported, try again`,
  );
}

/** Adds a fault unless what a field refers to, if anything, is there, and in the ISP of its row or the operator's. */
export function findReferenceFault(
  target: IspsById,
  id: number | null | undefined,
  isp: number | null | undefined,
  pointer: string,
  faults: FieldErrors,
): void {
  if (!id) return;
  const owner = target.get(id);
  if (!target.has(id)) addFault(faults, pointer, `does not exist; ${thereAre(target, isp)}`);
  else if (owner !== undefined && owner !== null && isp !== undefined && owner !== isp)
    addFault(faults, pointer, `does not exist in this ISP; ${thereAre(target, isp)}`);
}

/** Ids that are named where one is wrong. */
const NAMED = 10;
/** Thousands of rows may ask for the same; a table is entered as a whole before anything refers to it. */
const named = new WeakMap<IspsById, Map<number | null | undefined, string>>();

/** What a row of this ISP could refer to; undefined: of any. */
function thereAre(target: IspsById, isp: number | null | undefined): string {
  const known = named.get(target) ?? new Map<number | null | undefined, string>();
  named.set(target, known);
  let said = known.get(isp);
  if (said === undefined) known.set(isp, (said = listIds(target, isp)));
  return said;
}

function listIds(target: IspsById, isp: number | null | undefined): string {
  const ids = [...target]
    .filter(([id, owner]) => id > 0 && (isp === undefined || owner === null || owner === isp))
    .map(([id]) => id)
    .sort((a, b) => a - b);
  if (ids.length === 0) return "there is none";
  if (ids.length === 1) return `there is only ${ids[0]}`;
  const rest = ids.length - NAMED;
  return `there are ${ids.slice(0, NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
