import { CsvError, parse } from "csv-parse/sync";
import { DomainError } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { fold } from "../../../core/fields/text.ts";

export interface BankRow {
  readonly line: number;
  readonly cells: readonly string[];
}

const DELIMITERS = [",", ";", "\t", "|"] as const;
/** Lines before the header that banks write. */
const PREAMBLE = 40;
const SEPARATOR_LINE = /^\uFEFF?sep=(.)\r?\n/i;

/** Rows of a file without empty ones. Throws `invalid` for no table. */
export function parseRows(content: string): BankRow[] {
  const separator = SEPARATOR_LINE.exec(content);
  const text = separator ? content.slice(separator[0].length) : content;
  const shift = separator ? 1 : 0;
  const lines: number[] = [];
  try {
    const records: string[][] = parse(text, {
      delimiter: separator?.[1] ?? guessDelimiter(text),
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (record: string[], info) => {
        lines.push(info.lines + shift);
        return record;
      },
    });
    return records
      .map((cells, index) => ({ line: lines[index] ?? 0, cells }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new DomainError("invalid", phrase`check content`, {
      fields: { content: [phrase`is no table: ${error.message}`] },
    });
  }
}

/** The one with the most and most regular cells. */
function guessDelimiter(text: string): string {
  const lines = text
    .slice(0, 65_536)
    .replaceAll(/"(?:[^"]|"")*"/g, "")
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== "")
    .slice(0, 60);
  const scored = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0);
    const most = Math.max(
      0,
      ...[...Map.groupBy(counts, (count) => count).values()].map(({ length }) => length),
    );
    const cells = Math.max(
      0,
      ...counts.filter((one) => counts.filter((count) => count === one).length === most),
    );
    return { delimiter, score: most * Math.log2(cells + 1) };
  });
  return scored.toSorted((a, b) => b.score - a.score)[0]?.delimiter ?? ",";
}

/** The first row with all `names`; undefined: none. */
export function findHead(rows: readonly BankRow[], names: readonly string[]): number | undefined {
  const folded = names.map((name) => fold(name.trim()));
  const at = rows.slice(0, PREAMBLE).findIndex(({ cells }) => {
    const here = new Set(cells.map((cell) => fold(cell.trim())));
    return folded.every((name) => here.has(name));
  });
  return at < 0 ? undefined : at;
}

/** A row of words above rows of equal length. */
export function likelyHead(rows: readonly BankRow[], isHead: (cells: readonly string[]) => boolean): number {
  const first = rows.slice(0, PREAMBLE);
  const known = first.findIndex(({ cells }) => isHead(cells));
  if (known >= 0) return known;
  const widths = first.map(({ cells }) => cells.length);
  return Math.max(0, widths.indexOf(Math.max(0, ...widths)));
}
