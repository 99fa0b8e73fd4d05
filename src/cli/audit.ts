import { type Command, InvalidArgumentError } from "commander";
import { auditLog } from "../domain/core/audit/audit-log.ts";
import { from, to } from "../domain/core/fields/fields.ts";
import { auditEntryToJson } from "../wire/audit.ts";
import { cut } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { printJson, printTable } from "./io.ts";

interface Options {
  from?: number;
  to?: number;
  by?: string;
  source?: string;
  action?: string;
  entity?: string;
  id?: string;
  before?: number;
  limit: number;
  json?: boolean;
}

/** Characters of what was changed that the table shows; `--json` shows it all, and what it was before. */
const ROOM = 70;

export function addAuditCommand(program: Command, cli: Cli): void {
  program
    .command("audit")
    .description("print who changed what, the newest first")
    .option("--from <time>", "at this day or time or later, as 2030-01-31 12:00:00", time(from))
    .option("--to <time>", "at this day or time or before", time(to))
    .option("--by <name>", "by this account, or by this user of the command line")
    .option("--source <source>", "from this IP address, or from cli, system or portal")
    .option("--action <action>", "this was done, as subscriber.update")
    .option(
      "--entity <noun>",
      "to one of these: subscriber, payment, invoice, closing, package, staff, role, nas, city, setting, session and so on",
    )
    .option("--id <id>", "to the one with this id (with --entity)")
    .option("--before <id>", "before the entry of this id", whole)
    .option("--limit <number>", "at most so many", whole, 50)
    .option("--json", "print JSON")
    .action(async ({ by: actor, id: entityId, limit, before, json, ...filter }: Options) => {
      const paging = { limit, before: before ?? Number.MAX_SAFE_INTEGER };
      const rows = await cli.readStore((db) => auditLog(db, cli.by, { ...filter, actor, entityId }, paging));
      const entries = rows.map(auditEntryToJson);
      if (json) return printJson(cli.io, entries);
      printTable(
        cli.io,
        ["ID", "AT", "BY", "FROM", "ACTION", "OF", "WHAT"],
        entries.map((entry) => [
          entry.id,
          entry.at,
          entry.actor,
          entry.source,
          entry.action,
          entry.entity_id,
          cut(JSON.stringify(entry.after ?? entry.before ?? {}), ROOM),
        ]),
      );
    });
}

function time({ read, message }: typeof from) {
  return (value: string): number => {
    const seconds = read(value);
    if (seconds === undefined) throw new InvalidArgumentError(`It ${message}.`);
    return seconds;
  };
}

function whole(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a whole number, 1 or more.");
}
