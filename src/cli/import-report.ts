import type { FieldChange, RowChange } from "../domain/machine/imports/data-set/change-log.ts";
import type { ImportOutcome, ImportSummary } from "../domain/machine/imports/data-set/outcome.ts";
import type { Kept } from "../domain/machine/imports/data-set/stamps.ts";
import { type Io, printLine, printTable } from "./io.ts";

const LISTED = 100;
const WIDTH = 48;

export function printImport(io: Io, { summary, changes, kept }: ImportOutcome, dryRun: boolean): void {
  printSummary(io, summary);
  if (dryRun) printChanges(io, changes);
  printKept(io, kept);
  printLine(io, conclusion(kept.length, dryRun));
}

function conclusion(kept: number, dryRun: boolean): string {
  if (dryRun) return "the file is right; nothing was written";
  return kept === 0
    ? "imported all of it"
    : `imported all of it but for the money, time and use of ${kept === 1 ? "1 row" : `${count(kept)} rows`}`;
}

function printSummary(io: Io, summary: ImportSummary): void {
  const rows = Object.entries(summary)
    .filter(([, { added, changed }]) => added + changed > 0)
    .map(([section, { added, changed }]) => [section, added, changed]);
  printTable(io, ["SECTION", "ADDED", "CHANGED"], rows);
}

function printChanges(io: Io, changes: readonly RowChange[]): void {
  if (changes.length === 0) return;
  const rows = changes
    .slice(0, LISTED)
    .flatMap((row) =>
      Object.entries(row.fields).map(([field, { before, after }]) => [
        rowName(row),
        field,
        printable(before),
        printable(after),
      ]),
    );
  printTable(io, ["ROW", "FIELD", "IS", "WILL BE"], rows);
  printRest(io, changes.length, "changed rows");
}

function printKept(io: Io, kept: readonly Kept[]): void {
  if (kept.length === 0) return;
  const rows = kept
    .slice(0, LISTED)
    .flatMap((row) =>
      Object.entries(row.fields).map(([field, { file, store }]) => [
        rowName(row),
        field,
        printable(store),
        printable(file),
      ]),
    );
  printTable(io, ["ROW", "FIELD", "STAYS", "THE FILE HAS"], rows);
  printRest(io, kept.length, "rows that stay");
  const cards = kept.filter(({ section }) => section === "cards").length;
  const accounts = kept.length - cards;
  if (accounts > 0)
    printLine(
      io,
      `money or time ${ofThese(accounts)} moved since the file was exported; to take the file's: --overwrite-money`,
    );
  if (cards > 0)
    printLine(
      io,
      `what became of ${cards === 1 ? "this card" : `these ${count(cards)} cards`} is as it is here, whatever the file has: it is changed by selling, using and making void`,
    );
}

const ofThese = (rows: number) => (rows === 1 ? "of this row" : `of these ${count(rows)} rows`);

function printRest(io: Io, all: number, what: string): void {
  if (all > LISTED) printLine(io, `and ${count(all - LISTED)} more ${what}; --json has every one`);
}

function rowName({ section, id, name }: { section: string; id: number; name: string }): string {
  return section === "settings" ? section : `${section} ${id} (${name})`;
}

/** A note may have thousands of characters. */
function printable(value: FieldChange["before"]): FieldChange["before"] {
  return typeof value === "string" && value.length > WIDTH ? `${value.slice(0, WIDTH - 3)}...` : value;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
