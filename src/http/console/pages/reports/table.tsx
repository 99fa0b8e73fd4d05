import type { Child } from "hono/jsx";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Swatch } from "../../../pages/parts/swatch.tsx";
import { type Column, Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ReportQuery } from "./query.ts";
import { cellWords, formatFigure, isFigure, visibleColumns } from "./cells.ts";
import { besideHeads, columnHead, isLow, sorting } from "./heads.tsx";
import { findLink } from "./links.ts";
import type { Matrix } from "./matrix.ts";
import type { Look } from "./looks.ts";
import { isTime, type ReadReport, type Row, type TableRow } from "./read.ts";
import { besideName } from "./phrases.ts";

export const LISTED = 200;

interface TableProps {
  visit: StaffVisit;
  query: ReportQuery;
  read: ReadReport;
  /** For the colours of rows. */
  matrix: Matrix | undefined;
}

export function ReportTable({ visit, query, read, matrix }: TableProps) {
  const { look } = query;
  const { reports } = visit.view.words;
  const visible = visibleColumns(look, read);
  const aside = asideColumns(look, read);
  const total = read.rows.reduce((sum, { main }) => sum + Math.max(0, main), 0);
  const most = Math.max(0, ...read.rows.map(({ main }) => main));
  const tones = rowTones(query, read, matrix);
  const heads: Column[] = [
    ...visible.map((name) => columnHead({ visit, query, read }, name)),
    ...(look.main.length > 1 ? [sorting({ visit, query }, "main", { title: reports.sum, end: true })] : []),
    ...(hasShare(query, read) ? [{ title: reports.share, low: true }] : []),
    ...(query.beside ? besideHeads({ visit, query }, besideName(visit, query, query.beside.kind)) : []),
    ...aside.map((name) => columnHead({ visit, query, read }, name)),
  ];
  return (
    <Table
      caption={reports.tabs[look.report.name] ?? ""}
      columns={heads}
      kind="short-rows"
      foot={
        read.rows.length > 1 &&
        look.sums.length > 0 && <Totals visit={visit} query={query} read={read} matrix={matrix} />
      }
    >
      {read.rows.slice(0, LISTED).map((one) => (
        <tr>
          {visible.map((name, index) => (
            <Cell
              visit={visit}
              query={query}
              row={one.row}
              name={name}
              isLead={index === leadIndex(query, visible)}
            >
              {index === leadIndex(query, visible) && <Square tone={tones.get(toneKey(query, one.row))} />}
            </Cell>
          ))}
          {look.main.length > 1 && (
            <td class="end sum">{formatFigure(visit, look, look.main[0] ?? "", one.main)}</td>
          )}
          {hasShare(query, read) && (
            <Share
              visit={visit}
              share={total === 0 ? 0 : one.main / total}
              ofMost={most === 0 ? 0 : one.main / most}
              tone={tones.get(toneKey(query, one.row))}
            />
          )}
          {query.beside && <Before visit={visit} query={query} main={one.main} before={one.before} />}
          {aside.map((name) => (
            <Cell visit={visit} query={query} row={one.row} name={name} isLead={false} />
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** Current values, where visible. */
function asideColumns({ aside = [] }: Look, { columns }: ReadReport): string[] {
  return aside.filter((name) => columns.includes(name));
}

/** Whether a column of shares is shown: only for rows that are parts of a whole. */
function hasShare({ look, values }: ReportQuery, { rows }: ReadReport): boolean {
  return rows.length > 1 && look.isLevel !== true && !look.by(values).some(isTime);
}

function leadIndex({ look }: ReportQuery, visible: readonly string[]): number {
  const named = visible.findIndex((name) => !isFigure(look, name) && name !== "username");
  return Math.max(0, named);
}

interface CellProps {
  visit: StaffVisit;
  query: ReportQuery;
  row: Row;
  name: string;
  isLead: boolean;
  children?: Child;
}

function Cell({ visit, query, row, name, isLead, children }: CellProps) {
  const { look, values } = query;
  const value = row[name] ?? null;
  const isNumber = isFigure(look, name);
  const href = findLink(visit, query, row, name);
  const text = isNumber
    ? typeof value === "number"
      ? formatFigure(visit, look, name, value)
      : visit.view.words.reports.unknown
    : cellWords(
        visit,
        name === "name" && value === null ? String(values["group"] ?? values["by"] ?? "name") : name,
        value,
      );
  const isMain = look.main.length === 1 && look.main[0] === name;
  const classes = [
    isLead && "lead",
    isNumber && "end",
    isMain && "sum",
    isLow(look.main, name, isNumber, values) && "low",
    value === 0 && "soft-text",
  ];
  return (
    <td class={classes.filter(Boolean).join(" ")}>
      {children}
      {isNumber && !isMain && <span class="row-word">{visit.view.words.reports.columns[name]} </span>}
      {href === undefined ? (
        <bdi>{text}</bdi>
      ) : (
        <a href={href}>
          <bdi>{text}</bdi>
        </a>
      )}
    </td>
  );
}

function Square({ tone }: { tone: string | undefined }) {
  return tone === undefined ? null : <Swatch tone={tone} />;
}

interface ShareProps {
  visit: StaffVisit;
  /** Share of all. */
  share: number;
  /** Bar length relative to the largest. */
  ofMost: number;
  tone: string | undefined;
}

function Share({ visit, share, ofMost, tone }: ShareProps) {
  const text = visit.view.format.share(Math.max(0, share));
  return (
    <td class="low share-cell">
      <span>
        <ShareBar share={ofMost} label={text} {...(tone !== undefined && { series: tone })} />
        <span aria-hidden="true">{text}</span>
      </span>
    </td>
  );
}

function Before({
  visit,
  query,
  main,
  before,
}: Pick<TableProps, "visit" | "query"> & { main: number; before: number }) {
  return (
    <>
      <td class="end low soft-text">{formatFigure(visit, query.look, query.look.main[0] ?? "", before)}</td>
      <td class="end">
        <Difference visit={visit} look={query.look} main={main} before={before} />
      </td>
    </>
  );
}

/** The difference in per cent, coloured where more is better. */
export function Difference({
  visit,
  look,
  main,
  before,
}: {
  visit: StaffVisit;
  look: Look;
  main: number;
  before: number;
}) {
  const { format, words } = visit.view;
  if (before === 0)
    return <span class="soft-text">{main === 0 ? format.changePercent(0) : words.reports.new}</span>;
  const share = (main - before) / Math.abs(before);
  return <span class={changeTone(look, share)}>{format.changePercent(share)}</span>;
}

export function changeTone({ moreIsGood }: Look, change: number): string {
  if (change === 0 || moreIsGood !== true) return "soft-text";
  return change < 0 ? "bad-text" : "good-text";
}

function Totals({ visit, query, read }: TableProps) {
  const { look } = query;
  const visible = visibleColumns(look, read);
  const sum = (of: (row: TableRow) => number) => read.rows.reduce((all, row) => all + of(row), 0);
  const main = sum((row) => row.main);
  const before = sum((row) => row.before);
  return (
    <tr>
      {visible.map((name, index) => (
        <td
          class={[
            index === leadIndex(query, visible) && "lead",
            isFigure(look, name) && "end",
            look.main.length === 1 && look.main[0] === name && "sum",
            isLow(look.main, name, isFigure(look, name), query.values) && "low",
          ]
            .filter(Boolean)
            .join(" ")}
        >
          {index === leadIndex(query, visible) && visit.view.words.reports.all}
          {look.sums.includes(name) && (
            <>
              {look.main[0] !== name && (
                <span class="row-word">{visit.view.words.reports.columns[name]} </span>
              )}
              {formatFigure(
                visit,
                look,
                name,
                sum(({ row }) => Number(row[name] ?? 0)),
              )}
            </>
          )}
        </td>
      ))}
      {look.main.length > 1 && <td class="end sum">{formatFigure(visit, look, look.main[0] ?? "", main)}</td>}
      {hasShare(query, read) && <td class="low" />}
      {query.beside && <Before visit={visit} query={query} main={main} before={before} />}
      {asideColumns(look, read).map((name) => (
        <td class="end low">
          {look.report.kinds[name] === "count" &&
            visit.view.format.number(sum(({ row }) => Number(row[name] ?? 0)))}
        </td>
      ))}
    </tr>
  );
}

/** Colours of rows that are series of the chart. */
function rowTones(query: ReportQuery, read: ReadReport, matrix: Matrix | undefined): Map<string, string> {
  const picture = query.look.picture(query.values);
  const isByRow =
    picture.kind === "columns" ||
    (picture.kind === "time" && "by" in picture.series && picture.series.by !== "accepted");
  if (!isByRow || read.rows.length < 2) return new Map();
  const series = matrix?.series ?? [];
  const known = new Map(series.map(({ key, tone }) => [String(key ?? "\u0000"), tone]));
  const rest = known.get("\u0000");
  return new Map(
    read.rows.flatMap(({ row }) => {
      const key = toneKey(query, row);
      const tone = known.get(key) ?? rest;
      return tone === undefined ? [] : [[key, tone]];
    }),
  );
}

function toneKey({ look, values }: ReportQuery, row: Row): string {
  const picture = look.picture(values);
  const column = picture.kind === "time" && "by" in picture.series ? picture.series.by : "name";
  return String(row[column] ?? "");
}
