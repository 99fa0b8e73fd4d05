import type { DomainError } from "../../../../domain/core/errors/errors.ts";
import { Isps } from "../../../../domain/money/sums/isps.ts";
import type { Cell } from "../../../../wire/report-columns.ts";
import { attempt } from "../../attempt.ts";
import { ownIsp } from "../../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../../guard.ts";
import { asideOf } from "./aside.ts";
import type { ReportQuery } from "./query.ts";
import { periodsOf, type Step } from "../../parts/periods.ts";
import type { Look, Values } from "./looks.ts";

/** A row of a report by its columns; amounts in minor units. */
export type Row = Readonly<Record<string, Cell>>;

export interface TableRow {
  readonly row: Row;
  readonly main: number;
  /** The main figure at the time beside. */
  readonly before: number;
}

export interface ReadReport {
  /** Of the table, as the report names them. */
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** What the picture is drawn of, now and at the time beside. */
  readonly drawn: readonly Row[];
  readonly drawnBefore: readonly Row[];
  readonly currency: string;
  /** How many rows there are where these are the first of them alone; `isMore`: so many at least. */
  readonly total?: { readonly count: number; readonly isMore: boolean } | undefined;
}

/** Reads a report with the time beside it. A DomainError says why it is refused, such as for too long a range. */
export function readReport(visit: StaffVisit, query: ReportQuery): Promise<ReadReport | DomainError> {
  return attempt(visit, async () => {
    const { look, beside } = query;
    const isps = new Isps(visit.db);
    const now = readOnce(visit, query, isps, {});
    const other = beside && readOnce(visit, query, isps, beside.range);
    const keyNow = keysOf(query, query.range);
    const keyBefore = keysOf(query, beside?.range);
    const before = new Map(other?.list.map((row) => [keyBefore(row), mainOf(look, row)]));
    const aside = asideOf(visit, query, isps);
    const rows = now.list.map((row) => ({
      row: aside ? { ...row, ...aside(row) } : row,
      main: mainOf(look, row),
      before: before.get(keyNow(row)) ?? 0,
    }));
    const currency = now.list.find((row) => row["currency"])?.["currency"];
    return {
      columns: aside ? [...now.columns, ...(look.aside ?? [])] : now.columns,
      rows: sorted(rows, query),
      total: now.total,
      drawn: now.drawn,
      drawnBefore: other?.drawn ?? [],
      currency:
        typeof currency === "string" ? currency : isps.currencyOf(ownIsp(visit.db, query.by.scope) ?? 0),
    };
  });
}

/** The rows of a report as the API has them: of each day or month, where the table is of all of them together. */
export function readEach({ db, now }: StaffVisit, { look, values, by }: ReportQuery) {
  return look.report.read({ db, by, now }, look.picked(values));
}

function readOnce(
  { db, now }: StaffVisit,
  { look, values, by }: ReportQuery,
  isps: Isps,
  range: { readonly from?: number; readonly to?: number },
) {
  const limit = look.fields["limit"] ? Number(values["limit"] ?? look.limit) : undefined;
  // with those that are only counted, so that it is read once
  const beyond = limit === undefined ? {} : { limit: Math.max(limit, COUNTED) + 1 };
  const read = (values: Values) => {
    const { columns, rows } = look.report.read({ db, by, now, isps }, { ...values, ...range, ...beyond });
    const { derived = () => ({}) } = look;
    const added = Object.keys(derived({}));
    const whole = rows.map((row): Row => Object.assign(inMinor(look, row), derived(row)));
    return { columns: [...columns, ...added], rows: whole };
  };
  const picked = read(look.picked(values));
  const other = look.listed?.(values);
  const isOther = other !== undefined && JSON.stringify(other) !== JSON.stringify(look.picked(values));
  const listed = isOther ? read(other) : other ? picked : folded(look, values, picked);
  const whole = listed.rows.length;
  return {
    drawn: picked.rows.slice(0, limit),
    columns: listed.columns,
    list: listed.rows.slice(0, limit),
    total: limit === undefined || whole <= limit ? undefined : totalOf(whole, beyond.limit),
  };
}

/** How many rows are counted beyond those that a page has. */
const COUNTED = 1000;

/** Of what was read with a limit one above what is counted. */
const totalOf = (length: number, limit = Infinity) =>
  length < limit ? { count: length, isMore: false } : { count: limit - 1, isMore: true };

interface Read {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** Sums rows that are the same but for what the table is not by. */
function folded(look: Look, values: Values, { columns, rows }: Read): Read {
  const by = look.by(values);
  const kept = columns.filter((name) => !isTime(name) || by.includes(name));
  if (kept.length === columns.length) return { columns, rows };
  const stays = kept.filter(
    (name) => look.sums.includes(name) || look.report.kinds[name] !== "count" || name.endsWith("_id"),
  );
  const sums = new Map<string, Record<string, Cell>>();
  for (const row of rows) {
    const key = by.map((name) => row[name]).join(" ");
    const known = sums.get(key);
    if (!known) {
      sums.set(key, Object.fromEntries(stays.map((name) => [name, row[name] ?? null])));
      continue;
    }
    for (const name of look.sums) known[name] = Number(known[name]) + Number(row[name]);
  }
  return { columns: stays, rows: [...sums.values()] };
}

/** Whether a column says when. */
export function isTime(column: string): boolean {
  return ["day", "month", "period", "at"].includes(column);
}

function inMinor({ report: { kinds } }: Look, row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      kinds[name] === "amount" && typeof value === "number" ? Math.round(value * 100) : value,
    ]),
  );
}

export function mainOf({ main }: Look, row: Row): number {
  return main.reduce((sum, name) => sum + Number(row[name] ?? 0), 0);
}

/** What a row is by; a day or month by its place in its range, so that it finds the one beside it. */
function keysOf({ look, values, step }: ReportQuery, range: ReportQuery["range"]): (row: Row) => string {
  const by = look.by(values);
  const places = range ? placesOf(range, step) : undefined;
  const partOf = (name: string, value: Cell | undefined) =>
    isTime(name) && places ? places.get(String(value)) : value;
  return (row) => by.map((name) => partOf(name, row[name])).join(" ");
}

/** The index of each day or month of a range, as reports write them. */
export function placesOf(range: NonNullable<ReportQuery["range"]>, step: Step): Map<string, number> {
  return new Map(periodsOf(range, step).map((period, index) => [writtenPeriod(period), index]));
}

/** 20260131 as 2026-01-31. */
function writtenPeriod(period: number): string {
  return String(period).replace(/^(\d{4})(\d\d)(\d\d)?$/, (_, year, month, day) =>
    [year, month, ...(day === undefined ? [] : [day])].join("-"),
  );
}

/** As the report has them where they are of times (of what is a level the newest first), else the most first; or as they were asked for. */
function sorted(rows: readonly TableRow[], query: ReportQuery): readonly TableRow[] {
  const { look, values, sort } = query;
  const isByTime = look.by(values).some(isTime);
  if (sort === undefined && isByTime) return look.isLevel === true ? rows.toReversed() : rows;
  const [name, direction] = sort?.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];
  if (name === undefined || name === "main")
    return rows.toSorted((a, b) => (sort === "main" ? 1 : -1) * (a.main - b.main));
  const of = ({ row, main, before }: TableRow) =>
    name === "difference" ? main - before : name === "before" ? before : (row[name] ?? null);
  return rows.toSorted((a, b) => direction * compare(of(a), of(b)));
}

function compare(a: Cell, b: Cell): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a ?? "").localeCompare(String(b ?? ""));
}
