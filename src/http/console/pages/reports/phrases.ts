import { localDay } from "../../../../domain/core/time/time.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ReportQuery } from "./query.ts";
import { type Beside, rangeBeside } from "../../parts/periods.ts";

/** The time of a report: `1 to 15 January 2030`. */
export function rangeWords(
  { view: { format } }: StaffVisit,
  { from, to }: { from: number; to: number },
): string {
  return format.dayRange(localDay(from), localDay(to));
}

/** A comparison as an option: `December, same days`. */
export function besideWords(visit: StaffVisit, query: ReportQuery, kind: Beside): string {
  const { range, step } = query;
  const { beside, besideShort } = visit.view.words.reports;
  if (!range || range.to < range.from) return besideShort[kind];
  const name = besideName(visit, query, kind);
  return step === "month" ? name : beside[kind](name);
}

/** A comparison in short: `December`, `2029`, `17 – 31 December 2029`, `Feb 2028 – Jan 2029`. */
export function besideName(
  { view: { format } }: StaffVisit,
  { range, step }: ReportQuery,
  kind: Beside,
): string {
  if (!range) return "";
  const other = rangeBeside(range, kind, step);
  const [first, last] = [localDay(other.from), localDay(other.to)];
  if (step === "month") return format.monthRange(first, last);
  if (kind === "year" && Math.floor(first / 10_000) === Math.floor(last / 10_000))
    return String(first).slice(0, 4);
  const isOneMonth = Math.floor(first / 100) === Math.floor(last / 100);
  return isOneMonth && kind === "month" ? format.month(first) : format.dayRange(first, last);
}
