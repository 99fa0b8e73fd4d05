import { phrase } from "../domain/core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import {
  type Field,
  field,
  from,
  id,
  oneOf,
  text as textField,
  to,
  wholeNumber,
} from "../domain/core/fields/fields.ts";
import { concessionDivisions, reportConcessions } from "../domain/around/reports/concessions.ts";
import { type Dimension, dimensions, type Divided } from "../domain/money/sums/ledger-sums.ts";
import { reportCollections, reportSales } from "../domain/around/reports/money.ts";
import { owedDivisions, reportDebtors, reportOwed } from "../domain/around/reports/owed.ts";
import type { Range } from "../domain/around/reports/range.ts";
import { reportResellers } from "../domain/around/reports/resellers.ts";
import { reportTax } from "../domain/around/reports/tax.ts";
import type { UsualRange } from "./report-range.ts";
import {
  amount,
  type Column,
  id as idColumn,
  ispMoney,
  number,
  onlyBy,
  period,
  someText,
  text,
  time,
} from "./report-columns.ts";
import { declareReport, type RowOf } from "./report.ts";

/** A list of these names separated by commas. */
function someOf(allowed: readonly Dimension[]): Field<Dimension[]> {
  const message = phrase`must be some of ${allowed.join(", ")}, with commas between them`;
  return field(Type.String({ minLength: 1, maxLength: 100 }), message, (value) => {
    const names = value.split(",").map((name) => name.trim());
    const known = names.flatMap((name) => allowed.find((one) => one === name) ?? []);
    return known.length === names.length && new Set(known).size === known.length ? known : undefined;
  });
}

const sumFilters = {
  from,
  to,
  by: someOf(dimensions.filter((name) => name !== "method")),
  package_id: id,
  area_id: id,
  salesperson_id: id,
  staff_id: id,
};

interface SumsFilter {
  from?: number | null;
  to?: number | null;
  by?: Dimension[] | null;
  package_id?: number | null;
  area_id?: number | null;
  salesperson_id?: number | null;
  staff_id?: number | null;
  method?: string | null;
}

const readBy = ({ by }: SumsFilter): Dimension[] => by ?? ["month"];

/** A whole year when by month, else this month. */
function usualRange(values: SumsFilter): UsualRange {
  const by = readBy(values);
  return by.includes("month") && !by.includes("day") ? "year" : "month";
}

function toFilter(values: SumsFilter, range: Range) {
  return {
    ...range,
    by: readBy(values),
    only: {
      packageId: values.package_id,
      areaId: values.area_id,
      salespersonId: values.salesperson_id,
      staffId: values.staff_id,
      method: values.method,
    },
  };
}

function dividedColumns<R extends Divided>(): Record<string, Column<R>> {
  return {
    ...onlyBy("day", { day: period<R>((row) => row.day) }),
    ...onlyBy("month", { month: period<R>((row) => row.month) }),
    ...ispMoney<R>(),
    ...onlyBy("branch", {
      branch_id: idColumn<R>((row) => row.branchId),
      branch: someText((row) => row.branch),
    }),
    ...onlyBy("area", { area_id: idColumn<R>((row) => row.areaId), area: someText((row) => row.area) }),
    ...onlyBy("package", {
      package_id: idColumn<R>((row) => row.packageId),
      package: someText((row) => row.package),
    }),
    ...onlyBy("salesperson", {
      salesperson_id: idColumn<R>((row) => row.salespersonId),
      salesperson: someText((row) => row.salesperson),
    }),
    ...onlyBy("staff", { staff_id: idColumn<R>((row) => row.staffId), staff: someText((row) => row.staff) }),
    ...onlyBy("method", { method: someText<R>((row) => row.method) }),
  };
}

type Sales = RowOf<typeof reportSales>;
type Collections = RowOf<typeof reportCollections>;
type Owed = RowOf<typeof reportOwed>;
type Debtor = RowOf<typeof reportDebtors>;
type Reseller = RowOf<typeof reportResellers>;
type Tax = RowOf<typeof reportTax>;
type Concession = RowOf<typeof reportConcessions>;

const northlink = { isp_id: 1, isp: "Northlink", currency: "USD" };

