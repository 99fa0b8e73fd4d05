import type { Command } from "commander";
import { BYTE_ORDER_MARK, csvLine } from "../domain/machine/imports/data-set/csv.ts";
import { readFields } from "../domain/core/fields/fields.ts";
import { type Faults, rejectFaults } from "../domain/core/errors/errors.ts";
import { volume } from "../domain/core/fields/volume.ts";
import type { Cell as Value, CellKind } from "../wire/report-columns.ts";
import type { Report, Row } from "../wire/report.ts";
import { reports } from "../wire/reports.ts";
import type { Cli } from "./cli.ts";
import { type Cell, CommandError, printJson, printTable } from "./io.ts";

interface Form {
  json?: boolean;
  csv?: boolean;
}

/** Each report is a command of its own, so that its help says what it takes. */
export function addReportCommands(program: Command, cli: Cli): void {
  const command = program
    .command("report")
    .description("print a report: what was sold, collected, owed, used");
  for (const one of reports) addReport(command, cli, one);
}

function addReport(parent: Command, cli: Cli, { name, summary, filters, kinds, read }: Report): void {
  const command = parent.command(name.replaceAll("_", "-")).description(summary);
  for (const [filter, { message }] of Object.entries({ ...filters }))
    command.option(`--${filter.replaceAll("_", "-")} <value>`, String(message).replace(/^must be /, ""));
  command
    .option("--json", "print JSON")
    .option("--csv", "print CSV, as a file for a spreadsheet")
    .action(async ({ json, csv, ...options }: Form & Record<string, string>) => {
      if (json && csv) throw new CommandError("--json and --csv: take one of them");
      const faults: Faults = {};
      const values = readFields(filters, namedAsFilters(options), faults);
      rejectFaults(faults);
      const { columns, rows } = await cli.readStore((db) => read({ db, by: cli.by, now: cli.now() }, values));
      if (json) return printJson(cli.io, rows);
      if (csv) return printCsv(cli, columns, rows);
      printTable(
        cli.io,
        columns.map((column) => column.replaceAll("_", " ").toUpperCase()),
        rows.map((row) => columns.map((column) => toCell(kinds[column] ?? "text", row[column] ?? null))),
      );
    });
}

/** Commander has `packageId` for `--package-id`. */
function namedAsFilters(options: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

function printCsv({ io }: Cli, columns: readonly string[], rows: readonly Row[]): void {
  io.stdout.write(BYTE_ORDER_MARK + csvLine(columns));
  for (const row of rows) io.stdout.write(csvLine(columns.map((column) => row[column] ?? null)));
}

function toCell(kind: CellKind, value: Value): Cell {
  if (typeof value !== "number") return value;
  if (kind === "amount")
    return { text: value.toFixed(2), isFigure: true, tone: value < 0 ? "bad" : undefined };
  if (kind === "octets") return { text: volume(value), isFigure: true };
  return value;
}
