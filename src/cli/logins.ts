import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { loginLog } from "../domain/service/access/log.ts";
import { outcomes } from "../domain/service/access/outcomes.ts";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import { subscriberByUsername } from "../domain/goods/subscribers/find.ts";
import { loginToJson } from "../wire/login.ts";
import { counted } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printTable, printTotal } from "./io.ts";
import { parseLimit, parseMacOption, parseTimeOption } from "./sessions.ts";
import { SEE_LIST } from "./see-list.ts";

interface Options {
  user?: string;
  name?: string;
  nas?: string;
  mac?: string;
  reason?: string;
  accepted?: boolean;
  rejected?: boolean;
  from?: string;
  until?: string;
  limit?: string;
  json?: boolean;
}

const USUAL_LIMIT = 50;

export function addLoginsCommand(program: Command, cli: Cli): void {
  program
    .command("logins")
    .description("print how logins were decided and why, the newest first")
    .option("--user <username>", "of this subscriber")
    .option("--name <name>", "of this name as the router sent it, whether it is a subscriber's or not")
    .option("--nas <nas>", "asked about by this router, by name or address")
    .option("--mac <address>", "from this device")
    .option("--reason <reason>", `for this reason: ${Object.keys(outcomes).join(", ")}`)
    .option("--accepted", "accepted ones alone")
    .option("--rejected", "rejected ones alone")
    .option("--from <time>", "at this time or later, as 2030-01-31 12:00:00")
    .option("--until <time>", "at this time or before")
    .option("--limit <number>", `at most so many (${USUAL_LIMIT})`)
    .option("--json", "print JSON")
    .action(async (options: Options) => {
      const limit = options.limit === undefined ? USUAL_LIMIT : parseLimit(options.limit);
      const page = { limit, before: Number.MAX_SAFE_INTEGER };
      const found = (
        await cli.withStore((db) => loginLog(db, cli.by, readFilter(db, cli, options), page))
      ).map(loginToJson);
      if (options.json) return printJson(cli.io, found);
      printTable(
        cli.io,
        ["AT", "NAME", "ROUTER", "MAC", "DECISION"],
        found.map(({ at, username, nas, nas_ip, mac, words, accepted, reason }) => [
          at,
          username,
          nas ?? nas_ip,
          mac,
          { text: words, tone: accepted === 0 ? "bad" : reason === "accepted" ? "good" : "warning" },
        ]),
      );
      printTotal(cli.io, counted(found.length, "login"));
    });
}

function readFilter(db: Db, { by }: Cli, options: Options) {
  const { user, name, nas, mac, reason, accepted, rejected, from, until } = options;
  if (accepted && rejected) throw new CommandError("--accepted and --rejected exclude each other; give one");
  if (reason !== undefined && !Object.hasOwn(outcomes, reason))
    throw new CommandError(`--reason is ${reason}; it must be one of ${Object.keys(outcomes).join(", ")}`);
  return {
    subscriberId: user === undefined ? undefined : subscriberByUsername(db, by.scope, user, SEE_LIST).id,
    username: name,
    nasId: nas === undefined ? undefined : nasNamed(db, by, nas).id,
    mac: mac === undefined ? undefined : parseMacOption(mac),
    reason,
    accepted: accepted ? (1 as const) : rejected ? (0 as const) : undefined,
    from: from === undefined ? undefined : parseTimeOption("--from", from),
    to: until === undefined ? undefined : parseTimeOption("--until", until),
  };
}
