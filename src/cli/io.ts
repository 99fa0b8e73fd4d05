import { printable, printableJson } from "../domain/text.ts";

/** The three streams of a command; `process` is one. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array | string> & {
    isTTY?: boolean | undefined;
    setRawMode?(raw: boolean): unknown;
  };
  readonly stdout: { write(text: string): unknown; on?(event: "error", heard: () => void): unknown };
  readonly stderr: { write(text: string): unknown; isTTY?: boolean | undefined };
}

/** A command that failed for a reason that belongs to the command line itself: says what and what to do. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** One line; control characters cannot reach the terminal. */
export function printLine({ stdout }: Io, line: string): void {
  stdout.write(`${printable(line)}\n`);
}

export function printJson({ stdout }: Io, data: unknown): void {
  stdout.write(`${printableJson(JSON.stringify(data, null, 2))}\n`);
}

export type Cell = string | number | null | undefined;

/** A table for people: columns as wide as their widest cell; control characters cannot reach the terminal. */
export function printTable(io: Io, headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = [headings, ...rows].map((row) => row.map(shownCell));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
  for (const line of lines) {
    const cells = line.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)));
    printLine(io, cells.join("  ").trimEnd());
  }
}

/** A record for people, one name and value a line. */
export function printRecord(io: Io, record: Readonly<Record<string, Cell>>): void {
  printTable(io, ["FIELD", "VALUE"], Object.entries(record));
}

function shownCell(cell: Cell): string {
  return cell === null || cell === undefined || cell === "" ? "-" : printable(String(cell));
}

const widthOf = (text: string) => Bun.stringWidth(text);
