import type { Tone } from "../../../pages/charts/plot.tsx";
import type { ReportQuery } from "./query.ts";
import { listPeriods } from "../../parts/periods.ts";
import type { Series } from "./looks.ts";
import { indexPeriods, type ReadReport, type Row, sumMain } from "./read.ts";

/** A row or period with a value for each series, and the compared total. */
export interface DrawnBar {
  readonly row: Row;
  readonly period: number | undefined;
  readonly values: readonly number[];
  readonly before: number | undefined;
}

export interface DrawnSeries {
  /** A column or a value of it; null: all without a colour of their own. */
  readonly key: string | number | null;
  readonly tone: Tone;
}

export interface Matrix {
  readonly series: readonly DrawnSeries[];
  readonly bars: readonly DrawnBar[];
}

/** Coloured series, and bars with room for a name: the table has the rest. */
const TONES: readonly Tone[] = ["s1", "s2", "s3", "s4", "s5"];
const BARS = 8;
/** The key of rows without a name. */
export const NONE = "";

/** Undefined for areas and for no chart. */
export function buildMatrix(query: ReportQuery, read: ReadReport): Matrix | undefined {
  const picture = query.look.picture(query.values);
  if (picture.kind === "areas" || picture.kind === "none") return undefined;
  if (picture.kind === "columns") return ofColumns(read, picture.columns);
  const keys = seriesKeys(query, read, picture.series);
  const cut = (rows: readonly Row[]) =>
    keys.map(({ key }) => sumSeries(query, rows, picture.series, keys, key));
  const bars = picture.kind === "time" ? overTime(query, read, cut) : ofRows(query, read, cut);
  if (picture.kind === "rows" && bars.length > BARS) return undefined;
  return { series: keys, bars };
}

type Cut = (rows: readonly Row[]) => number[];

function overTime({ look, range, beside, step }: ReportQuery, read: ReadReport, cut: Cut): DrawnBar[] {
  if (!range) return [];
  const at = byPlace(read.drawn, indexPeriods(range, step));
  const then = beside && byPlace(read.drawnBefore, indexPeriods(beside.range, step));
  const length = beside ? listPeriods(beside.range, step).length : 0;
  return listPeriods(range, step).map((period, index) => ({
    period,
    row: {},
    values: cut(at.get(index) ?? []),
    before:
      then && index < length
        ? (then.get(index) ?? []).reduce((sum, row) => sum + sumMain(look, row), 0)
        : undefined,
  }));
}

function byPlace(rows: readonly Row[], places: ReadonlyMap<string, number>): Map<number, Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const place = places.get(String(row["day"] ?? row["month"] ?? row["period"]));
    if (place === undefined) continue;
    const known = found.get(place);
    if (known) known.push(row);
    else found.set(place, [row]);
  }
  return found;
}

/** Rows by their main figure; equal names of several kinds are one. */
function ofRows({ look, values, beside }: ReportQuery, { rows }: ReadReport, cut: Cut): DrawnBar[] {
  const [by = ""] = look.by(values);
  const bars = new Map<unknown, { rows: Row[]; main: number; before: number }>();
  for (const { row, main, before } of rows) {
    const bar = bars.getOrInsertComputed(row[by], () => ({ rows: [], main: 0, before: 0 }));
    bar.rows.push(row);
    bar.main += main;
    bar.before += before;
  }
  return [...bars.values()]
    .toSorted((a, b) => b.main - a.main)
    .map((bar) => ({
      row: bar.rows[0] ?? {},
      period: undefined,
      values: cut(bar.rows),
      before: beside && bar.before,
    }));
}

function ofColumns({ rows }: ReadReport, columns: readonly string[]): Matrix {
  const own = rows.length > TONES.length ? TONES.length : rows.length;
  const rest = rows.slice(own);
  const sum = (of: ReadReport["rows"], column: string) =>
    of.reduce((all, { row }) => all + Number(row[column] ?? 0), 0);
  return {
    series: [
      ...rows
        .slice(0, own)
        .map(({ row }, index) => ({ key: row["name"] ?? NONE, tone: TONES[index] ?? "rest" })),
      ...(rest.length > 0 ? [{ key: null, tone: "rest" as const }] : []),
    ],
    bars: columns.map((column) => ({
      row: { column },
      period: undefined,
      values: [
        ...rows.slice(0, own).map(({ row }) => Number(row[column] ?? 0)),
        ...(rest.length > 0 ? [sum(rest, column)] : []),
      ],
      before: undefined,
    })),
  };
}

/** The largest series get colours; stacked from the smallest. */
function seriesKeys({ look }: ReportQuery, read: ReadReport, series: Series): DrawnSeries[] {
  if ("measures" in series)
    return series.measures.map((key, index) => ({ key, tone: TONES[index] ?? "rest" }));
  const sums = new Map<string | number, number>();
  const rows = look.listed || read.drawn.length > 0 ? read.drawn : read.rows.map(({ row }) => row);
  for (const row of rows) {
    const key = row[series.by] ?? NONE;
    sums.set(key, (sums.get(key) ?? 0) + Math.abs(sumMain(look, row)));
  }
  const keys = [...sums].toSorted((a, b) => b[1] - a[1]).map(([key]) => key);
  const own: DrawnSeries[] = keys
    .slice(0, TONES.length)
    .map((key, index) => ({ key, tone: TONES[index] ?? "rest" }));
  return keys.length > TONES.length ? [...own, { key: null, tone: "rest" }] : own;
}

function sumSeries(
  { look }: ReportQuery,
  rows: readonly Row[],
  series: Series,
  keys: readonly DrawnSeries[],
  key: DrawnSeries["key"],
): number {
  const sum = (of: readonly Row[], value: (row: Row) => number) =>
    of.reduce((all, row) => all + value(row), 0);
  if ("measures" in series) {
    const all = sum(rows, (row) => Number(row[String(key)] ?? 0));
    return series.down?.includes(String(key)) === true ? -all : all;
  }
  const isOne = (row: Row) => {
    const own = row[series.by] ?? NONE;
    return key === null ? keys.every((one) => one.key !== own) : own === key;
  };
  return sum(rows.filter(isOne), (row) => sumMain(look, row));
}
