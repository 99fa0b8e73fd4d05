import { printable, printableJson } from "../domain/core/fields/text.ts";
import { paint, type Tone } from "./paint.ts";

export interface Io {
  readonly stdin: AsyncIterable<Uint8Array | string> & {
    isTTY?: boolean | undefined;
    setRawMode?(raw: boolean): unknown;
  };
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly isColored?: boolean;
}

interface Stream {
  write(text: string): unknown;
  end?(ended: () => void): unknown;
  on?(event: "error", listener: (error: unknown) => void): unknown;
  isTTY?: boolean | undefined;
}

/** A failure of the command line itself: what is wrong and what to do. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** Control characters are removed, for they would control the terminal. */
export function printLine({ stdout }: Io, line: string): void {
  stdout.write(`${printable(line)}\n`);
}

export function printJson({ stdout }: Io, data: unknown): void {
  stdout.write(`${printableJson(JSON.stringify(data, null, 2))}\n`);
}

export type Cell = string | number | null | undefined | CellView;

/** A cell with a tone or an alignment. */
export interface CellView {
  readonly text: string;
  readonly tone?: Tone | undefined;
  readonly isFigure?: boolean;
}

/** Columns as wide as their widest cell, figures to the right; control characters are removed. */
export function printTable(io: Io, headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = rows.map((row) => headings.map((_, column) => cellText(row[column])));
  const widths = headings.map((heading, column) =>
    lines.reduce((widest, line) => Math.max(widest, textWidth(line[column]?.text ?? "")), textWidth(heading)),
  );
  const ofFigures = headings.map((_, column) => areFigures(lines.map((line) => line[column])));
  const print = (line: readonly CellView[]) => {
    const cells = line.map(({ text, tone }, column) => {
      const space = " ".repeat((widths[column] ?? 0) - textWidth(text));
      const isLast = column === line.length - 1;
      return ofFigures[column]
        ? space + paint(io, text, tone)
        : paint(io, text, tone) + (isLast ? "" : space);
    });
    io.stdout.write(`${cells.join("  ")}\n`);
  };
  print(headings.map((text) => ({ text, tone: "quiet" })));
  for (const line of lines) print(line);
}

export function printTotal(io: Io, total: string): void {
  io.stdout.write(`\n${paint(io, printable(total), "strong")}\n`);
}

export function printRecord(io: Io, record: Readonly<Record<string, Cell>>): void {
  const entries = Object.entries(record).map(([name, value]) => [
    name,
    { ...cellText(value), isFigure: false },
  ]);
  printTable(io, ["FIELD", "VALUE"], entries);
}

function areFigures(cells: readonly (CellView | undefined)[]): boolean {
  const present = cells.filter((cell) => cell !== undefined && cell.text !== NOTHING);
  return present.length > 0 && present.every((cell) => cell?.isFigure);
}

const NOTHING = "-";

function cellText(cell: Cell): CellView {
  if (cell === null || cell === undefined || cell === "") return { text: NOTHING };
  if (typeof cell === "object") return { ...cell, text: printable(cell.text) || NOTHING };
  return { text: printable(String(cell)), isFigure: typeof cell === "number" };
}

const textWidth = (text: string) => Bun.stringWidth(text);
