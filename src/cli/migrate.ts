import { verbatim } from "../domain/core/errors/phrase.ts";
import type { Command } from "commander";
import { readFileSync } from "node:fs";
import { to } from "../domain/core/fields/fields.ts";
import { type MoveOutcome, moveIn } from "../domain/machine/imports/move-in.ts";
import { listMoves } from "../domain/machine/imports/moves.ts";
import { MovingRefused, type SourceFile } from "../domain/machine/imports/source.ts";
import { Scratch } from "../domain/machine/imports/scratch.ts";
import { type SourceKind, sourceNamed, sources } from "../domain/machine/imports/sources.ts";
import { Notices } from "../domain/machine/imports/notices.ts";
import { stayingReasons, undoMove } from "../domain/machine/imports/undo.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import { moveToJson } from "../wire/move.ts";
import type { Cli } from "./cli.ts";
import { explainFile } from "./explain.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";
import { type KeptFile, KeptFiles, requireWritableFolder } from "./move-files.ts";
import { printMove } from "./move-report.ts";
import { chooseIsp } from "./nas.ts";
import { Progress } from "./progress.ts";
import { decodeText } from "./secrets.ts";
import { Spool } from "./spool.ts";

interface Options {
  map?: string;
  dryRun?: boolean;
  isp?: string;
  expires?: string;
  shareNumbers?: boolean;
  autoRenew?: boolean;
  zone?: string;
  undo?: string;
  list?: boolean;
  json?: boolean;
}

export function addMigrateCommand(program: Command, cli: Cli): void {
  program
    .command("migrate")
    .description(
      "bring in what another system gives; all or nothing, and again with what changed there since",
    )
    .argument("[source]", `the kind of system: ${Object.keys(sources).join(", ")}`)
    .argument("[files...]", "what it gave; `-` is standard input")
    .option("--map <file>", "JSON that says which column is what (csv)")
    .option("--dry-run", "read, judge and report; write nothing at all")
    .option("--isp <id>", "whose they are (may be left out when there is one ISP)")
    .option(
      "--expires <day>",
      "when those end that have no end there, such as 2030-01-31; else one period from now",
    )
    .option("--zone <name>", "the zone of the times there, such as Asia/Baghdad; else this box's")
    .option(
      "--share-numbers",
      "families share telephone numbers: all keep theirs (unique_contacts 0 from then on)",
    )
    .option("--auto-renew", "who is new renews by itself, where the source does not say")
    .option("--list", "print the runs that were written, the newest first")
    .option("--undo <move>", "archive what a move made and nobody has used since")
    .option("--json", "print JSON, with everything that is told")
    .addHelpText("after", `\nSources:\n${listed()}`)
    .action(async (source: string | undefined, files: string[], options: Options, command: Command) => {
      if (source !== undefined && (options.list || options.undo !== undefined))
        command.error("--list and --undo take no source");
      if (options.list) return list(cli, options);
      if (options.undo !== undefined) return undo(cli, options.undo, options);
      if (source === undefined) command.error("missing required argument 'source', or --list, or --undo");
      if (files.length === 0) command.error("missing required argument 'files'");
      await migrate(cli, { ...parseSource(source), files }, options);
    });
}

function listed(): string {
  return Object.entries(sources)
    .map(([name, { title, files }]) => `  ${name.padEnd(12)}${title}\n              ${files}\n`)
    .join("");
}

function parseSource(value: string): { source: string; kind: SourceKind } {
  const found = sourceNamed(value);
  if (found) return found;
  throw new CommandError(`${value} is no source; there are ${Object.keys(sources).join(", ")}`);
}

interface MigrateInput {
  readonly source: string;
  readonly kind: SourceKind;
  readonly files: readonly string[];
}

