import type { StaffVisit } from "../../guard.ts";
import type { ReportQuery } from "./query.ts";
import { formatFigure, visibleColumns, formatSum } from "./cells.ts";
import { type ReadReport, type Row, sumMain } from "./read.ts";
import { countBars } from "../../parts/periods.ts";
import { besideWords } from "./phrases.ts";
import { changeTone, Difference } from "./table.tsx";

interface HeadProps {
  visit: StaffVisit;
  query: ReportQuery;
  read: ReadReport;
}

export function Head({ visit, query, read }: HeadProps) {
  const { look, beside, step, range } = query;
  const { format, words } = visit.view;
  const { reports } = words;
  const column = look.main[0] ?? "";
  const isMoney = look.report.kinds[column] === "amount";
  const main = sumWhole(query, read.drawn, read);
  const before = beside ? sumWhole(query, read.drawnBefore) : undefined;
  // shown once: per currency where the total is no money
  const other = (name: string, value: number) =>
    isMoney ? formatFigure(visit, look, name, value) : formatSum(visit, look, name, value, read.currency);
  const figure = (value: number) => formatFigure(visit, look, column, value);
  const others = visibleColumns(look, read).filter(
    (name) => look.sums.includes(name) && !look.main.includes(name),
  );
  const isDaily =
    look.picture(query.values).kind === "time" && range !== undefined && look.time === undefined;
  return (
    <dl>
      <div>
        <dt>{reports.whole[look.report.name] ?? reports.columns[column]}</dt>
        <dd>
          {isMoney && <span class="unit">{format.currencySign(read.currency)} </span>}
          {figure(main)}
        </dd>
      </div>
      {beside && before !== undefined && (
        <>
          <Fact label={besideWords(visit, query, beside.kind)}>{figure(before)}</Fact>
          <Fact label={reports.difference} tone={changeTone(look, main - before)}>
            <bdi>{signed(figure, main - before)}</bdi>
          </Fact>
          <Fact label={reports.inPercent}>
            <Difference visit={visit} look={look} main={main} before={before} />
          </Fact>
        </>
      )}
      {isDaily && <Fact label={reports.each[step]}>{figure(Math.round(main / countBars(range, step)))}</Fact>}
      {others.map((name) => {
        const value = read.rows.reduce((sum, { row }) => sum + Number(row[name] ?? 0), 0);
        return value !== 0 && <Fact label={reports.columns[name] ?? name}>{other(name, value)}</Fact>;
      })}
    </dl>
  );
}

function Fact({ label, tone = "", children }: { label: string; tone?: string; children: unknown }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd class={tone}>{children}</dd>
    </div>
  );
}

/** The total; of levels the highest. */
function sumWhole({ look }: ReportQuery, drawn: readonly Row[], read?: ReadReport): number {
  if (look.isLevel !== true) {
    const rows = ["rows", "columns", "none"].includes(look.picture({}).kind)
      ? read?.rows.map(({ row }) => row)
      : drawn;
    return (rows ?? drawn).reduce((sum, row) => sum + sumMain(look, row), 0);
  }
  const levels = new Map<unknown, number>();
  for (const row of drawn) levels.set(row["at"], (levels.get(row["at"]) ?? 0) + sumMain(look, row));
  return Math.max(0, ...levels.values());
}

function signed(figure: (value: number) => string, value: number): string {
  if (value === 0) return figure(0);
  return `${value < 0 ? "\u2212" : "+"}${figure(Math.abs(value))}`;
}
