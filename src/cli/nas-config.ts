import type { Command } from "commander";
import { writeFileSync } from "node:fs";
import { configChanges } from "../domain/goods/router-config/compare.ts";
import { configCopies } from "../domain/goods/router-config/copies.ts";
import { keepConfig } from "../domain/goods/router-config/keep.ts";
import { configText } from "../domain/goods/router-config/text.ts";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { routerConfigWords } from "../http/words/console/router-config.ts";
import { loadMessages } from "../http/words/messages.ts";
import { configChangesToJson, configCopyToJson } from "../wire/router-config.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";
import { nasTools } from "./nas-tools.ts";

const english = loadMessages("en");
const { changeInWords, menuInWords, ...words } = routerConfigWords(english);

interface Options {
  out?: string;
  json?: boolean;
}

const works = { save, list, show, diff, download };
const isWork = (text: string): text is keyof typeof works => text in works;

export function addNasConfig(nas: Command, cli: Cli): void {
  nas
    .command("config")
    .description(
      "the configuration of a router, which is kept each night: save reads it now, list says which copies there are, show prints one, diff says what was changed, download writes one into a file. It lacks what an export lacks: passwords, keys, certificates, User Manager",
    )
    .argument("<nas>", "its name, address or id")
    .argument("<what>", "save, list, show, diff or download")
    .argument("[copies...]", "a copy, by default the newest; diff: the older and the newer one")
    .option("--out <file>", "where download writes it; by default NAME-COPY.rsc here")
    .option("--json", "print JSON")
    .action(async (named: string, what: string, copies: string[], options: Options) => {
      if (!isWork(what)) throw new CommandError(`${what} is none of save, list, show, diff and download`);
      const ids = copies.map((copy) => {
        if (!/^\d{1,9}$/.test(copy))
          throw new CommandError(`${copy} is no number of a copy; see: gatehouse nas config ${named} list`);
        return Number(copy);
      });
      await works[what](cli, named, ids, options);
    });
}

async function save(cli: Cli, named: string, _ids: readonly number[], { json }: Options): Promise<void> {
  const { io, by } = cli;
  const kept = await cli.withStore((db) => {
    const { readConfig } = nasTools(db, { config: cli.config, clock: cli.now });
    return keepConfig(db, by, nasNamed(db, by, named).id, { now: cli.now(), read: readConfig });
  });
  const { copy, isNew, note } = kept;
  if (json) return printJson(io, { changed: isNew, copy: configCopyToJson(copy), note });
  printLine(io, `${isNew ? words.kept : words.same}: copy ${copy.id}, ${copy.bytes} bytes`);
  if (copy.source === "menus") printLine(io, menusNote(note ?? ""));
  else if (note !== null) printLine(io, words.noted(note));
  if (copy.isPartial) printLine(io, `${words.partial}: the copy says where (#error exporting)`);
}

const menusNote = (reason: string) =>
  `it was read menu by menu, because the router did not export it: ${reason}; its account may do more there after: gatehouse settings set config_ftp true, and gatehouse nas setup. Whoever has that account then reads, writes and removes every file of the router, by FTP too where that is on`;

async function list(cli: Cli, named: string, _ids: readonly number[], { json }: Options): Promise<void> {
  const { copies, last } = await cli.withStore((db) =>
    configCopies(db, cli.by, nasNamed(db, cli.by, named).id),
  );
  const record = copies.map(configCopyToJson);
  if (json) return printJson(cli.io, record);
  printTable(
    cli.io,
    ["COPY", "KEPT", "LAST SEEN", "READ", "VERSION", "BYTES", ""],
    record.map(({ id, kept_at, seen_at, source, version, bytes, partial }) =>
      [id, kept_at, seen_at, words.sources[source], version, bytes].concat(partial ? words.partial : ""),
    ),
  );
  if (last?.failure) printLine(cli.io, words.lastFailed(formatTime(last.triedAt), last.failure));
}

function readText(cli: Cli, named: string, [copy]: readonly number[]) {
  return cli.withStore((db) => {
    const { id: nasId, name } = nasNamed(db, cli.by, named);
    const copyId = copy ?? configCopies(db, cli.by, nasId).copies[0]?.id;
    if (copyId === undefined)
      throw new CommandError(
        `no configuration of ${name} was kept; keep one: gatehouse nas config ${named} save`,
      );
    return configText(db, cli.by, { nasId, copyId }, { now: cli.now() });
  });
}

async function show(cli: Cli, named: string, ids: readonly number[], { json }: Options): Promise<void> {
  const found = await readText(cli, named, ids);
  if (json) return printJson(cli.io, { ...configCopyToJson(found), text: found.text });
  for (const line of found.text.trimEnd().split("\n")) printLine(cli.io, line);
}

async function download(
  cli: Cli,
  named: string,
  ids: readonly number[],
  { out, json }: Options,
): Promise<void> {
  const found = await readText(cli, named, ids);
  const file = out ?? found.file;
  try {
    writeFileSync(file, found.text, { mode: 0o600 });
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${String(error)}; name another one with --out FILE`);
  }
  if (json) return printJson(cli.io, { ...configCopyToJson(found), file });
  printLine(cli.io, `wrote ${file}. ${words.lacks}`);
}

async function diff(
  cli: Cli,
  named: string,
  [first, second]: readonly number[],
  { json }: Options,
): Promise<void> {
  const { io, by } = cli;
  const found = await cli.withStore((db) => {
    const nasId = nasNamed(db, by, named).id;
    // one alone is held against what came before it
    const [from, to] = second === undefined ? [undefined, first] : [first, second];
    return configChanges(db, by, { nasId, from, to });
  });
  const { before, after, changes, missing } = found;
  if (json)
    return printJson(io, {
      before: configCopyToJson(before),
      after: configCopyToJson(after),
      ...configChangesToJson(found),
    });
  printLine(io, `${words.between(formatTime(before.keptAt), formatTime(after.keptAt))}:`);
  for (const change of changes)
    printLine(
      io,
      `  ${words.kinds[change.kind]}: ${[menuInWords(change.menu), change.what].filter(Boolean).join(" ")}: ${changeInWords(change)}`,
    );
  if (changes.length === 0) printLine(io, words.noChanges);
  if (missing === null) printLine(io, words.brokenOff);
  else if (missing.length > 0) printLine(io, words.missing(missing.join(", ")));
}
