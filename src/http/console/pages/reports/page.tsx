import { faultsTold } from "../../attempt.ts";
import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Tabs } from "../../../pages/parts/tabs.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { FileButton } from "../../parts/list.tsx";
import { type ReportQuery, hrefWith, looksFor, REPORTS } from "./query.ts";
import { FilterBar } from "../../parts/filters.tsx";
import { buildFilters } from "./filters.tsx";
import { Head } from "./head.tsx";
import { slugOf } from "./looks.ts";
import { buildMatrix } from "./matrix.ts";
import { Picture } from "./picture.tsx";
import { isTime, type ReadReport } from "./read.ts";
import { rangeWords } from "./phrases.ts";
import { ReportTable, LISTED } from "./table.tsx";

interface PageProps {
  visit: StaffVisit;
  query: ReportQuery;
  /** The report, or its refusal. */
  read: ReadReport | DomainError;
}

export function ReportPage({ visit, query, read }: PageProps) {
  const { by, view } = visit;
  const { reports, places } = view.words;
  const { name } = query.look.report;
  const title = reports.tabs[name] ?? name;
  const tabs = looksFor(by)
    .filter(({ group }) => group === query.look.group)
    .map((look) => ({
      href: `${REPORTS}/${slugOf(look)}`,
      label: reports.tabs[look.report.name] ?? look.report.name,
      current: look === query.look,
    }));
  return (
    <Frame
      visit={visit}
      place="reports"
      title={`${title} · ${places.reports}`}
      back={{ href: REPORTS, label: places.reports }}
    >
      <div class="page-head">
        <h1>{title}</h1>
        <span class="hint">{countedWords(visit, query)}</span>
        <div class="actions">
          <button type="button" class="button quiet" data-print hidden>
            <Icon name="print" />
            <span>{reports.print}</span>
          </button>
          {!(read instanceof DomainError) && <FileButton visit={visit} href={`${query.path}.csv`} />}
        </div>
      </div>
      <Tabs label={reports.groups[query.look.group]} tabs={tabs} />
      <div class="stack report">
        <FilterBar visit={visit} filters={buildFilters(visit, query, joinFaults(visit, query, read))} />
        {read instanceof DomainError ? (
          <p class="fault" role="alert">
            {faultWords(visit, query, read)}
          </p>
        ) : (
          <Content visit={visit} query={query} read={read} />
        )}
      </div>
    </Frame>
  );
}

function Content({ visit, query, read }: { visit: StaffVisit; query: ReportQuery; read: ReadReport }) {
  const { reports } = visit.view.words;
  const { look } = query;
  if (read.rows.length === 0)
    return (
      <section class="card">
        <Empty icon="chart" title={reports.empty} text={reports.belongs[look.report.name] ?? ""}>
          {visit.query.size > 0 && <Button href={query.path}>{reports.clear}</Button>}
        </Empty>
      </section>
    );
  const matrix = buildMatrix(query, read);
  const { total } = read;
  const isSummed =
    look.listed === undefined &&
    !look.by(query.values).some(isTime) &&
    look.picture(query.values).kind === "time";
  return (
    <>
      <section class="card">
        <Head visit={visit} query={query} read={read} />
        <Picture visit={visit} query={query} read={read} matrix={matrix} />
      </section>
      <ReportTable visit={visit} query={query} read={read} matrix={matrix} />
      <p class="hint">
        {total && `${reports.firstOf(read.rows.length, total.count, total.isMore)} `}
        {read.rows.length > LISTED && `${reports.firstOnly(LISTED, read.rows.length)} `}
        {reports.about[look.report.name]}{" "}
        {isSummed && (
          <a class="no-print" href={hrefWith(query, visit.query, { each: "1" }, ".csv")}>
            {reports.eachFile[query.step]}
          </a>
        )}
      </p>
    </>
  );
}

/** `1 to 15 January 2030, counted at 14:32`. */
function countedWords(visit: StaffVisit, query: ReportQuery): string {
  const { format, words } = visit.view;
  const counted = words.reports.counted(format.timeOfDay(visit.now));
  const { range } = query;
  return range && range.from <= range.to
    ? `${rangeWords(visit, range)}${words.list.comma}${counted}`
    : counted;
}

/** Faults by field. */
function joinFaults(
  { view }: StaffVisit,
  { faults }: ReportQuery,
  read: ReadReport | DomainError,
): FieldErrors {
  const own = faultsTold(view, faults);
  return read instanceof DomainError ? { ...read.fields, ...own } : own;
}

function faultWords(visit: StaffVisit, query: ReportQuery, refusal: DomainError): string {
  const { view } = visit;
  const all = joinFaults(visit, query, refusal);
  const words = Object.entries(all).map(
    ([field, messages]) =>
      `${view.words.reports.labels[field] ?? field}${view.words.list.colon}${messages[0] ?? ""}`,
  );
  return words.length === 0 ? refusal.message : words.join(". ");
}
