import { startOfDay, parseTime } from "../../../../domain/core/time/time.ts";
import { Bars, type Bar } from "../../../pages/charts/bars.tsx";
import { PlotKeys, type Tone } from "../../../pages/charts/plot.tsx";
import { StackedAreas } from "../../../pages/charts/stacked-areas.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ReportQuery } from "./query.ts";
import { cellWords, formatFigure, formatSum, isVisible, periodWords, rowName } from "./cells.ts";
import { findLink } from "./links.ts";
import { type DrawnBar, type DrawnSeries, type Matrix } from "./matrix.ts";
import { type ReadReport, sumMain } from "./read.ts";
import { besideName } from "./phrases.ts";

interface PictureProps {
  visit: StaffVisit;
  query: ReportQuery;
  read: ReadReport;
}

export function Picture({ visit, query, read, matrix }: PictureProps & { matrix: Matrix | undefined }) {
  if (!matrix) return <Areas visit={visit} query={query} read={read} />;
  const { look } = query;
  const column = look.main[0] ?? "";
  const names = matrix.series.map((series) => seriesName(visit, query, series));
  const before = query.beside && besideName(visit, query, query.beside.kind);
  const bars = matrix.bars.map((bar) => toBar({ visit, query, read }, bar, { matrix, names }));
  return (
    <>
      {(names.length > 1 || before !== undefined) && (
        <PlotKeys
          keys={[
            ...matrix.series.map(({ tone }, index) => ({ mark: tone, text: names[index] ?? "" })),
            ...(before === undefined ? [] : [{ mark: "tick" as const, text: before }]),
          ]}
        />
      )}
      <Bars
        description={visit.view.words.reports.drawing(visit.view.words.reports.tabs[look.report.name] ?? "")}
        series={matrix.series.map(({ tone }, index) => ({ name: names[index] ?? "", tone }))}
        {...(before !== undefined && { before })}
        bars={bars}
        value={(value) => formatAxis(visit, query, value)}
        exact={(value) => formatFigure(visit, look, column, value)}
        least={look.report.kinds[column] === "amount" ? 100 : 1}
        lines={4}
        caption={describeBars(bars, matrix)}
        words={{ ...visit.view.words.today.charts, when: visit.view.words.reports.when }}
      />
    </>
  );
}

function describeBars(bars: readonly Bar[], { bars: drawn }: Matrix): string {
  const whole = ({ values }: Bar) => values.reduce((sum, value) => sum + value, 0);
  const isByTime = drawn[0]?.period !== undefined;
  const largest = bars.toSorted((a, b) => whole(b) - whole(a))[0];
  return (isByTime ? bars.findLast((bar) => whole(bar) !== 0) : largest)?.says ?? "";
}

/** A figure at the axis; amounts are rounded, without cents. */
function formatAxis(visit: StaffVisit, { look }: ReportQuery, value: number): string {
  const column = look.main[0] ?? "";
  if (look.report.kinds[column] === "amount") return visit.view.format.amount(value, { round: true });
  return formatFigure(visit, look, column, value);
}

function seriesName(visit: StaffVisit, query: ReportQuery, { key }: DrawnSeries): string {
  const { reports } = visit.view.words;
  const picture = query.look.picture(query.values);
  if (key === null) return reports.others;
  if (picture.kind === "columns") return key === "" ? reports.all : String(key);
  if (picture.kind === "areas" || picture.kind === "none") return String(key);
  if ("measures" in picture.series) return reports.columns[String(key)] ?? String(key);
  const group = picture.series.by === "name" ? String(query.values["group"] ?? "name") : picture.series.by;
  return cellWords(visit, key === "" ? group : picture.series.by, key);
}

