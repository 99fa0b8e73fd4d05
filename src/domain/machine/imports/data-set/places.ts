import type { Faults } from "../../../core/errors/errors.ts";
import { type Fields, id, type Input, readFields, text, type Values } from "../../../core/fields/fields.ts";
import {
  findReferenceFaults,
  type Kind,
  type Reference,
  UNKNOWN,
} from "../../../core/references/references.ts";
import { addBelow, type Directory, enter, referencesIn, requireCurrent } from "./directory.ts";
import { type Row, type RowShape, readRows } from "./rows.ts";
import { type Columns, StagedRows, type Staging } from "./staging.ts";

const name = text(120);
const ispFields = { name };
export const cityFields = { isp_id: id, name };
export const areaFields = { isp_id: id, city_id: id, name };
export const subareaFields = { isp_id: id, area_id: id, name };

type Branch = { isp_id: number; name?: string | null };

export type Places = ReturnType<typeof readPlaces>;

export function readPlaces(file: Input, stored: Directory, faults: Faults) {
  const branches: Row<Branch>[] = [];
  const places = new Map<number, string>();
  const isps = readRows(
    file["isps"],
    "/isps",
    {
      names: new Set(["name", "branches"]),
      read: (row, found, { id, known, pointer }) => {
        const list = `${pointer}/branches`;
        branches.push(...readRows(row["branches"], list, branchShape(id), stored.branches, faults, places));
        return readFields(ispFields, row, found, { required: ["name"], partial: known });
      },
    },
    stored.isps,
    faults,
  );
  return {
    isps,
    branches,
    cities: readRows(file["cities"], "/cities", shape(cityFields), stored.cities, faults),
    areas: readRows(file["areas"], "/areas", shape(areaFields), stored.areas, faults),
    subareas: readRows(file["subareas"], "/subareas", shape(subareaFields), stored.subareas, faults),
  };
}

/** Adds faults of references. */
export function findPlaceFaults(places: Places, directory: Directory, faults: Faults): void {
  const { isps, branches, cities, areas, subareas } = places;
  requireCurrent(directory, "isps", isps);
  for (const isp of isps) directory.isps.set(isp.id, isp.id);
  enter(directory, "branches", branches, faults);
  enter(directory, "cities", cities, faults);
  enter(directory, "areas", areas, faults);
  enter(directory, "subareas", subareas, faults);
  findWrong(directory, "areas", areas, ["city_id", "cities"], faults);
  findWrong(directory, "subareas", subareas, ["area_id", "areas"], faults);
}

function findWrong<F extends string>(
  directory: Directory,
  kind: Kind,
  rows: readonly Row<{ readonly [field in F]?: number | null }>[],
  reference: Reference<F>,
  faults: Faults,
): void {
  for (const { id, pointer, values } of rows) {
    const found: Faults = {};
    const isp = directory[kind].get(id) ?? UNKNOWN;
    findReferenceFaults(referencesIn(directory), [reference], { isp, values }, found);
    addBelow(pointer, found, faults);
  }
}

export function stagePlaces(staging: Staging, { isps, branches, cities, areas, subareas }: Places) {
  return {
    isps: stageRows(new StagedRows(staging, "isps"), isps),
    branches: stageRows(new StagedRows(staging, "branches"), branches),
    cities: stageRows(new StagedRows(staging, "cities"), cities),
    areas: stageRows(new StagedRows(staging, "areas"), areas),
    subareas: stageRows(new StagedRows(staging, "subareas"), subareas),
  };
}

function stageRows(staged: StagedRows, rows: readonly Row<Columns>[]): StagedRows {
  for (const row of rows) staged.put(row.id, staged.find(row), row.values);
  return staged;
}

function shape<F extends Fields & { isp_id: unknown; name: unknown }>(fields: F): RowShape<Values<F>> {
  return {
    names: new Set(Object.keys(fields)),
    read: (row, faults, { known }) =>
      readFields(fields, row, faults, { required: ["isp_id", "name"], partial: known }),
  };
}

function branchShape(ispId: number): RowShape<Branch> {
  return {
    names: new Set(["name"]),
    read: (row, faults, { known }) => ({
      isp_id: ispId,
      ...readFields({ name }, row, faults, { required: ["name"], partial: known }),
    }),
  };
}
