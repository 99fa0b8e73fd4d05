import type { MoveOutcome } from "../domain/moving/move-in.ts";
import type { MoveReport, ReportedTelling } from "../domain/moving/report.ts";
import { cut } from "./cells.ts";
import { type Io, printLine, printTable, printTotal } from "./io.ts";
import type { KeptFile } from "./move-files.ts";
import { paint } from "./paint.ts";

/** Rows of a kind that are printed. */
const SHOWN = 20;

/** What a move came to, for people. */
export function printMove(io: Io, { report, moveId }: MoveOutcome, files: readonly KeptFile[]): void {
  printCounts(io, report);
  printPackages(io, report);
  for (const group of report.told) printTold(io, group);
  if (files.length > 0) {
    printLine(io, "");
    printTable(
      io,
      ["FILE", "HOLDS"],
      files.map(({ file, holds }) => [file, holds]),
    );
  }
  if (report.afterwards.length > 0) {
    heading(io, "On the evening of the move, at the system before");
    for (const line of report.afterwards) printLine(io, line);
  }
  printTotal(io, conclusion(report, moveId));
}

function conclusion({ counts: { subscribers }, passwords }: MoveReport, moveId: number | null): string {
  const { found, refused } = subscribers;
  const come = (found - refused).toLocaleString("en-US");
  const who = `${come} of ${found.toLocaleString("en-US")} subscribers`;
  if (moveId === null) {
    const made = passwords > 0 ? `; ${passwords.toLocaleString("en-US")} would get new passwords` : "";
    return `${who} would be here${made}; nothing was written`;
  }
  return `${who} are here; this was move ${moveId}, gatehouse migrate --undo ${moveId} takes it back`;
}

const kinds = ["packages", "routers", "subscribers", "sessions", "vouchers"] as const;

function printCounts(io: Io, { counts, places }: MoveReport): void {
  const rows = kinds
    .filter((kind) => counts[kind].found > 0)
    .map((kind): (string | number)[] => {
      const { found, new: made, changed, same, refused } = counts[kind];
      return [kind, found, made, changed, same, refused];
    });
  const made = Object.entries(places).filter(([, count]) => count > 0);
  for (const [kind, count] of made) rows.push([placeNames[kind] ?? kind, count, count, 0, 0, 0]);
  printTable(io, ["", "FOUND", "NEW", "CHANGED", "SAME", "REFUSED"], rows);
}

const placeNames: Readonly<Record<string, string>> = {
  ...{ branch: "branches", city: "cities", area: "areas", subarea: "subareas" },
};

function printPackages(io: Io, { packages }: MoveReport): void {
  if (packages.length === 0) return;
  heading(io, "Packages");
  printTable(
    io,
    ["PACKAGE", "FROM", "HOLDERS", "TERMS", "PRICE"],
    packages.map(({ name, from, holders, terms, price }) => [
      cut(name, 40),
      cut(from, 40),
      holders,
      cut(terms, 60),
      price ?? "not known",
    ]),
  );
}

function printTold(io: Io, { heading: title, count, rows }: ReportedTelling): void {
  heading(io, `${title}: ${count.toLocaleString("en-US")}`);
  printTable(
    io,
    ["WHERE", "WHO", "WHAT"],
    rows.slice(0, SHOWN).map(({ at, who, text }) => [at && `${at.file}:${at.line}`, cut(who, 40), text]),
  );
  if (count > SHOWN)
    printLine(io, `and ${(count - SHOWN).toLocaleString("en-US")} more; --json has every one`);
}

function heading(io: Io, text: string): void {
  printLine(io, "");
  io.stdout.write(`${paint(io, text.replace(/\p{Cc}/gu, "?"), "strong")}\n`);
}
