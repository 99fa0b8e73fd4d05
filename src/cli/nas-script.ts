import type { Command } from "commander";
import { isIP } from "node:net";
import { nasNamed } from "../domain/nas/nas.ts";
import { scriptOfNas } from "../domain/nas/script.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printLine } from "./io.ts";
import { nasTools } from "./nas-tools.ts";

export function addNasScript(nas: Command, cli: Cli): void {
  nas
    .command("script")
    .description(
      "print the RouterOS commands that point a router here, its secrets included; a router without a RouterOS API gets an account for it, which they make there and we keep",
    )
    .argument("<nas>", "its name, address or id")
    .option(
      "--server <address>",
      "our address as the router reaches it (by default the one that leads to it)",
    )
    .action(async (named: string, { server }: { server?: string }) => {
      const { config, io, by } = cli;
      if (server !== undefined && isIP(server) === 0)
        throw new CommandError(`--server is ${server}; it must be an IP address`);
      const lines = await cli.withStore(async (db) => {
        const tools = nasTools(db, { config, clock: cli.now });
        return scriptOfNas(db, by, nasNamed(db, by, named).id, {
          now: cli.now(),
          placeOf: (router, lists) => tools.placeOf(router, lists, server),
        });
      });
      for (const line of lines) printLine(io, line);
    });
}
