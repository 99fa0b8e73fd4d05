import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import type { Row } from "../../../../wire/report.ts";
import { formatMinor } from "../../../../domain/core/amounts/money.ts";
import { file } from "../../../list.ts";
import { page } from "../../answers.tsx";
import { type ConsoleRoute, type StaffVisit, staffPage } from "../../guard.ts";
import { type ReportQuery, reportQuery, REPORTS } from "./query.ts";
import { ReportIndex } from "./index.tsx";
import { type Look, looks, slugOf } from "./looks.ts";
import { ReportPage } from "./page.tsx";
import { readEach, readReport } from "./read.ts";

export const reportsPageRoutes: readonly ConsoleRoute[] = [
  staffPage(REPORTS, (visit) => {
    requireFlag(visit.by, "report_view");
    return page(visit, <ReportIndex visit={visit} />);
  }),
  ...looks.flatMap((look) => [
    staffPage(`${REPORTS}/${slugOf(look)}`, (visit) => show(visit, look)),
    staffPage(`${REPORTS}/${slugOf(look)}.csv`, (visit) => asFile(visit, look)),
  ]),
];

async function show(visit: StaffVisit, look: Look): Promise<Response> {
  const query = reportQuery(visit, look);
  const read = await readFaultless(visit, query);
  if (read instanceof DomainError && read.kind !== "invalid") throw read;
  const status = read instanceof DomainError ? 400 : 200;
  return page(visit, <ReportPage visit={visit} query={query} read={read} />, { status });
}

async function asFile(visit: StaffVisit, look: Look): Promise<Response> {
  const query = reportQuery(visit, look);
  const read = await readFaultless(visit, query);
  if (read instanceof DomainError) throw read;
  if (visit.query.has("each")) {
    const { columns, rows } = readEach(visit, query);
    return file(slugOf(look), columns, [rows].values());
  }
  const { kinds } = look.report;
  const rows = read.rows.map(({ row }): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        kinds[name] === "amount" && typeof value === "number" ? formatMinor(value) : value,
      ]),
    ),
  );
  const derived = look.derived?.({}) ?? {};
  const columns = read.columns.filter((name) => !Object.hasOwn(derived, name)); // those of the API
  return file(slugOf(look), columns, [rows].values());
}

async function readFaultless(visit: StaffVisit, query: ReportQuery) {
  requireFlag(visit.by, "report_view");
  const { faults } = query;
  const names = Object.keys(faults);
  return names.length > 0
    ? new DomainError("invalid", phrase`check ${names.join(", ")}`, { fields: faults })
    : readReport(visit, query);
}
