import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Tabs } from "../../../pages/parts/tabs.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { type AskedReport, hrefWith, looksFor, REPORTS } from "./asked.ts";
import { Filters } from "./filters.tsx";
import { Head } from "./head.tsx";
import { slugOf } from "./looks.ts";
import { matrixOf } from "./matrix.ts";
import { Picture } from "./picture.tsx";
import { isTime, type ReadReport } from "./read.ts";
import { rangeWords } from "./said.ts";
import { ReportTable, SHOWN } from "./table.tsx";

interface PageProps {
  visit: StaffVisit;
  asked: AskedReport;
  /** What it says, or why it says nothing. */
  read: ReadReport | DomainError;
}

/** One report: what it is of, the sum, the picture, the table. */
export function ReportPage({ visit, asked, read }: PageProps) {
  const { by, view } = visit;
  const { reports, places } = view.words;
  const { name } = asked.look.report;
  const title = reports.tabs[name] ?? name;
  const tabs = looksFor(by)
    .filter(({ group }) => group === asked.look.group)
    .map((look) => ({
      href: `${REPORTS}/${slugOf(look)}`,
      label: reports.tabs[look.report.name] ?? look.report.name,
      current: look === asked.look,
    }));
  return (
    <Frame
      {...{ visit, place: "reports" }}
      title={`${title} · ${places.reports}`}
      back={{ href: REPORTS, label: places.reports }}
    >
      <div class="page-head">
        <h1>{title}</h1>
        <span class="hint">{countedWords(visit, asked)}</span>
        <div class="actions">
          <button type="button" class="button quiet" data-print hidden>
            <Icon name="print" />
            <span>{reports.print}</span>
          </button>
          {!(read instanceof DomainError) && (
            <Button href={hrefWith(asked, visit.query, {}, ".csv")} icon="download">
              {reports.csv}
            </Button>
          )}
        </div>
      </div>
      <Tabs label={reports.groups[asked.look.group]} tabs={tabs} />
      <div class="stack report">
        <Filters visit={visit} asked={asked} faults={faultsOf(asked, read)} />
        {read instanceof DomainError ? (
          <p class="fault" role="alert">
            {faultWords(visit, asked, read)}
          </p>
        ) : (
          <Content visit={visit} asked={asked} read={read} />
        )}
      </div>
    </Frame>
  );
}

function Content({ visit, asked, read }: { visit: StaffVisit; asked: AskedReport; read: ReadReport }) {
  const { reports } = visit.view.words;
  const { look } = asked;
  if (read.rows.length === 0)
    return (
      <section class="card">
        <Empty icon="chart" title={reports.empty} text={reports.belongs[look.report.name] ?? ""}>
          {visit.query.size > 0 && <Button href={asked.path}>{reports.clear}</Button>}
        </Empty>
      </section>
    );
  const matrix = matrixOf(asked, read);
  const { format } = visit.view;
  const { total } = read;
  const isSummed =
    look.listed === undefined &&
    !look.by(asked.values).some(isTime) &&
    look.picture(asked.values).kind === "time";
  return (
    <>
      <section class="card report-card">
        <Head visit={visit} asked={asked} read={read} />
        <Picture visit={visit} asked={asked} read={read} matrix={matrix} />
      </section>
      <ReportTable visit={visit} asked={asked} read={read} matrix={matrix} />
      <p class="hint report-notes">
        {total &&
          `${reports.firstOf(format.number(read.rows.length), format.number(total.count), total.isMore)} `}
        {read.rows.length > SHOWN &&
          `${reports.firstOnly(format.number(SHOWN), format.number(read.rows.length))} `}
        {reports.about[look.report.name]}{" "}
        {isSummed && (
          <a href={hrefWith(asked, visit.query, { each: "1" }, ".csv")}>{reports.eachFile[asked.step]}</a>
        )}
      </p>
    </>
  );
}

/** `1 to 15 January 2030, counted at 14:32`. */
function countedWords(visit: StaffVisit, asked: AskedReport): string {
  const { format, words } = visit.view;
  const counted = words.reports.counted(format.timeOfDay(visit.now));
  const { range } = asked;
  return range && range.from <= range.to ? `${rangeWords(visit, range)}, ${counted}` : counted;
}

/** What is wrong with what was asked, by the names of fields. */
function faultsOf({ faults }: AskedReport, read: ReadReport | DomainError): FieldErrors {
  return read instanceof DomainError ? { ...read.fields, ...faults } : faults;
}

function faultWords({ view }: StaffVisit, asked: AskedReport, refusal: DomainError): string {
  const all = faultsOf(asked, refusal);
  const said = Object.entries(all).map(
    ([field, messages]) => `${view.words.reports.labels[field] ?? field}: ${messages[0] ?? ""}`,
  );
  return said.length === 0 ? refusal.message : said.join(". ");
}
