import type { Command } from "commander";
import { listOutages, type Outage, outageById } from "../domain/service/outages/find.ts";
import { lineToJson, outageToJson } from "../wire/outage.ts";
import { counted } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { printJson, printTable, printTotal } from "./io.ts";
import { parseLimit } from "./sessions.ts";

interface Options {
  open?: boolean;
  limit?: string;
  json?: boolean;
}

const LISTED = 20;

export function addOutagesCommand(program: Command, cli: Cli): void {
  program
    .command("outages")
    .description("print what went dark together, the newest first, or the lines of one outage")
    .argument("[id]", "the outage whose lines are printed")
    .option("--open", "those that are not over alone")
    .option("--limit <number>", `at most so many (${LISTED})`)
    .option("--json", "print JSON")
    .action(async (id: string | undefined, options: Options) => {
      if (id !== undefined) return printLines(cli, parseLimit(id), options);
      const limit = options.limit === undefined ? LISTED : parseLimit(options.limit);
      const page = { limit, before: Number.MAX_SAFE_INTEGER };
      const open = options.open ? (1 as const) : undefined;
      const found = await cli.withStore((db) => listOutages(db, cli.by, { open }, page));
      if (options.json) return printJson(cli.io, found.map(outageToJson));
      printTable(cli.io, ["ID", "WHAT", "BEGAN", "OVER", "LINES", "BACK"], found.map(outageCells));
      printTotal(cli.io, counted(found.length, "outage"));
    });
}

function outageCells(outage: Outage) {
  const { id, kind, nas, area, box_number, began_at, ended_at, lines, back } = outageToJson(outage);
  const what = `${kind} ${nas ?? area ?? box_number ?? "that is gone"}`;
  return [
    String(id),
    { text: what, tone: ended_at === null ? ("bad" as const) : ("good" as const) },
    began_at,
    ended_at ?? "no",
    String(lines),
    String(back),
  ];
}

async function printLines(cli: Cli, id: number, { json }: Options): Promise<void> {
  const outage = await cli.withStore((db) => outageById(db, cli.by, id));
  const members = outage.members.map(lineToJson);
  if (json) return printJson(cli.io, { ...outageToJson(outage), members });
  printTable(
    cli.io,
    ["NAME", "USERNAME", "PHONE", "BOX", "PORT", "DARK", "BACK"],
    members.map(({ name, username, mobile_number, box_number, port, dark_at, back_at }) => [
      name,
      username,
      mobile_number,
      box_number ?? "",
      port ?? "",
      dark_at,
      back_at ?? "no",
    ]),
  );
  printTotal(cli.io, counted(members.length, "line"));
}
