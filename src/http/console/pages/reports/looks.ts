import type { Step } from "../../parts/periods.ts";
import { type Fields, oneOf, without } from "../../../../domain/core/fields/fields.ts";
import { type Dimension, dimensions } from "../../../../domain/money/sums/ledger-sums.ts";
import type { Range } from "../../../../domain/around/reports/range.ts";
import { localDay, type Seconds, startOfDay } from "../../../../domain/core/time/time.ts";
import type { Cell } from "../../../../wire/report-columns.ts";
import type { Report } from "../../../../wire/report.ts";
import { reports } from "../../../../wire/reports.ts";

/** Query values; undefined: absent, null: explicitly none. */
export type Values = Readonly<Record<string, unknown>>;
/** Stacked measures of a row, or rows by a column's values. */
export type Series =
  { readonly measures: readonly string[]; readonly down?: readonly string[] } | { readonly by: string };

export type Picture =
  /** A bar for each day or month. */
  | { readonly kind: "time"; readonly step: Step; readonly series: Series }
  /** A bar for each row, if few enough to be named. */
  | { readonly kind: "rows"; readonly series: Series }
  /** No chart: the order says it. */
  | { readonly kind: "none" }
  /** A bar for each column, rows stacked. */
  | { readonly kind: "columns"; readonly columns: readonly string[] }
  /** By hours or minutes. */
  | { readonly kind: "areas"; readonly step: Seconds; readonly by: string | null };

/** Groups of reports, in the order of the overview. */
export const reportGroups = ["money", "subscribers", "network", "cards"] as const;
type ReportGroup = (typeof reportGroups)[number];

/** How a report is shown; filters, columns and kinds are the report's. */
export interface Look {
  readonly report: Report;
  readonly group: ReportGroup;
  readonly fields: Fields;
  /** The query of the chart, and of the table unless `by` differs. */
  readonly picked: (values: Values) => Values;
  readonly listed?: (values: Values) => Values;
  /** Columns that the table groups by. */
  readonly by: (values: Values) => readonly string[];
  /** The figure that it is about, possibly a sum of columns. */
  readonly main: readonly string[];
  /** Columns that can be summed. */
  readonly sums: readonly string[];
  readonly picture: (values: Values) => Picture;
  /** Whether it can be compared. */
  readonly hasBeside: boolean;
  readonly ofRouters?: boolean;
  /** The main figure is a level: its maximum counts, not its sum. */
  readonly isLevel?: boolean;
  /** Colours a rise green and a fall red. */
  readonly moreIsGood?: boolean;
  readonly hidden?: readonly string[];
  readonly aside?: readonly string[];
  /** Columns whose numbers are codes with words. */
  readonly worded?: readonly string[];
  /** Defaults. */
  readonly usual?: Values;
  readonly limit?: number;
  /** Computed columns, whose kinds are in `kinds` here. */
  readonly derived?: (row: Readonly<Record<string, Cell>>) => Readonly<Record<string, Cell>>;
  /** The time of a report without a range filter. */
  readonly time?: (values: Values, now: Seconds) => Range;
}

const known = new Map(reports.map((report) => [report.name, report]));

function requireReport(name: string): Report {
  const report = known.get(name);
  if (!report) throw new Error(`there is no report ${name}`);
  return report;
}

const per = oneOf("day", "month");
const readStep = ({ per: step }: Values): Step => (step === "month" ? "month" : "day");
const same = (values: Values) => values;

/** Grouping columns. */
const groupColumns = (by: unknown): string[] =>
  by === "method" ? ["method"] : typeof by === "string" ? [`${by}_id`, by] : [];

