import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { writePieces, writePrivate } from "../domain/core/files/files.ts";
import { BYTE_ORDER_MARK, csvLines } from "../domain/machine/imports/data-set/csv.ts";
import {
  countRows,
  type CsvTable,
  csvTables,
  readCsvRows,
} from "../domain/machine/imports/data-set/export-tables.ts";
import { exportDataSet } from "../domain/machine/imports/data-set/export.ts";
import { exportLists } from "../domain/machine/imports/data-set/export-lists.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { Cli } from "./cli.ts";
import { makeWhole, requireNew } from "./export-files.ts";
import { printLine, printTable } from "./io.ts";
import { Progress } from "./progress.ts";

interface ExportOptions {
  secrets?: boolean;
  all?: boolean;
}

type DataSet = ReturnType<typeof exportDataSet>;

export function addExportCommand(program: Command, cli: Cli): void {
  program
    .command("export")
    .description(
      "write the whole data set as JSON, in the format that import takes: settings, places, roles, staff, routers, packages, subscribers with their wallets and terms, cards with what became of them",
    )
    .argument("[file]", "must not exist yet; `-` is standard output", "-")
    .option("--secrets", "passwords, secrets and codes of cards too")
    .option(
      "--all",
      "ledger, invoices, sessions, usage and audit trail too, and subscribers, packages and routers, as CSV files: <file> is a folder to make",
    )
    .action(async (file: string, { secrets = false, all }: ExportOptions, command: Command) => {
      if (all && file === "-") command.error("--all writes a folder; name one that does not exist yet");
      if (all) return exportAll(cli, file, secrets);
      if (file !== "-") requireNew(file, "file");
      const data = await cli.readStore((db) => exportDataSet(db, cli.by, { secrets }));
      const notes = [...noteSecrets(secrets), `not in it: ${histories}; --all adds them`];
      if (file !== "-") {
        makeWhole(file, (unfinished) => writePrivate(unfinished, formatJson(data)));
        for (const line of [`${file}: ${contents(data)}`, ...notes]) printLine(cli.io, line);
        return;
      }
      cli.io.stdout.write(formatJson(data));
      for (const line of [contents(data), ...notes]) cli.io.stderr.write(`${line}\n`);
    });
}

const histories = "ledger, invoices, sessions, usage and audit trail";

/** Exports one moment into a folder that appears when it is whole. */
async function exportAll(cli: Cli, folder: string, secrets: boolean): Promise<void> {
  requireNew(folder, "folder");
  const holds = await cli.readStore((db) => {
    using progress = new Progress(cli.io);
    return makeWhole(folder, (unfinished) => {
      mkdirSync(unfinished, { mode: 0o700 });
      return db.$client.transaction(() => writeAll(db, cli.by, { folder: unfinished, secrets, progress }))();
    });
  });
  printTable(cli.io, ["FILE", "HOLDS"], holds);
  for (const line of noteSecrets(secrets)) printLine(cli.io, line);
}

function writeAll(
  db: Db,
  by: Actor,
  { folder, secrets, progress }: { folder: string; secrets: boolean; progress: Progress },
): [file: string, holds: string][] {
  progress.step("data-set.json");
  const dataSet = writeDataSet(db, by, folder, secrets);
  const rows = csvTables.map((table): [string, string] => {
    progress.step(table.file);
    const total = countRows(db, table);
    const lines = formatLines(db, table, (done) => progress.report(done / total));
    const count = writePieces(join(folder, table.file), lines) - 1;
    return [table.file, `${count.toLocaleString("en-US")} rows`];
  });
  return [...dataSet, ...rows];
}

/** Writes the data set and its CSV lists. Returns counts only, so that the large data set can be freed. */
function writeDataSet(db: Db, by: Actor, folder: string, secrets: boolean): [file: string, holds: string][] {
  const data = exportDataSet(db, by, { secrets });
  writePrivate(join(folder, "data-set.json"), formatJson(data));
  const lists = exportLists(data).map(({ file, count, lines }): [string, string] => {
    writePieces(join(folder, file), lines);
    return [file, `${count.toLocaleString("en-US")} rows`];
  });
  return [["data-set.json", contents(data)], ...lists];
}

const REPORT_EVERY = 1024;

/** The heading and each row; `report` gets the number of rows so far. */
function* formatLines(db: Db, table: CsvTable, report: (done: number) => void): Generator<string> {
  const { columns } = table;
  const heading = csvLines(columns.map(() => "text"));
  yield BYTE_ORDER_MARK + heading(columns.map(({ name }) => name));
  const line = csvLines(columns.map(({ kind }) => kind));
  let done = 0;
  for (const row of readCsvRows(db, table)) {
    yield line(row);
    if (++done % REPORT_EVERY === 0) report(done);
  }
}

const formatJson = (data: DataSet) => `${JSON.stringify(data, null, 2)}\n`;

function contents(data: DataSet): string {
  return Object.entries(data)
    .map(([section, rows]) => [section, Object.keys(rows).length] as const)
    .filter(([section, count]) => count > 0 && section !== "permission_flags")
    .map(([section, count]) => `${section} ${count.toLocaleString("en-US")}`)
    .join(", ");
}

function noteSecrets(secrets: boolean): string[] {
  return [
    secrets
      ? "passwords, secrets and codes of cards are in it, in clear: keep it where nobody else reads it"
      : "passwords, secrets and codes of cards are not in it; --secrets adds them",
  ];
}
