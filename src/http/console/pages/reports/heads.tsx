import type { Column } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import { type AskedReport, hrefWith } from "./asked.ts";
import { isFigure } from "./cells.ts";
import type { ReadReport } from "./read.ts";

interface HeadsProps {
  visit: StaffVisit;
  asked: AskedReport;
}

/** The head of a column of the report, which sorts by it. */
export function headOf({ visit, asked, read }: HeadsProps & { read: ReadReport }, name: string): Column {
  const { reports } = visit.view.words;
  const { look, values } = asked;
  const plain = look.worded?.includes(name) === true ? reports.decision : (reports.columns[name] ?? name);
  const word = name === "name" ? nameHead(asked, reports) : plain;
  const { kinds } = look.report;
  const [main = ""] = look.main;
  const isSaid = kinds[name] === "amount" && (name === main || kinds[main] !== "amount");
  const title = isSaid ? `${word}, ${visit.view.format.currencySign(read.currency)}` : word;
  return sorting({ visit, asked }, name, {
    title,
    end: isFigure(look, name),
    low: isLow(look.main, name, isFigure(look, name), values),
  });
}

function nameHead({ look, values }: AskedReport, { columns }: Words): string {
  const by = values["group"] === "seller" ? "salesperson" : (values["group"] ?? values["by"]);
  const isOfPeople = look.report.name === "debtors" || look.report.name === "top_users";
  return (isOfPeople ? undefined : columns[String(by)]) ?? columns["name"] ?? "";
}

type Words = StaffVisit["view"]["words"]["reports"];

/** Of little worth where there is little room. */
export function isLow(
  main: readonly string[],
  name: string,
  figure: boolean,
  values: AskedReport["values"],
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

/** A head that sorts by its column, the other way when it does already. */
export function sorting({ visit, asked }: HeadsProps, name: string, column: Column): Column {
  const { sort } = asked;
  const isDown = sort === `-${name}`;
  const href = hrefWith(asked, visit.query, { sort: isDown ? name : `-${name}` });
  return { ...column, href, sorted: isDown ? "descending" : sort === name ? "ascending" : undefined };
}

/** Those of the time beside. */
export function besideHeads(props: HeadsProps, name: string): Column[] {
  const { reports } = props.visit.view.words;
  return [
    sorting(props, "before", { title: name, end: true, low: true }),
    sorting(props, "difference", { title: reports.difference, end: true }),
  ];
}
