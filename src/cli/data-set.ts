import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { type Db, openStore, StoreMissingError } from "../../db/open.ts";
import { exportDataSet } from "../domain/import/export.ts";
import type { FieldErrors } from "../domain/errors.ts";
import { importDataSet, type ImportSummary, rejectImport } from "../domain/import/import.ts";
import { findRepeatedNames } from "../domain/import/repeated-names.ts";
import type { Cli } from "./cli.ts";
import { codeOf } from "../listen-error.ts";
import { explainFile } from "./explain.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";
import { Progress } from "./progress.ts";
import { decodeText, readBytes } from "./secrets.ts";

interface ImportOptions {
  dryRun?: boolean;
  json?: boolean;
}

export function addDataSetCommands(program: Command, cli: Cli): void {
  program
    .command("import")
    .description("bring in a whole data set as JSON; all or nothing")
    .argument("<file>", "`-` is standard input")
    .option("--dry-run", "check only, write nothing")
    .option("--json", "print JSON")
    .action(async (file: string, { dryRun = false, json }: ImportOptions) => {
      const summary = await bringIn(cli, file, dryRun);
      if (json) return printJson(cli.io, summary);
      printSummary(cli, summary);
      printLine(cli.io, dryRun ? "the file is right; nothing was written" : "imported all of it");
    });

  program
    .command("export")
    .description("write the whole data set as JSON, in the format that import takes")
    .argument("[file]", "`-` is standard output", "-")
    .option("--secrets", "passwords and secrets too")
    .action(async (file: string, { secrets = false }: { secrets?: boolean }) => {
      const text = `${JSON.stringify(await cli.readStore((db) => exportDataSet(db, { secrets })), null, 2)}\n`;
      // whoever read it has left (`gatehouse export | head`): nobody to tell
      cli.io.stdout.on?.("error", () => {});
      if (file === "-") cli.io.stdout.write(text);
      else writeWhole(file, text);
    });
}

async function bringIn(cli: Cli, file: string, dryRun: boolean): Promise<ImportSummary> {
  using steps = new Progress(cli.io);
  const progress = (step: string) => steps.step(step);
  progress("reading");
  const data = await readDataSet(cli, file);
  const bring = (db: Db) => importDataSet(db, data, { now: cli.now(), by: cli.by, dryRun, progress });
  return dryRun ? await withTrialStore(cli, bring) : await cli.withStore(bring, { create: true });
}

async function readDataSet({ io }: Cli, file: string): Promise<unknown> {
  const bytes = file === "-" ? await readBytes(io.stdin) : await readWhole(file);
  const name = file === "-" ? "standard input" : file;
  const { text, data } = parse(bytes, name);
  const faults: FieldErrors = {};
  findRepeatedNames(text, faults);
  rejectImport(faults);
  return data;
}

async function readWhole(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    const reason = explainFile(error, file); // reading a folder fails without its path
    throw reason === undefined ? error : new CommandError(reason, { cause: error });
  }
}

function parse(bytes: Uint8Array, name: string): { text: string; data: unknown } {
  try {
    const text = decodeText(bytes);
    return { text, data: JSON.parse(text) };
  } catch (error) {
    throw new CommandError(
      `${name} is not JSON in UTF-8 (${withoutQuotes(error)}); correct it and try again`,
    );
  }
}

/** Why text is no JSON, without what is quoted of it: that can be a password, and ends in the log of who imports by a script. */
function withoutQuotes(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return reason.replace(/\s*["'`].*$/s, "");
}

/** The store, or an empty one elsewhere when there is none yet, so that a trial leaves nothing behind. */
async function withTrialStore<T>(cli: Cli, body: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await cli.withStore(body);
  } catch (error) {
    if (!(error instanceof StoreMissingError)) throw error;
  }
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-trial-"));
  const db = openStore(folder, { create: true, now: cli.now() });
  try {
    return await body(db);
  } finally {
    db.$client.close();
    await rm(folder, { recursive: true });
  }
}

/** Readable by its owner only, and never half written. */
function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, text, { mode: 0o600, flush: true });
    renameSync(unfinished, file);
  } catch (error) {
    if (existsSync(unfinished)) rmSync(unfinished);
    // of the folder, for the file itself is allowed not to exist
    const place = codeOf(error) === "ENOENT" ? dirname(resolve(file)) : file;
    const reason = explainFile(error, place);
    throw reason === undefined
      ? error
      : new CommandError(`cannot write ${file}: ${reason}`, { cause: error });
  }
}

function printSummary({ io }: Cli, summary: ImportSummary): void {
  const rows = Object.entries(summary)
    .filter(([, { added, changed }]) => added + changed > 0)
    .map(([section, { added, changed }]) => [section, added, changed]);
  printTable(io, ["SECTION", "ADDED", "CHANGED"], rows);
}