function toBar(
  { visit, query, read }: PictureProps,
  bar: DrawnBar,
  { matrix, names }: { matrix: Matrix; names: readonly string[] },
): Bar {
  const { look, beside } = query;
  const { reports } = visit.view.words;
  const column = look.main[0] ?? "";
  const main = bar.values.reduce((sum, value) => sum + value, 0);
  const head = barHead(visit, query, read, bar);
  const whole = formatSum(visit, look, column, main, read.currency);
  const isMany = matrix.bars.length > DETAILED;
  const parts = matrix.series.flatMap((_, index) => {
    const value = Math.abs(bar.values[index] ?? 0);
    return value === 0 || matrix.series.length < 2 || isMany
      ? []
      : [`${visit.view.format.name(names[index] ?? "")} ${formatFigure(visit, look, column, value)}`];
  });
  const then =
    beside && bar.before !== undefined
      ? reports.besideBar(
          besideName(visit, query, beside.kind),
          formatFigure(visit, look, column, bar.before),
        )
      : "";
  const row = bar.period === undefined ? bar.row : { [query.step]: written(bar.period) };
  const href = findLink(visit, query, row, column) ?? findLink(visit, query, row, "name");
  return {
    label: bar.period === undefined ? cut(head) : periodLabel(visit, bar.period),
    head,
    values: bar.values,
    ...(bar.before !== undefined && { before: bar.before }),
    ...(main !== 0 && !isMany && { pointed: formatAxis(visit, query, main) }),
    says: `${head}${visit.view.words.list.colon}${whole}${then}. ${parts.join(" · ")}`.trim(),
    ...(href !== undefined && { href }),
    isNow: bar.period !== undefined && isNow(visit, bar.period),
  };
}

function barHead(
  visit: StaffVisit,
  { look }: ReportQuery,
  { columns }: ReadReport,
  { period, row }: DrawnBar,
): string {
  if (period !== undefined) return periodWords(visit, period);
  if (row["column"]) return visit.view.words.reports.columns[String(row["column"])] ?? "";
  const named = columns.filter((name) => isVisible(look, name) && name !== "username");
  return rowName(visit, look, row, named);
}

/** Bars above whose number one tells only its sum. */
const DETAILED = 93;

function cut(name: string): string {
  return name.length > 14 ? `${name.slice(0, 13)}…` : name;
}

function periodLabel({ view: { format } }: StaffVisit, period: number): string {
  return period > 999_999 ? format.number(period % 100) : format.shortMonth(period);
}

function isNow({ now }: StaffVisit, period: number): boolean {
  const [first, next] = period > 999_999 ? [period, undefined] : [period * 100 + 1, period];
  if (next === undefined) return startOfDay(first) <= now && now < startOfDay(first) + 86_400;
  return startOfDay(first) <= now && now < startOfDay(first) + 28 * 86_400;
}

/** 20260131 as 2026-01-31. */
function written(period: number): string {
  return String(period).replace(/^(\d{4})(\d\d)(\d\d)?$/, (_, year, month, day) =>
    [year, month, ...(day === undefined ? [] : [day])].join("-"),
  );
}

const TONES: readonly Tone[] = ["s1", "s2", "s3", "s4", "s5"];
/** More samples than pixels show nothing. */
const SAMPLES = 750;

function Areas({ visit, query, read }: PictureProps) {
  const { view } = visit;
  const { format, words } = view;
  const { look, range, values } = query;
  const picture = look.picture(values);
  if (picture.kind !== "areas" || !range) return null;
  const each = Math.max(1, Math.ceil((range.to - range.from) / picture.step / SAMPLES)) * picture.step;
  const first = Math.ceil(range.from / each) * each;
  const times: number[] = [];
  for (let at = first; at <= range.to; at += each) times.push(at);
  const series = new Map<string, Map<number, number>>();
  for (const row of read.drawn) {
    const name = picture.by === null ? words.reports.columns["sessions"] : row[picture.by];
    const at = parseTime(String(row["at"])) ?? 0;
    const samples = series.getOrInsertComputed(String(name ?? words.reports.nothing), () => new Map());
    samples.set(Math.floor(at / each) * each, sumMain(look, row));
  }
  const most = (samples: Map<number, number>) => Math.max(...samples.values());
  const visible = [...series].toSorted((a, b) => most(b[1]) - most(a[1])).slice(0, TONES.length);
  return (
    <StackedAreas
      description={words.reports.drawing(words.reports.tabs["online"] ?? "")}
      times={times}
      series={visible.map(([name, samples], index) => ({
        name,
        tone: TONES[index] ?? "rest",
        values: times.map((at) => samples.get(at) ?? null),
        now: format.number([...samples.values()].at(-1) ?? 0),
      }))}
      format={{
        value: (value) => format.number(value),
        clock: (at) => format.timeOfDay(at),
        date: (at) => format.shortDay(at),
        time: (at) => format.weekTime(at),
      }}
      words={{ ...words.today.charts, when: words.reports.when }}
    />
  );
}
