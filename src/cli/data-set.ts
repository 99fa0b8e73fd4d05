import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { type Db, openStore, StoreMissingError } from "../../db/open.ts";
import type { Faults } from "../domain/core/errors/errors.ts";
import { importDataSet } from "../domain/machine/imports/data-set/import.ts";
import { ImportRefused, rejectImport } from "../domain/machine/imports/data-set/import-refused.ts";
import type { ImportOutcome } from "../domain/machine/imports/data-set/outcome.ts";
import { findRepeatedNames } from "../domain/machine/imports/data-set/repeated-names.ts";
import { holdersOnOldTerms, type OldTerms } from "../domain/goods/packages/terms.ts";
import type { Cli } from "./cli.ts";
import exampleIsp from "./example-isp.json";
import { explainFile } from "./explain.ts";
import { printImport } from "./import-report.ts";
import { CommandError, printJson, printLine } from "./io.ts";
import { explainOldTerms } from "./old-terms.ts";
import { Progress } from "./progress.ts";
import { decodeText, readBytes } from "./secrets.ts";

interface ImportOptions {
  dryRun?: boolean;
  overwriteMoney?: boolean;
  example?: boolean;
  json?: boolean;
}

export function addImportCommand(program: Command, cli: Cli): void {
  program
    .command("import")
    .description("bring in a whole data set as JSON; all or nothing")
    .argument("[file]", "`-` is standard input")
    .option("--example", "print a small data set that can be imported, and nothing else")
    .option("--dry-run", "check only, show what would change, write nothing")
    .option(
      "--overwrite-money",
      "take balances and expirations of the file also where they moved since it was exported",
    )
    .option("--json", "print JSON")
    .action(
      async (file: string | undefined, { example, json, ...options }: ImportOptions, command: Command) => {
        if (example) return printJson(cli.io, exampleIsp);
        if (file === undefined) command.error("missing required argument 'file', or --example");
        if (json) return printJson(cli.io, await importForProgram(cli, file, options));
        const { outcome, oldTerms } = await importFile(cli, file, options);
        printImport(cli.io, outcome, options.dryRun ?? false);
        for (const line of explainOldTerms(oldTerms)) printLine(cli.io, line);
      },
    );
}

/** Prints each fault with its JSON pointer, for programs; people get a count of rows. */
async function importForProgram(cli: Cli, file: string, options: ImportOptions): Promise<object> {
  try {
    const { outcome, oldTerms } = await importFile(cli, file, options);
    const { summary, ...rows } = outcome;
    return { ...summary, ...rows, ...(oldTerms.length > 0 && { old_terms: oldTerms }) };
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    printJson(cli.io, { faults: error.fields });
    throw new CommandError(error.message, { cause: error });
  }
}

async function importFile(
  cli: Cli,
  file: string,
  { dryRun = false, overwriteMoney = false }: ImportOptions,
): Promise<{ outcome: ImportOutcome; oldTerms: OldTerms[] }> {
  using steps = new Progress(cli.io);
  const progress = (step: string) => steps.step(step);
  progress("reading");
  const data = await readDataSet(cli, file);
  const bring = async (db: Db) => {
    const outcome = await importDataSet(db, cli.by, data, {
      now: cli.now(),
      dryRun,
      overwriteMoney,
      progress,
    });
    const hasNewTerms = !dryRun && (outcome.summary["packages"]?.changed ?? 0) > 0;
    return { outcome, oldTerms: hasNewTerms ? holdersOnOldTerms(db, cli.by, { now: cli.now() }) : [] };
  };
  return dryRun ? await withTrialStore(cli, bring) : await cli.withStore(bring, { create: true });
}

async function readDataSet({ io }: Cli, file: string): Promise<unknown> {
  const bytes = file === "-" ? await readBytes(io.stdin) : await readWhole(file);
  const name = file === "-" ? "standard input" : file;
  const { text, data } = parse(bytes, name);
  const faults: Faults = {};
  findRepeatedNames(text, faults);
  rejectImport(faults, data);
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

/** The parser's message without its quotation, which can be a password and would end in a log. */
function withoutQuotes(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return reason.replace(/\s*["'`].*$/s, "");
}

/** The store, or an empty temporary one where there is none, so that a trial leaves nothing behind. */
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