function sumsLook(
  name: string,
  { usual, main, sums }: { usual: Dimension; main: string; sums: readonly string[] },
): Look {
  const report = requireReport(name);
  const divisions = dimensions.filter(
    (one) => one !== "day" && one !== "month" && report.filters["by"]?.read(one) !== undefined,
  );
  return {
    report,
    group: "money",
    fields: {
      per,
      by: oneOf(...divisions),
      ...without(report.filters, ["by"]),
    },
    picked: (values) => ({ ...values, by: [readStep(values), ...(values["by"] ? [values["by"]] : [])] }),
    by: (values) => (values["by"] ? groupColumns(values["by"]) : [readStep(values)]),
    main: [main],
    sums,
    picture: (values) => ({
      kind: "time",
      step: readStep(values),
      series: typeof values["by"] === "string" ? { by: values["by"] } : { measures: [main] },
    }),
    hasBeside: true,
    moreIsGood: true,
    usual: { by: usual },
  };
}

function withAside(look: Look, kinds: Report["kinds"]): Look {
  const report = { ...look.report, kinds: { ...look.report.kinds, ...kinds } };
  return { ...look, report, aside: Object.keys(kinds) };
}

const ages = ["days_0_30", "days_31_60", "days_61_90", "over_90"];
const bytes = ["output_octets", "input_octets"];

