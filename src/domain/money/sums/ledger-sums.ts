import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { ledgerDays } from "../../../../db/schema.ts";
import { dayBefore } from "../../core/time/time.ts";
import { Isps } from "./isps.ts";
import { pastSums } from "./past-sums.ts";
import type { Scope } from "../../core/actor/actor.ts";

/** Dimensions besides ISPs, which always divide, for currencies differ. */
export const dimensions = [
  "day",
  "month",
  "branch",
  "area",
  "package",
  "salesperson",
  "staff",
  "method",
] as const;
export type Dimension = (typeof dimensions)[number];

/** Filters; absent or null: all. */
export interface Only {
  readonly packageId?: number | null | undefined;
  readonly areaId?: number | null | undefined;
  readonly salespersonId?: number | null | undefined;
  readonly staffId?: number | null | undefined;
  readonly method?: string | null | undefined;
}

/** Grouping values: null unused or deleted, id 0 none. */
export interface Divided {
  ispId: number;
  isp: string;
  currency: string;
  day: number | null;
  month: number | null;
  branchId: number | null;
  branch: string | null;
  areaId: number | null;
  area: string | null;
  packageId: number | null;
  package: string | null;
  salespersonId: number | null;
  salesperson: string | null;
  staffId: number | null;
  staff: string | null;
  method: string | null;
}

interface Days {
  readonly first: number;
  readonly last: number;
}

interface SumsFilter<M extends string> {
  readonly days: Days;
  readonly entries: Partial<Record<Account, readonly Kind[]>>;
  readonly only?: Only;
  readonly by: readonly Dimension[];
  /** Aggregates in SQL; the first one sorts, descending. */
  readonly measures: Readonly<Record<M, string>>;
}
type Account = (typeof ledgerDays.$inferSelect)["account"];
type Kind = (typeof ledgerDays.$inferSelect)["kind"];

const columnsByDimension = {
  day: "day",
  month: "month",
  branch: "branch_id",
  area: "area_id",
  package: "package_id",
  salesperson: "seller_id",
  staff: "staff_id",
  method: "method",
} as const;

/** Sums of the ledger from those that are kept by day and month. */
export function ledgerSums<M extends string>(
  db: Db,
  scope: Scope,
  { days, entries, only = {}, by, measures }: SumsFilter<M>,
  isps = new Isps(db),
): (Divided & Record<M, number>)[] {
  const names = Object.keys(measures);
  const sums = names.map((name) => `${Reflect.get(measures, name)} AS ${name}`).join(", ");
  const divided = dimensions.map((name) =>
    by.includes(name) ? columnsByDimension[name] : `NULL AS ${columnsByDimension[name]}`,
  );
  const group = by.length === 0 ? "" : `GROUP BY ${by.map((name) => columnsByDimension[name]).join(", ")}`;
  const sumParts = (range: Days) => sumSource(scope, { days: range, entries, only, by });
  const statement = db.$client.query<Sum & Record<M, number>, Value[]>(
    `SELECT x.isp_id AS ispId, x.day, x.month, x.method, x.branch_id AS branchId, x.area_id AS areaId, x.package_id AS packageId,
       x.seller_id AS salespersonId, x.staff_id AS staffId, ${names.map((name) => `x.${name}`).join(", ")}
     FROM (SELECT isp_id, ${divided.join(", ")}, ${sums} FROM (${sumParts(days).text}) ${group}) x
     WHERE x.isp_id IS NOT NULL ORDER BY x.day, x.month, x.${names[0]} DESC, x.branch_id, x.area_id, x.package_id, x.seller_id, x.staff_id, x.method`,
  );
  const read = (range: Days, ispId: number) => statement.all(...sumParts(range).values(ispId));
  const isKept =
    (by.length === 0 || by.includes("day")) && days.first < days.last && !db.$client.inTransaction;
  const key = JSON.stringify([scope.branchId, scope.salespersonId, entries, only, by, measures]);
  const named = nameReader(db);
  const kept = isKept ? pastSums(db) : undefined;
  const rows = isps.in(scope).flatMap(({ id, name }) => {
    const past = { first: days.first, last: dayBefore(days.last) };
    const today = { first: days.last, last: days.last };
    const sums = kept
      ? kept(`${id} ${key}`, past, () => read(past, id)).concat(read(today, id))
      : read(days, id);
    const all = sums.map((sum) => Object.assign({ isp: name }, sum, named(sum)));
    return isKept && by.length === 0 ? added(all, measures) : all;
  });
  rows.sort((a, b) => (a.day ?? 0) - (b.day ?? 0) || (a.month ?? 0) - (b.month ?? 0));
  return isps.withCurrency(rows);
}

