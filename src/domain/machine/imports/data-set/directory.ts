import type { Db } from "../../../../../db/open.ts";
import { DomainError, type Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault } from "../../../core/fields/fields.ts";
import {
  checkNewIsp,
  type Isp,
  ispsById,
  isWithin,
  type Kind,
  type References,
} from "../../../core/references/references.ts";
import type { Row } from "./rows.ts";

export type IspsById = Map<number, Isp>;
export type Directory = Readonly<Record<Kind, IspsById>>;

export function readDirectory(db: Db): Directory {
  return {
    isps: ispsById(db, "isps"),
    branches: ispsById(db, "branches"),
    cities: ispsById(db, "cities"),
    areas: ispsById(db, "areas"),
    subareas: ispsById(db, "subareas"),
    roles: ispsById(db, "roles"),
    staff: ispsById(db, "staff"),
    salespersons: ispsById(db, "salespersons"),
    nas: ispsById(db, "nas"),
    packages: ispsById(db, "packages"),
    subscribers: ispsById(db, "subscribers"),
    card_batches: ispsById(db, "card_batches"),
    card_templates: ispsById(db, "card_templates"),
    address_pools: ispsById(db, "address_pools"),
  };
}

/** What rows may refer to, with the ids that there are where one is wrong. */
export function referencesIn(directory: Directory): References {
  return {
    findIsp: (kind, id) => directory[kind].get(id),
    choices: (kind, isp) => thereAre(directory[kind], isp),
  };
}

type OwnedRow = Row<{ isp_id?: number | null }>;

/** Enters the rows, once for each table. A row keeps its ISP, a new one needs an existing one. Throws as requireCurrent. */
export function enter(directory: Directory, table: Kind, rows: readonly OwnedRow[], faults: Faults): void {
  requireCurrent(directory, table, rows);
  const entries = directory[table];
  const lookup = referencesIn(directory);
  for (const { id, known, pointer, values } of rows) {
    const found: Faults = {};
    if (known) {
      const value = values.isp_id === 0 ? null : values.isp_id;
      const stays = entries.get(id);
      if (value !== undefined && value !== stays)
        addFault(found, "isp_id", phrase`cannot change; it is ${stays ?? 0}`);
    } else entries.set(id, checkNewIsp(lookup, values.isp_id, found));
    addBelow(pointer, found, faults);
  }
}

/** Prefixes faults with a row's pointer. */
export function addBelow(pointer: string, found: Faults, faults: Faults): void {
  for (const [name, messages] of Object.entries(found))
    for (const message of messages) addFault(faults, `${pointer}/${name}`, message);
}

/** Throws `refused` for a row that came or went since the reading. */
export function requireCurrent(directory: Directory, table: Kind, rows: readonly Row<unknown>[]): void {
  if (rows.every(({ id, known }) => known === directory[table].has(id))) return;
  throw new DomainError(
    "refused",
    phrase`${table} changed while the file was read; nothing was imported, try again`,
  );
}

const NAMED = 10;
/** Targets, cached, for thousands of rows may ask; a table is complete before anything refers to it. */
const named = new WeakMap<IspsById, Map<Isp, string>>();

/** Possible targets of an ISP's row. */
function thereAre(target: IspsById, isp: Isp): string {
  const known = named.get(target) ?? new Map<Isp, string>();
  named.set(target, known);
  let listed = known.get(isp);
  if (listed === undefined) known.set(isp, (listed = listIds(target, isp)));
  return listed;
}

function listIds(target: IspsById, isp: Isp): string {
  const ids = [...target]
    .filter(([id, owner]) => id > 0 && isWithin(owner, isp))
    .map(([id]) => id)
    .sort((a, b) => a - b);
  if (ids.length === 0) return "there is none";
  if (ids.length === 1) return `there is only ${ids[0]}`;
  const rest = ids.length - NAMED;
  return `there are ${ids.slice(0, NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