const sales = declareReport<Sales>()({
  name: "sales",
  operation: "reportSales",
  summary: "What was sold",
  description:
    "Activations at their price, less what was given back for unused time and of void invoices. Each counts on the day on which it was booked, in server time: a void is a minus of its own day, and months that are over do not change. `by` says what divides the sums, several with commas: `day` for at most 366 days, `month`, `branch`, `area`, `package`, `salesperson`, `staff` (who booked it); without it by month. Without `from` and `to` it is this month, by month the last twelve. Sums are of each ISP, in its currency.",
  filters: sumFilters,
  columns: {
    ...dividedColumns<Sales>(),
    sales: number((row) => row.sales),
    sold: amount((row) => row.sold),
    unused: amount((row) => row.unused),
    voided: amount((row) => row.voided),
    net: amount((row) => row.net),
  },
  example: { month: "2030-01", ...northlink, sales: 2, sold: 37, unused: 0, voided: 15, net: 22 },
  by: readBy,
  usual: usualRange,
  rows: ({ db, by, range, isps }, values) => reportSales(db, by, toFilter(values, range), isps).rows,
});

const collections = declareReport<Collections>()({
  name: "collections",
  operation: "reportCollections",
  summary: "What was collected",
  description:
    "Money that reached the ISP: payments that its staff took, and top-ups of resellers, less what was reversed and handed back, each on the day on which it was booked. What resellers took from subscribers stands apart and is no part of the other sums. `by` as in sales, with `method`; by `staff` it is whose payment it is, whoever reversed it, as in the day's close.",
  filters: { ...sumFilters, by: someOf(dimensions), method: textField(20) },
  columns: {
    ...dividedColumns<Collections>(),
    payments: number((row) => row.payments),
    taken: amount((row) => row.taken),
    reversed: amount((row) => row.reversed),
    refunded: amount((row) => row.refunded),
    net: amount((row) => row.net),
    by_resellers: amount((row) => row.byResellers),
  },
  example: {
    day: "2030-01-15",
    ...northlink,
    method: "cash",
    payments: 3,
    taken: 66,
    reversed: 22,
    refunded: 0,
    net: 44,
    by_resellers: 18,
  },
  by: readBy,
  usual: usualRange,
  rows: ({ db, by, range, isps }, values) => reportCollections(db, by, toFilter(values, range), isps).rows,
});

interface Aged {
  owed: number;
  days0To30: number;
  days31To60: number;
  days61To90: number;
  over90: number;
}

const aged = <R extends Aged>(): Record<string, Column<R>> => ({
  owed: amount((row) => row.owed),
  days_0_30: amount((row) => row.days0To30),
  days_31_60: amount((row) => row.days31To60),
  days_61_90: amount((row) => row.days61To90),
  over_90: amount((row) => row.over90),
});
const exampleAges = { owed: 42, days_0_30: 22, days_31_60: 20, days_61_90: 0, over_90: 0 };

const owed = declareReport<Owed>()({
  name: "owed",
  operation: "reportOwed",
  summary: "What subscribers owe now, by age",
  description:
    "What is open of invoices and other charges, by the days since the charge was made; what no charge covers stands with the oldest. `by` divides it by what the subscriber has now. Archived subscribers are in it.",
  filters: { by: oneOf(...owedDivisions) },
  columns: {
    ...ispMoney<Owed>(),
    ...onlyBy("by", { id: idColumn<Owed>((row) => row.id), name: someText((row) => row.name) }),
    subscribers: number((row) => row.subscribers),
    ...aged<Owed>(),
  },
  example: { ...northlink, id: 7, name: "East", subscribers: 2, ...exampleAges },
  by: ({ by }) => (by ? ["by"] : []),
  rows: ({ db, by, now }, values) => reportOwed(db, by, values, { now }).rows,
});

const debtors = declareReport<Debtor>()({
  name: "debtors",
  operation: "reportDebtors",
  summary: "Who owes the most now",
  description: "The most first, at most `limit` of them (100); ages as in owed.",
  filters: { limit: wholeNumber(1, 10_000) },
  columns: {
    ...ispMoney<Debtor>(),
    user_id: number((row) => row.subscriberId),
    username: text((row) => row.username),
    name: text((row) => row.name),
    mobile: someText((row) => row.mobile),
    since: time((row) => row.since),
    ...aged<Debtor>(),
  },
  example: {
    ...northlink,
    user_id: 42,
    username: "sam",
    name: "Sam Doe",
    mobile: "0300 1234567",
    since: "2029-12-01 09:30:00",
    ...exampleAges,
  },
  rows: ({ db, by, now }, { limit }) => reportDebtors(db, by, { limit: limit ?? 100 }, { now }).rows,
});

