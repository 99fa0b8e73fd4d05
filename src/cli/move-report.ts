import type { MoveOutcome } from "../domain/machine/imports/move-in.ts";
import type { MoveReport } from "../domain/machine/imports/report.ts";
import { type Notice, noticeHeadings } from "../domain/machine/imports/notices.ts";
import { cut } from "./cells.ts";
import { type Io, printLine, printTable, printTotal } from "./io.ts";
import type { KeptFile } from "./move-files.ts";
import { paint } from "./paint.ts";

const LISTED = 20;
const NAMED = 3;

export function printMove(
  io: Io,
  { report, moveId, notices }: MoveOutcome,
  files: readonly KeptFile[],
): void {
  printCounts(io, report);
  printPackages(io, report);
  printCards(io, report);
  const all = report.isDryRun ? "--json" : (files.at(-1)?.file ?? "--json");
  for (const { kind, count } of report.told)
    printNotices(io, `${noticeHeadings[kind]}: ${figure(count)}`, {
      count,
      rows: [...notices.each(kind)],
      all,
    });
  if (files.length > 0) {
    printLine(io, "");
    printTable(
      io,
      ["FILE", "HOLDS"],
      files.map(({ file, holds }) => [file, holds]),
    );
  }
  printNext(io, report);
  if (report.afterwards.length > 0) {
    heading(io, "On the evening of the move, at the system before");
    for (const line of report.afterwards) printLine(io, line);
  }
  printTotal(io, conclusion(report, moveId));
}

function conclusion({ counts, passwords }: MoveReport, moveId: number | null): string {
  const { found, refused } = counts.subscribers;
  const { new: made, same } = counts.vouchers;
  const come = (found - refused).toLocaleString("en-US");
  const cards = made + same > 0 ? ` and ${figure(made + same)} cards` : "";
  const who = `${come} of ${found.toLocaleString("en-US")} subscribers${cards}`;
  if (moveId === null) {
    const lost = passwords > 0 ? `; ${passwords.toLocaleString("en-US")} would get new passwords` : "";
    return `${who} would be here${lost}; nothing was written`;
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
  branch: "branches",
  city: "cities",
  area: "areas",
  subarea: "subareas",
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

function printCards(io: Io, { cards = [] }: MoveReport): void {
  if (cards.length === 0) return;
  heading(io, "Batches of cards");
  const visible = cards.slice(0, LISTED);
  printTable(
    io,
    ["CALLED THERE", "KIND", "PACKAGE", "PRICE", "CARDS"],
    visible.map((batch) => [
      batch.name === null ? null : cut(batch.name, 40),
      batch.kind,
      batch.package === null ? null : cut(batch.package, 40),
      ...[batch.price, batch.cards],
    ]),
  );
  const left = cards.length - visible.length;
  if (left > 0) printLine(io, `and ${figure(left)} more; gatehouse card batch list has every one`);
}

interface NoticesOfKind {
  readonly count: number;
  readonly rows: readonly Notice[];
  readonly all: string;
}

/** Equal notices are one line; those of no row come first, then the most frequent. */
function printNotices(io: Io, title: string, { count, rows, all }: NoticesOfKind): void {
  heading(io, title);
  const rank = ([first, ...more]: readonly Notice[]) => (first?.at === null ? Infinity : more.length);
  const groups = [...Map.groupBy(rows, ({ text }) => text).values()].toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)];
    return one === other ? 0 : other - one;
  });
  const visible = groups.slice(0, LISTED);
  printTable(
    io,
    ["WHERE", "WHO", "WHAT"],
    visible.map((group) => [firstPlace(group), joinNames(group), group[0]?.text]),
  );
  const left = count - visible.reduce((sum, group) => sum + group.length, 0);
  if (left > 0) printLine(io, `and ${figure(left)} more; ${all} has every one`);
}

const figure = (count: number) => count.toLocaleString("en-US");

function firstPlace([first]: readonly Notice[]): string | null {
  return first?.at ? `${first.at.file}:${first.at.line}` : null;
}

function joinNames(group: readonly Notice[]): string {
  const names = [...new Set(group.slice(0, NAMED).map(({ who }) => who))];
  const left = group.length - NAMED;
  return names.map((name) => cut(name, 40)).join(", ") + (left > 0 ? ` and ${figure(left)} more` : "");
}

function printNext(io: Io, { isDryRun, counts, packages, passwords, undecided }: MoveReport): void {
  const { new: made, changed } = counts.subscribers;
  const unpriced = packages.filter(({ price }) => price === null).length;
  const steps = isDryRun
    ? [
        ...(undecided === undefined ? [] : [undecided]),
        "correct at the source what is told above, look again, then run the same without --dry-run",
      ]
    : [
        passwords > 0 && `hand out the new passwords of ${figure(passwords)}`,
        counts.packages.new > 0 &&
          unpriced > 0 &&
          `set the price of ${figure(unpriced)} ${unpriced === 1 ? "package" : "packages"}: gatehouse package set NAME --price 15.00`,
        made + changed > 0 &&
          "on the night: copy the source again, and run the same; only what changed comes",
        made > 0 && "then point each router here: gatehouse nas script NAME prints what to enter",
      ].filter((step) => step !== false);
  if (steps.length === 0) return;
  heading(io, "What to do next");
  for (const step of steps) printLine(io, `- ${step}`);
}

function heading(io: Io, text: string): void {
  printLine(io, "");
  io.stdout.write(`${paint(io, text.replace(/\p{Cc}/gu, "?"), "strong")}\n`);
}
