import { BYTE_ORDER_MARK, csvLine, type CsvValue } from "./csv.ts";

type Row = Readonly<Record<string, unknown>>;

/** A spreadsheet list with names in place of ids. */
export interface ExportList {
  readonly file: string;
  readonly count: number;
  readonly lines: readonly string[];
}

/** Tables that `gatehouse migrate csv` and other systems read. */
export function exportLists(data: Readonly<Record<string, unknown>>): ExportList[] {
  const rows = (section: string): readonly Row[] => {
    const found = data[section];
    return Array.isArray(found) ? found : [];
  };
  const named = (section: string, field = "name") =>
    new Map(rows(section).map((row) => [row["id"], row[field]]));
  const branches = rows("isps").flatMap(({ branches: own }): Row[] => (Array.isArray(own) ? own : []));
  const names: Readonly<Record<string, readonly [heading: string, names: ReadonlyMap<unknown, unknown>]>> = {
    package_id: ["package", named("packages")],
    nas_id: ["router", named("nas")],
    city_id: ["city", named("cities")],
    area_id: ["area", named("areas")],
    subarea_id: ["subarea", named("subareas")],
    salesperson_id: ["salesperson", named("staff", "username")],
    branch_id: ["branch", new Map(branches.map(({ id, name }) => [id, name]))],
  };
  const list = (file: string, section: string): ExportList => {
    const all = rows(section);
    const columns = [...new Set(all.flatMap((row) => Object.keys(row).filter((name) => isPlain(row[name]))))];
    const heading = columns.map((column) => names[column]?.[0] ?? column);
    const cells = (row: Row): CsvValue[] =>
      columns.map((column) => toCsvValue(names[column] ? names[column][1].get(row[column]) : row[column]));
    return {
      file,
      count: all.length,
      lines: [BYTE_ORDER_MARK + csvLine(heading), ...all.map((row) => csvLine(cells(row)))],
    };
  };
  return [
    list("subscribers.csv", "subscribers"),
    list("packages.csv", "packages"),
    list("routers.csv", "nas"),
  ];
}

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;

function toCsvValue(value: unknown): CsvValue {
  if (typeof value === "string" || typeof value === "number") return value;
  return typeof value === "boolean" ? Number(value) : null;
}
