import { parseTime } from "../../../../domain/core/time/time.ts";
import type { Cell } from "../../../../wire/report-columns.ts";
import type { StaffVisit } from "../../guard.ts";
import { reasonName } from "../../parts/phrases.ts";
import type { Look } from "./looks.ts";
import type { ReadReport, Row } from "./read.ts";

export function formatFigure(
  { view: { format } }: StaffVisit,
  { report: { kinds } }: Look,
  column: string,
  value: number,
): string {
  const kind = kinds[column];
  if (kind === "amount") return format.amount(value);
  return kind === "octets" ? format.bytes(value) : format.number(value);
}

export function formatSum(
  visit: StaffVisit,
  look: Look,
  column: string,
  value: number,
  currency: string,
): string {
  const isMoney = look.report.kinds[column] === "amount";
  return isMoney ? visit.view.format.sum(value, currency) : formatFigure(visit, look, column, value);
}

export function cellWords(visit: StaffVisit, column: string, value: Cell): string {
  const { format, words } = visit.view;
  const { reports, pay } = words;
  if (value === null || value === "") return reports.nobody[column] ?? reports.nothing;
  const text = String(value);
  switch (column) {
    case "day":
    case "month":
    case "period":
      return periodWords(visit, Number(text.replaceAll("-", "")));
    case "at":
      return format.time(parseTime(text) ?? 0);
    case "since":
      return format.date(parseTime(text) ?? 0);
    case "method":
      return pay.methodName(text);
    case "what":
      return reports.concessions[text] ?? text;
    case "kind":
      return reports.cardKinds[text] ?? text;
    case "reason":
      return reasonName(visit.view, text);
    case "accepted":
      return text === "1" ? reports.letIn : reports.rejected;
    default:
      return text;
  }
}

/** 20260131 is a local day, 202601 a month. */
export function periodWords({ view: { format } }: StaffVisit, period: number): string {
  return period > 999_999 ? format.weekday(period) : format.yearMonth(period);
}

export function isVisible({ hidden = [] }: Look, column: string): boolean {
  return !/(?:^|_)id$/.test(column) && !["isp", "currency", ...hidden].includes(column);
}

/** Columns of the table without empty ones and repetitions of the main figure. */
export function visibleColumns(
  look: Look,
  { columns, rows }: Pick<ReadReport, "columns" | "rows">,
): string[] {
  const [main = ""] = look.main;
  const isUnknown = (name: string) => rows.every(({ row }) => (row[name] ?? null) === null);
  const isEmpty = (name: string) => rows.every(({ row }) => row[name] === 0);
  const isSame = (name: string) => rows.every(({ row }) => row[name] === row[main]);
  const isMoney = (name: string) => look.report.kinds[name] === "amount";
  return columns.filter(
    (name) =>
      isVisible(look, name) &&
      look.aside?.includes(name) !== true &&
      !(name === "accepted" && columns.includes("reason")) && // which says it too
      !(isFigure(look, name) && isUnknown(name)) &&
      (look.main.includes(name) ||
        !look.sums.includes(name) ||
        !isMoney(name) ||
        !(isEmpty(name) || isSame(name))),
  );
}

/** Whether a column has figures, which stand at the end. */
export function isFigure({ report: { kinds }, worded = [] }: Look, column: string): boolean {
  return ["count", "amount", "octets"].includes(kinds[column] ?? "text") && !worded.includes(column);
}

export function rowName(visit: StaffVisit, look: Look, row: Row, columns: readonly string[]): string {
  const column = columns.find((name) => isVisible(look, name) && !isFigure(look, name));
  return column === undefined ? visit.view.words.reports.all : cellWords(visit, column, row[column] ?? null);
}