export const looks: readonly Look[] = [
  withAside(
    sumsLook("sales", {
      usual: "package",
      main: "net",
      sums: ["sales", "sold", "unused", "voided", "net"],
    }),
    { active_now: "count", price: "amount" },
  ),
  sumsLook("collections", {
    usual: "method",
    main: "net",
    sums: ["payments", "taken", "reversed", "refunded", "net", "by_resellers"],
  }),
  {
    ...ranged("tax", {
      group: "money",
      main: ["tax"],
      sums: ["invoices", "invoiced", "given_back", "gross", "tax_net", "tax"],
    }),
    by: () => ["month", "tax_name", "tax_percent"],
    picture: () => ({ kind: "time", step: "month", series: { measures: ["tax"] } }),
  },
  {
    ...standing("owed", {
      group: "money",
      main: ["owed"],
      sums: ["subscribers", "owed", ...ages],
    }),
    by: ({ by }) => (by ? ["id", "name"] : []),
    picture: () => ({ kind: "columns", columns: ages }),
  },
  {
    ...standing("debtors", {
      group: "money",
      main: ["owed"],
      sums: ["owed", ...ages],
    }),
    by: () => ["user_id"],
    picture: () => ({ kind: "none" }),
    limit: 100,
  },
  {
    ...withDerived(
      standing("expiring", {
        group: "subscribers",
        main: ["expiring"],
        sums: ["expiring", "need_money", "covered", "ready"],
      }),
      { ready: "count" },
      ({ expiring, need_money: short, covered }) => ({
        ready: Number(expiring) - Number(short) - Number(covered),
      }),
    ),
    hidden: ["auto_renew"],
    by: () => ["day"],
    picture: () => ({ kind: "time", step: "day", series: { measures: ["need_money", "covered", "ready"] } }),
    time: ({ days }, now) => ({ from: now, to: now + ((Number(days) || 14) - 1) * 86_400 }),
  },
  {
    ...ranged("renewals", {
      group: "subscribers",
      main: ["due"],
      sums: ["due", "renewed", "waiting", "lost"],
    }),
    by: () => ["month"],
    picture: () => ({
      kind: "time",
      step: "month",
      series: { measures: ["renewed", "waiting", "lost"] },
    }),
  },
  {
    ...ranged("growth", {
      group: "subscribers",
      main: ["joined"],
      sums: ["joined", "left"],
    }),
    moreIsGood: true,
    by: () => ["month"],
    picture: () => ({
      kind: "time",
      step: "month",
      series: { measures: ["joined", "left"], down: ["left"] },
    }),
  },
  {
    ...ranged("traffic", {
      group: "network",
      main: bytes,
      sums: bytes,
    }),
    by: ({ group }) => (group ? ["id", "name"] : ["period"]),
    picture: (values) => ({
      kind: "time",
      step: readStep(values),
      series: values["group"] ? { by: "name" } : { measures: bytes },
    }),
    usual: { per: "day" },
  },
  {
    ...standing("top_users", {
      group: "network",
      main: bytes,
      sums: bytes,
    }),
    by: () => ["user_id"],
    picture: () => ({ kind: "none" }),
    limit: 20,
    usual: { per: "month" },
    time: ({ per: step, from }, now) => periodAt(step === "day" ? "day" : "month", Number(from) || now),
  },
  {
    ...ranged("online", {
      group: "network",
      main: ["sessions"],
      sums: ["accepted", "rejected", "input_octets", "output_octets"],
    }),
    by: ({ group }) => (group === "nas" ? ["at", "nas_id"] : ["at"]),
    picture: ({ group, resolution }) => ({
      kind: "areas",
      step: resolution === "minute" ? 60 : 3600,
      by: group === "nas" ? "nas" : null,
    }),
    usual: { group: "isp", resolution: "hour" },
    ofRouters: true,
    isLevel: true,
    hasBeside: false,
  },
  {
    ...ranged("resellers", {
      group: "money",
      main: ["sold"],
      sums: ["sales", "sold", "commission", "taken", "cards", "topped_up", "wallet"],
    }),
    moreIsGood: true,
    by: () => ["reseller_id"],
    picture: () => ({ kind: "rows", series: { measures: ["sold"] } }),
  },
  {
    ...standing("card_stock", {
      group: "cards",
      main: ["unsold"],
      sums: [
        ...["unsold", "worth", "sold_cards", "in_use", "used_up"],
        ...["expired_unsold", "expired_worth", "expired_sold", "void_cards"],
      ],
    }),
    by: () => ["package_id"],
    picture: () => ({
      kind: "rows",
      series: { measures: ["unsold", "sold_cards", "in_use", "expired_unsold"] },
    }),
  },
  {
    ...ranged("cards", {
      group: "cards",
      main: ["sold_cards"],
      sums: ["made", "sold_cards", "used", "amount", "of_isp", "void_cards", "returned"],
    }),
    moreIsGood: true,
    picked: (values) => ({ ...values, by: "day" }),
    listed: same,
    by: ({ by }) => (by === "package" ? ["package_id"] : by === "seller" ? ["seller_id"] : ["day"]),
    picture: () => ({ kind: "time", step: "day", series: { measures: ["sold_cards"] } }),
    usual: { by: "day" },
  },
  {
    ...ranged("concessions", {
      group: "money",
      main: ["times"],
      sums: ["times", "hours", "amount"],
    }),
    by: () => ["id", "what"],
    picture: () => ({ kind: "rows", series: { by: "what" } }),
    usual: { by: "staff" },
  },
  {
    ...ranged("logins", {
      group: "network",
      main: ["logins"],
      sums: ["logins"],
    }),
    picked: (values) => ({ ...values, group: "day" }),
    listed: same,
    by: ({ group }) =>
      group === "day" ? ["day", "accepted"] : group === "reason" ? ["reason"] : ["nas_id", "reason"],
    picture: () => ({ kind: "time", step: "day", series: { by: "accepted" } }),
    usual: { group: "nas" },
    ofRouters: true,
    hidden: ["words"],
    worded: ["accepted"],
  },
];

function withDerived<L extends { readonly report: Report }>(
  look: L,
  kinds: Report["kinds"],
  derived: NonNullable<Look["derived"]>,
) {
  const report = { ...look.report, kinds: { ...look.report.kinds, ...kinds } };
  return { ...look, report, derived };
}

function standing(name: string, of: Pick<Look, "group" | "main" | "sums">) {
  const report = requireReport(name);
  return { ...of, report, fields: report.filters, picked: same, hasBeside: false };
}

function ranged(name: string, of: Pick<Look, "group" | "main" | "sums">) {
  return { ...standing(name, of), hasBeside: true };
}

function periodAt(step: Step, at: Seconds): Range {
  const day = localDay(at);
  if (step === "day") return { from: startOfDay(day), to: at };
  const first = startOfDay(day - (day % 100) + 1);
  return {
    from: first,
    to: startOfDay(localDay(first + 32 * 86_400) - (localDay(first + 32 * 86_400) % 100) + 1) - 1,
  };
}

export function slugOf({ report: { name } }: Look): string {
  return name.replaceAll("_", "-");
}