type Sum = Pick<
  Divided,
  "ispId" | "day" | "month" | "method" | "branchId" | "areaId" | "packageId" | "salespersonId" | "staffId"
>;
type Names = Pick<Divided, "branch" | "area" | "package" | "salesperson" | "staff">;

/** Names, read once each and fresh: sums of past days are kept longer. */
function nameReader({ $client }: Db): (sum: Sum) => Names {
  const reader = (table: "branches" | "areas" | "packages" | "staff") => {
    const statement = $client.query<{ name: string }, [number]>(`SELECT name FROM ${table} WHERE id = ?`);
    const known = new Map<number, string | null>();
    return (id: number | null) =>
      id ? known.getOrInsertComputed(id, () => statement.get(id)?.name ?? null) : null;
  };
  const [branch, area, sold, account] = [
    reader("branches"),
    reader("areas"),
    reader("packages"),
    reader("staff"),
  ];
  return ({ branchId, areaId, packageId, salespersonId, staffId }) => ({
    branch: branch(branchId),
    area: area(areaId),
    package: sold(packageId),
    salesperson: account(salespersonId),
    staff: account(staffId),
  });
}

function added<M extends string, R extends Record<M, number>>(
  rows: readonly R[],
  measures: Readonly<Record<M, string>>,
): R[] {
  const [sum, ...others] = rows;
  if (!sum) return [];
  for (const other of others)
    for (const name in measures) Object.assign(sum, { [name]: sum[name] + other[name] });
  return [sum];
}

/** Whole months from monthly sums, unless by day; the rest daily. Each kind is read in order of days. */
function sumSource(
  { branchId, salespersonId }: Scope,
  { days: { first, last }, entries, only = {}, by }: Omit<SumsFilter<string>, "measures">,
): { text: string; values: (ispId: number) => Value[] } {
  const { text, values } = all(
    equal("branch_id", branchId),
    equal("seller_id", salespersonId),
    equal("package_id", only.packageId),
    equal("area_id", only.areaId),
    equal("seller_id", only.salespersonId),
    equal("staff_id", only.staffId),
    equal("method", only.method),
  );
  const isByDay = by.includes("day");
  const { from, to } = wholeMonths(first, last);
  const parts = isByDay
    ? [{ table: "ledger_days", range: "day >= ? AND day <= ?", bounds: [first, last] }]
    : [
        { table: "ledger_months", range: "month >= ? AND month <= ?", bounds: [from, to] },
        {
          table: "ledger_days",
          range: "day >= ? AND day < ?",
          bounds: [first, Math.min(from * 100, last + 1)],
        },
        {
          table: "ledger_days",
          range: "day > ? AND day <= ?",
          bounds: [Math.max(to * 100 + 99, from * 100 - 1), last],
        },
      ];
  const month = { ledger_days: "day / 100 AS month", ledger_months: "month" };
  const others = by
    .filter((name) => name !== "day" && name !== "month")
    .map((name) => columnsByDimension[name]);
  const selects: string[] = [];
  const bounds: number[][] = [];
  for (const { table, range, bounds: own } of parts) {
    const isDays = table === "ledger_days";
    const columns = [isDays ? "day" : "NULL AS day", isDays ? month.ledger_days : month.ledger_months];
    const grouped = [isDays ? "day" : "month", ...others, "reached"];
    for (const [account, kinds] of Object.entries(entries))
      for (const kind of kinds) {
        selects.push(
          `SELECT isp_id, '${account}' AS account, '${kind}' AS kind, reached, ${[...columns, ...others].join(", ")}, sum(entries) AS entries, sum(amount) AS amount
           FROM ${table} WHERE isp_id = ? AND account = '${account}' AND kind = '${kind}' AND ${range} AND ${text} GROUP BY ${grouped.join(", ")}`,
        );
        bounds.push(own);
      }
  }
  return {
    text: selects.join(" UNION ALL "),
    values: (ispId) => bounds.flatMap((own) => [ispId].concat(own).map<Value>(Number).concat(values)),
  };
}

/** The whole months of a range; where there is none, `to` is before `from`. */
function wholeMonths(first: number, last: number): { from: number; to: number } {
  const month = Math.floor(first / 100);
  const from = first % 100 === 1 ? month : nextMonth(month);
  const lastMonth = Math.floor(last / 100);
  const isWhole = last % 100 === daysIn(lastMonth);
  return { from, to: isWhole ? lastMonth : lastMonth - (lastMonth % 100 === 1 ? 89 : 1) };
}

export function nextMonth(month: number): number {
  return month % 100 === 12 ? month + 89 : month + 1;
}

function daysIn(month: number): number {
  return Temporal.PlainYearMonth.from({ year: Math.floor(month / 100), month: month % 100 }).daysInMonth;
}