const resellers = declareReport<Reseller>()({
  name: "resellers",
  operation: "reportResellers",
  summary: "What resellers sold and earned, and what their wallets hold",
  description:
    "Of the days from `from` to `to` (this month), but for the wallet and its limit, which are those of now. A Reseller sees itself.",
  filters: { from, to },
  columns: {
    ...ispMoney<Reseller>(),
    reseller_id: number((row) => row.resellerId),
    reseller: text((row) => row.reseller),
    sales: number((row) => row.sales),
    sold: amount((row) => row.sold),
    commission: amount((row) => row.commission),
    taken: amount((row) => row.taken),
    cards: amount((row) => row.cards),
    topped_up: amount((row) => row.toppedUp),
    wallet: amount((row) => row.wallet),
    credit_limit: amount((row) => row.creditLimit),
  },
  example: {
    ...northlink,
    reseller_id: 2,
    reseller: "Rex",
    sales: 1,
    sold: 22,
    commission: 4,
    taken: 22,
    cards: 12,
    topped_up: 30,
    wallet: 0,
    credit_limit: 0,
  },
  usual: () => "month",
  rows: ({ db, by, range, isps }) => reportResellers(db, by, range, isps).rows,
});

const concessions = declareReport<Concession>()({
  name: "concessions",
  operation: "reportConcessions",
  summary: "Who gave away what: extensions, voids, corrections",
  description:
    "Time and money that was given away from `from` to `to` (this month; at most three years), by staff unless `by` says otherwise. `what`: `extension` and, on trust, `trust`, with their hours; `void` invoices; `unused` time that was credited; `adjustment_up` and `adjustment_down`, corrections of a wallet. Amounts are what they came to for the wallet.",
  filters: { from, to, by: oneOf(...concessionDivisions), staff_id: id },
  columns: {
    ...ispMoney<Concession>(),
    id: idColumn((row) => row.id),
    name: someText((row) => row.name),
    what: text((row) => row.what),
    times: number((row) => row.times),
    hours: number((row) => Math.round(row.seconds / 3600)),
    amount: amount((row) => row.amount),
  },
  example: { ...northlink, id: 4, name: "Mia", what: "void", times: 1, hours: 0, amount: 15 },
  usual: () => "month",
  rows: ({ db, by, range }, values) =>
    reportConcessions(db, by, { ...range, by: values.by ?? "staff", staffId: values.staff_id }).rows,
});

const tax = declareReport<Tax>()({
  name: "tax",
  operation: "reportTax",
  summary: "The tax in what was invoiced, by month",
  description:
    "For the return of VAT, GST or the like: invoices by the month in which they were made and the rate that they say, less credit notes and invoices that became void, each a minus of the month in which that was, in server time. Months that are over do not change. Prices contain the tax: `gross` is `net` and `tax` together. Without `from` and `to` it is the last twelve months.",
  filters: { from, to },
  columns: {
    month: period((row) => row.month),
    ...ispMoney<Tax>(),
    tax_name: someText((row) => row.taxName),
    tax_percent: { kind: "count", schema: Type.Number(), of: (row) => row.taxPercent / 100 },
    invoices: number((row) => row.invoices),
    invoiced: amount((row) => row.invoiced),
    given_back: amount((row) => row.givenBack),
    gross: amount((row) => row.gross),
    tax_net: amount((row) => row.net),
    tax: amount((row) => row.tax),
  },
  example: {
    month: "2030-01",
    ...northlink,
    tax_name: "VAT",
    tax_percent: 18,
    invoices: 2,
    invoiced: 44,
    given_back: 22,
    gross: 22,
    tax_net: 18.64,
    tax: 3.36,
  },
  usual: () => "year",
  rows: ({ db, by, range, isps }) => reportTax(db, by, range, isps).rows,
});

export const moneyReports = [sales, collections, tax, owed, debtors, resellers, concessions];
