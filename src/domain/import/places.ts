import type { Tx } from "../../../db/open.ts";
import type { FieldErrors } from "../errors.ts";
import { type Fields, id, type Input, readFields, text, type Values } from "../fields.ts";
import { type Directory, enter, findReferenceFault, requireCurrent } from "./directory.ts";
import { type Row, type RowShape, readRows } from "./rows.ts";
import { RowWriter } from "./row-writer.ts";

const name = text(120);
const ispFields = { name };
const cityFields = { isp_id: id, name };
const areaFields = { ...cityFields, city_id: id };
const subareaFields = { ...cityFields, area_id: id };

interface Branch {
  isp_id: number;
  name?: string | null;
}

/** The ISPs and their branches, cities, areas and subareas. */
export type Places = ReturnType<typeof readPlaces>;

export function readPlaces(file: Input, stored: Directory, faults: FieldErrors) {
  const branches: Row<Branch>[] = [];
  const isps = readRows(
    file["isps"],
    "/isps",
    {
      names: new Set(["name", "branches"]),
      read: (row, found, { known }) => ({
        ...readFields(ispFields, row, found, { required: ["name"], partial: known }),
        branches: row["branches"],
      }),
    },
    stored.isps,
    faults,
  );
  const places = new Map<number, string>();
  for (const { id: ispId, pointer, values } of isps) {
    const list = `${pointer}/branches`;
    branches.push(...readRows(values.branches, list, branchShape(ispId), stored.branches, faults, places));
  }
  return {
    isps,
    branches,
    cities: readRows(file["cities"], "/cities", shape(cityFields), stored.cities, faults),
    areas: readRows(file["areas"], "/areas", shape(areaFields), stored.areas, faults),
    subareas: readRows(file["subareas"], "/subareas", shape(subareaFields), stored.subareas, faults),
  };
}

/** Enters the places into the directory and adds what they refer to wrongly. */
export function findPlaceFaults(places: Places, directory: Directory, faults: FieldErrors): void {
  const { isps, branches, cities, areas, subareas } = places;
  requireCurrent(directory, "isps", isps);
  for (const isp of isps) directory.isps.set(isp.id, isp.id);
  enter(directory, "branches", branches, faults);
  enter(directory, "cities", cities, faults);
  enter(directory, "areas", areas, faults);
  enter(directory, "subareas", subareas, faults);
  for (const { id, pointer, values } of areas)
    findReferenceFault(
      directory.cities,
      values.city_id,
      directory.areas.get(id),
      `${pointer}/city_id`,
      faults,
    );
  for (const { id, pointer, values } of subareas)
    findReferenceFault(
      directory.areas,
      values.area_id,
      directory.subareas.get(id),
      `${pointer}/area_id`,
      faults,
    );
}

export function writePlaces(tx: Tx, { isps, branches, cities, areas, subareas }: Places): void {
  const ispWriter = new RowWriter(tx, "isps");
  for (const row of isps) ispWriter.put(row, { name: row.values.name });
  for (const [table, rows] of Object.entries({ branches, cities, areas, subareas })) {
    const writer = new RowWriter(tx, table);
    for (const row of rows) writer.put(row, { ...row.values });
  }
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
