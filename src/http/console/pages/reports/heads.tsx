import type { Column } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sortedBy } from "../../parts/sorting.ts";
import type { ReportQuery } from "./query.ts";
import { isFigure } from "./cells.ts";
import type { ReadReport } from "./read.ts";

interface HeadsProps {
  visit: StaffVisit;
  query: ReportQuery;
}

export function columnHead({ visit, query, read }: HeadsProps & { read: ReadReport }, name: string): Column {
  const { reports } = visit.view.words;
  const { look, values } = query;
  const plain = look.worded?.includes(name) === true ? reports.decision : (reports.columns[name] ?? name);
  const word = name === "name" ? nameHead(query, reports) : plain;
  const { kinds } = look.report;
  const [main = ""] = look.main;
  const isStated = kinds[name] === "amount" && (name === main || kinds[main] !== "amount");
  const title = isStated
    ? `${word}${visit.view.words.list.comma}${visit.view.format.currencySign(read.currency)}`
    : word;
  return sorting({ visit, query }, name, {
    title,
    end: isFigure(look, name),
    low: isLow(look.main, name, isFigure(look, name), values),
  });
}

function nameHead({ look, values }: ReportQuery, { columns }: Words): string {
  const by = values["group"] === "seller" ? "salesperson" : (values["group"] ?? values["by"]);
  const isAboutPeople = look.report.name === "debtors" || look.report.name === "top_users";
  return (isAboutPeople ? undefined : columns[String(by)]) ?? columns["name"] ?? "";
}

type Words = StaffVisit["view"]["words"]["reports"];

/** Whether a column is hidden where there is little room. */
export function isLow(
  main: readonly string[],
  name: string,
  figure: boolean,
  values: ReportQuery["values"],
): boolean {
  if (main.includes(name) || !figure)
    return name === "username" || (name === "mobile" && values !== undefined);
  return [
    "sold",
    "unused",
    "voided",
    "taken",
    "reversed",
    "refunded",
    "credit_limit",
    "sessions_most",
    "active_now",
    "price",
  ].includes(name);
}

/** Sorts descending first. */
export const sorting = ({ visit, query }: HeadsProps, name: string, column: Column): Column => ({
  ...column,
  ...sortedBy({ path: query.path, query: visit.query }, name, { first: "-" }),
});

/** Columns of the compared time. */
export function besideHeads(props: HeadsProps, name: string): Column[] {
  const { reports } = props.visit.view.words;
  return [
    sorting(props, "before", { title: name, end: true, low: true }),
    sorting(props, "difference", { title: reports.difference, end: true }),
  ];
}
