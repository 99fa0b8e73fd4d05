import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { MovingRefused, type SourceFile } from "../../source.ts";
import { decodeFile } from "./encoding.ts";

const delimiters = [",", ";", "\t", "|"] as const;

export interface TableOptions {
  readonly encoding: string;
  readonly delimiter: string;
  readonly onBytes?: (bytes: number) => void;
}

export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Characters of a row; more means an open quote. */
const LONGEST_ROW = 1 << 20;
const MOST_COLUMNS = 500;

/** Streams rows, header first, without empty lines. Throws MovingRefused with the line of an open quote or too long a row. */
export async function* tableRows(
  file: SourceFile,
  { encoding, delimiter, onBytes = () => {} }: TableOptions,
): AsyncGenerator<TableRow> {
  const shift = (await hasSeparatorLine(file, encoding)) ? 1 : 0;
  const begins: number[] = [];
  let begun = 1 + shift; // of the row that is being parsed, which is ahead of those that were taken
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LONGEST_ROW,
    on_record: (record: string[], { lines }) => {
      begins.push(begun);
      begun = lines + 1 + shift;
      return record;
    },
  });
  const text = Readable.from(withoutSeparatorLine(decodeFile(file, encoding, onBytes)));
  text.on("error", (error) => parser.destroy(error)).pipe(parser);
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const line = begins.shift() ?? begun;
      refuseWide(file.name, line, cells.length);
      if (cells.length > 1 || cells[0]?.trim()) yield { line, cells: cells.map(unescapeCell) };
    }
  } catch (error) {
    throw error instanceof CsvError ? toRefusal(file.name, error, begun) : error;
  } finally {
    text.destroy();
  }
}

function refuseWide(name: string, line: number, columns: number): void {
  if (columns > MOST_COLUMNS)
    throw new MovingRefused(
      `${name}, line ${line}: more than ${MOST_COLUMNS} columns; it is no list of people`,
    );
}

/** Undoes escaping for spreadsheets, ours included. */
function unescapeCell(cell: string): string {
  if (/^'[=+\-@\t\r]/.test(cell)) return cell.slice(1);
  return /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;
}

function toRefusal(name: string, error: CsvError, line: number): MovingRefused {
  const at = `${name}, line ${line}`;
  const because = { cause: error };
  if (error.code === "CSV_QUOTE_NOT_CLOSED")
    return new MovingRefused(
      `${at}: a quotation mark is opened there and never closed; is the file cut off?`,
      because,
    );
  if (error.code === "CSV_MAX_RECORD_SIZE")
    return new MovingRefused(
      `${at}: the row is longer than 1 MiB; a quotation mark may be opened there and not closed, or the file is no table`,
      because,
    );
  return new MovingRefused(`${at}: ${error.message}`, because);
}

const SEPARATOR_LINE = /^\uFEFF?sep=(.)\r?\n/i;

async function hasSeparatorLine(file: SourceFile, encoding: string): Promise<boolean> {
  return SEPARATOR_LINE.test(await readHead(file, encoding));
}

/** Skips Excel's `sep=;`. */
async function* withoutSeparatorLine(text: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of text) {
    yield isFirst ? piece.replace(SEPARATOR_LINE, "") : piece;
    isFirst = false;
  }
}

const HEAD = 65_536;

async function readHead(file: SourceFile, encoding: string): Promise<string> {
  let head = "";
  for await (const piece of decodeFile(file, encoding, () => {})) {
    head += piece;
    if (head.length >= HEAD) break;
  }
  return head;
}

/** The one that gives the most and most regular columns. Throws MovingRefused for too many. */
export async function detectDelimiter(file: SourceFile, encoding: string): Promise<string> {
  const head = await readHead(file, encoding);
  const separator = SEPARATOR_LINE.exec(head)?.[1];
  if (separator !== undefined) return separator;
  const lines = head
    .replace(/"(?:[^"]|"")*"/g, "")
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== "")
    .slice(0, 50);
  const scored = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const first = counts[0] ?? 0;
    refuseWide(file.name, 1, first); // before they are parsed one by one
    const alike = counts.filter((count) => count === first).length / Math.max(1, counts.length);
    return { delimiter, score: first === 0 ? 0 : alike * (1 + Math.log2(first + 1)) };
  });
  const best = scored.toSorted((a, b) => b.score - a.score)[0];
  return best?.delimiter ?? ",";
}
