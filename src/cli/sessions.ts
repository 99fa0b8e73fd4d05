import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { isCard } from "../domain/service/cards/is-card.ts";
import { listSessions } from "../domain/service/sessions/list.ts";
import { addressHolders } from "../domain/service/sessions/address-holders.ts";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import { subscriberByUsername } from "../domain/goods/subscribers/find.ts";
import { parseMac } from "../domain/core/fields/text.ts";
import { parseTime, type Seconds } from "../domain/core/time/time.ts";
import { volume } from "../domain/core/fields/volume.ts";
import { sessionToJson } from "../wire/session.ts";
import { counted, state, sum, traffic } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { type Cell, CommandError, printJson, printTable, printTotal } from "./io.ts";
import { addSessionsEnd } from "./sessions-end.ts";
import { SEE_LIST } from "./see-list.ts";

interface ListOptions {
  user?: string;
  nas?: string;
  mac?: string;
  address?: string;
  all?: boolean;
  from?: string;
  until?: string;
  limit?: string;
  json?: boolean;
}

export function addSessionsCommands(program: Command, cli: Cli): void {
  const sessions = program.command("sessions").description("the accounting sessions");
  addList(sessions, cli);
  addWho(sessions, cli);
  addSessionsEnd(sessions, cli);
}

function addList(sessions: Command, cli: Cli): void {
  sessions
    .command("list")
    .description("print who is online")
    .option("--user <username>", "of this subscriber, or of this card by its number (C-000123)")
    .option("--nas <nas>", "on this router, by name or address")
    .option("--mac <address>", "of this device")
    .option("--address <ipv4>", "with this address")
    .option("--all", "closed sessions too, the newest first")
    .option("--from <time>", "open at this time or later, as 2030-01-31 12:00:00 (with --all)")
    .option("--until <time>", "begun at this time or before (with --all)")
    .option("--limit <number>", "at most so many")
    .option("--json", "print JSON")
    .action(async (options: ListOptions) => {
      const { user: username, nas, address: framedIp, all } = options;
      const filter = {
        username,
        nas,
        framedIp,
        all,
        mac: options.mac === undefined ? undefined : parseMacOption(options.mac),
        from: options.from === undefined ? undefined : parseTimeOption("--from", options.from),
        until: options.until === undefined ? undefined : parseTimeOption("--until", options.until),
        limit: options.limit === undefined ? undefined : parseLimit(options.limit),
      };
      const listed = await cli.withStore((db) => {
        const sessions = listSessions(db, cli.by, filter);
        // nobody online and a name that is misspelt look the same
        if (sessions.length === 0 && !options.json) requireNamed(db, cli, options);
        return sessions;
      });
      const found = listed.map(sessionToJson);
      if (options.json) return printJson(cli.io, found);
      const headings = ["USERNAME", "ADDRESS", "MAC", "NAS", "UP", "DOWN", "SINCE"];
      printTable(
        cli.io,
        all ? headings.concat("UNTIL", "CAUSE") : headings,
        found.map((session) => {
          const cells: Cell[] = [
            session.username,
            session.ip ?? session.ipv6_prefix,
            session.mac,
            session.nas ?? session.nas_ip,
            traffic(session.input_octets),
            traffic(session.output_octets),
            session.start_time,
          ];
          return all ? cells.concat(session.stop_time ?? state("online"), session.terminate_cause) : cells;
        }),
      );
      printTotal(cli.io, describeTotal(found));
    });
}

/** Throws not_found for an unknown router or subscriber. */
function requireNamed(db: Db, { by }: Cli, { user, nas }: ListOptions): void {
  if (nas !== undefined) nasNamed(db, by, nas);
  if (user !== undefined && !isCard(db, user)) subscriberByUsername(db, by.scope, user, SEE_LIST);
}

function describeTotal(found: readonly ReturnType<typeof sessionToJson>[]): string {
  const count = counted(found.length, "session");
  if (found.length === 0) return count;
  const up = volume(sum(found.map(({ input_octets }) => input_octets)));
  const down = volume(sum(found.map(({ output_octets }) => output_octets)));
  return `${count}, ${up} up, ${down} down`;
}

function addWho(sessions: Command, cli: Cli): void {
  sessions
    .command("who")
    .description("print who had an address")
    .argument("<address>", "IPv4, or an IPv6 address or prefix within one that was given or delegated")
    .option("--at <time>", "at this time, as 2030-01-31 12:00:00 in server time (now)")
    .option("--json", "print JSON")
    .action(async (address: string, { at, json }: { at?: string; json?: boolean }) => {
      const time = at === undefined ? cli.now() : parseTimeOption("--at", at);
      const rows = await cli.withStore((db) => addressHolders(db, cli.by, { address, at: time }));
      const found = rows.map((row) => Object.assign(sessionToJson(row), { name: row.subscriberName }));
      if (json) return printJson(cli.io, found);
      if (found.length === 0) throw new CommandError(`no session on record had ${address} at that time`);
      printTable(
        cli.io,
        ["USERNAME", "NAME", "MAC", "NAS", "SINCE", "UNTIL", "SESSION"],
        found.map((session) => [
          session.username,
          session.name,
          session.mac,
          session.nas ?? session.nas_ip,
          session.start_time,
          session.stop_time ?? state("online"),
          session.session_id,
        ]),
      );
    });
}

export function parseTimeOption(option: string, text: string): Seconds {
  const plain = text.replace("T", " ");
  const time = parseTime(plain) ?? parseTime(`${plain}:00`) ?? parseTime(`${plain} 00:00:00`);
  if (time === undefined)
    throw new CommandError(`${option} is ${text}; it must be a time such as "2030-01-31 12:00:00"`);
  return time;
}

export function parseMacOption(text: string): string {
  const mac = parseMac(text);
  if (mac === undefined)
    throw new CommandError(`--mac is ${text}; it must be a MAC address such as AA:BB:CC:DD:EE:FF`);
  return mac;
}

export function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CommandError(`--limit is ${text}; it must be a whole number from 1`);
  return Number(text);
}