async function migrate(cli: Cli, { source, kind, files }: MigrateInput, options: Options): Promise<void> {
  const { dryRun = false, json } = options;
  const expires = parseExpiry(options.expires);
  const map = options.map === undefined ? undefined : readMap(options.map);
  using steps = new Progress(cli.io);
  using spool = new Spool(cli.io);
  if (!dryRun) requireWritableFolder();
  const opened: SourceFile[] = [];
  for (const file of files) opened.push(await spool.open(file));
  using held = new DisposableStack();
  using beside = new KeptFiles(source);
  const outcome = await cli.withStore(async (db) => {
    const notices = new Notices(held.use(new Scratch(cli.config.dataDir)));
    const zone = parseZone(options.zone); // that of the store, where none is named
    const ispId = Number(chooseIsp(db, cli, options.isp, verbatim("whose subscribers they are")));
    const moved = await readSource(kind, opened, { now: cli.now(), zone, map, notices }, steps);
    return moveIn(db, cli.by, moved, {
      ispId,
      source,
      files: opened.map(({ name }) => name),
      now: cli.now(),
      dryRun,
      expires,
      notices,
      zone,
      shareNumbers: options.shareNumbers ?? false,
      autoRenew: options.autoRenew ?? false,
      progress: (step) => steps.step(step),
      keep: (kept) => beside.write(kept, notices),
    });
  });
  beside.stay();
  steps[Symbol.dispose]();
  if (json) printJson(cli.io, forProgram(outcome, beside.files));
  else printMove(cli.io, outcome, beside.files);
}

/** An import that is refused as a whole says why and what to do. */
async function readSource(
  kind: SourceKind,
  files: readonly SourceFile[],
  { map, ...options }: { now: Seconds; zone: string; map: unknown; notices: Notices },
  steps: Progress,
) {
  const all = files.reduce((total, { bytes }) => total + bytes, 0);
  let read = 0;
  steps.step("reading", () => (all > 0 ? read / all : 0));
  try {
    return await kind.read(files, {
      ...options,
      ...(map !== undefined && { map }),
      progress: (bytes) => void (read = bytes),
    });
  } catch (error) {
    throw error instanceof MovingRefused ? new CommandError(error.message, { cause: error }) : error;
  }
}

function forProgram({ moveId, report, notices }: MoveOutcome, files: readonly KeptFile[]): object {
  const all = report.told.map((group) => Object.assign({}, group, { rows: [...notices.each(group.kind)] }));
  return { move_id: moveId, ...report, notices: all, written: files };
}

function parseZone(named: string | undefined): string {
  const zone = named ?? Temporal.Now.timeZoneId();
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch (error) {
    throw new CommandError(`--zone ${zone} is no zone; name one such as Asia/Baghdad`, { cause: error });
  }
}

function parseExpiry(named: string | undefined): Seconds | undefined {
  if (named === undefined) return undefined;
  const expires = to.read(named);
  if (expires === undefined) throw new CommandError(`--expires ${to.message}`);
  return expires;
}

function readMap(file: string): unknown {
  try {
    return JSON.parse(decodeText(readFileSync(file)));
  } catch (error) {
    const reason = explainFile(error, file) ?? `${file} is not JSON in UTF-8; correct it and try again`;
    throw new CommandError(reason, { cause: error });
  }
}

const RUNS = 100;

async function list(cli: Cli, { json }: Options): Promise<void> {
  const runs = await cli.readStore((db) => listMoves(db, cli.by, { limit: RUNS }));
  const moves = runs.map(moveToJson);
  if (json) return printJson(cli.io, moves);
  printTable(
    cli.io,
    ["MOVE", "AT", "BY", "ISP", "SOURCE", "NEW", "CHANGED", "REFUSED", "UNDONE"],
    moves.map(({ id, started_at, started_by, isp_id, source, subscribers, undone_at }) => [
      id,
      started_at,
      started_by,
      isp_id,
      source,
      subscribers.new,
      subscribers.changed,
      subscribers.refused,
      undone_at,
    ]),
  );
}

const LISTED = 100;

async function undo(cli: Cli, named: string, { json }: Options): Promise<void> {
  if (!/^\d{1,15}$/.test(named)) throw new CommandError("--undo takes the number of a move");
  const undone = await cli.withStore((db) => undoMove(db, cli.by, Number(named), { now: cli.now() }));
  if (json) return printJson(cli.io, undone);
  const { archived, voided, stayed } = undone;
  const rows = stayed.slice(0, LISTED).map(({ username, reason }) => [username, stayingReasons[reason]]);
  if (rows.length > 0) printTable(cli.io, ["STAYS", "WHY"], rows);
  if (stayed.length > LISTED) printLine(cli.io, `and ${stayed.length - LISTED} more; --json has every one`);
  printLine(
    cli.io,
    `archived ${archived.toLocaleString("en-US")}, ${voided > 0 ? `${voided.toLocaleString("en-US")} cards are void, ` : ""}${stayed.length.toLocaleString("en-US")} stay; packages, routers and places stay too`,
  );
}
