import type { DomainError } from "../../../../domain/core/errors/errors.ts";
import { Isps } from "../../../../domain/money/sums/isps.ts";
import type { Cell } from "../../../../wire/report-columns.ts";
import { attempt } from "../../attempt.ts";
import { ownIsp, may } from "../../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ReportQuery } from "./query.ts";
import { listPeriods, type Step } from "../../parts/periods.ts";
import type { Look, Values } from "./looks.ts";
import { listPackages } from "../../../../domain/goods/packages/packages.ts";
import { packageSales } from "../../../../domain/around/reports/sales.ts";

/** Amounts in minor units. */
export type Row = Readonly<Record<string, Cell>>;

export interface TableRow {
  readonly row: Row;
  readonly main: number;
  /** The main figure of the compared time. */
  readonly before: number;
}

export interface ReadReport {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** Rows of the chart, now and compared. */
  readonly drawn: readonly Row[];
  readonly drawnBefore: readonly Row[];
  readonly currency: string;
  /** Rows in all; `isMore`: at least so many. */
  readonly total?: { readonly count: number; readonly isMore: boolean } | undefined;
}

export function readReport(visit: StaffVisit, query: ReportQuery): Promise<ReadReport | DomainError> {
  return attempt(visit, async () => {
    const { look, beside } = query;
    const isps = new Isps(visit.db);
    const now = readOnce(visit, query, isps, {});
    const other = beside && readOnce(visit, query, isps, beside.range);
    const keyNow = makeRowKey(query, query.range);
    const keyBefore = makeRowKey(query, beside?.range);
    const before = new Map(other?.list.map((row) => [keyBefore(row), sumMain(look, row)]));
    const aside = readAside(visit, query, isps);
    const rows = now.list.map((row) => ({
      row: aside ? { ...row, ...aside(row) } : row,
      main: sumMain(look, row),
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
        typeof currency === "string" ? currency : isps.readCurrency(ownIsp(visit.db, query.by.scope) ?? 0),
    };
  });
}

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
  // with counted ones, so that it is read once
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
    total: limit === undefined || whole <= limit ? undefined : countTotal(whole, beyond.limit),
  };
}

/** Rows counted beyond those of a page. */
const COUNTED = 1000;

const countTotal = (length: number, limit = Infinity) =>
  length < limit ? { count: length, isMore: false } : { count: limit - 1, isMore: true };

interface Read {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** Sums rows that are equal in the grouping columns. */
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

export function sumMain({ main }: Look, row: Row): number {
  return main.reduce((sum, name) => sum + Number(row[name] ?? 0), 0);
}

/** The key of a row by its groups; periods by their index, so that they match the compared ones. */
function makeRowKey({ look, values, step }: ReportQuery, range: ReportQuery["range"]): (row: Row) => string {
  const by = look.by(values);
  const places = range ? indexPeriods(range, step) : undefined;
  const keyPart = (name: string, value: Cell | undefined) =>
    isTime(name) && places ? places.get(String(value)) : value;
  return (row) => by.map((name) => keyPart(name, row[name])).join(" ");
}

/** The index of each period of a range. */
export function indexPeriods(range: NonNullable<ReportQuery["range"]>, step: Step): Map<string, number> {
  return new Map(listPeriods(range, step).map((period, index) => [writtenPeriod(period), index]));
}

function writtenPeriod(period: number): string {
  return String(period).replace(/^(\d{4})(\d\d)(\d\d)?$/, (_, year, month, day) =>
    [year, month, ...(day === undefined ? [] : [day])].join("-"),
  );
}

/** Times ascending (levels descending), others by size, or as requested. */
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

const all = { sort: "id", descending: false, limit: 10_000, offset: 0 } as const;

function readAside({ db, now }: StaffVisit, query: ReportQuery, isps: Isps): ((row: Row) => Row) | undefined {
  const { look, values, by } = query;
  if (look.aside === undefined || values["by"] !== "package" || !may(by, "package_view")) return undefined;
  const active = new Map(
    packageSales(db, by, { now, isps, months: false }).map((one) => [one.packageId, one.active]),
  );
  const prices = new Map(listPackages(db, by, all).records.map(({ id, price }) => [id, price]));
  return ({ package_id: id }) => {
    const isThere = typeof id === "number" && prices.has(id);
    return isThere ? { active_now: active.get(id) ?? 0, price: prices.get(id) ?? null } : none;
  };
}

const none: Row = { active_now: null, price: null };
