import type { Command } from "commander";
import { nasNamed } from "../domain/nas/nas.ts";
import { scriptOfNas } from "../domain/nas/script.ts";
import { type NamedPlace, placeAt, placesNamed } from "../domain/nas/setup/places.ts";
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
      "--server <address,...>",
      "our address as the router reaches it (by default the one that leads to it); several, as of access boxes: the nearest first, asked in this order, ADDRESS:PORT where one does not listen on 1812 and 1813",
    )
    .action(async (named: string, { server }: { server?: string }) => {
      const { config, io, by } = cli;
      const places = placesOption(server);
      const lines = await cli.withStore(async (db) => {
        const tools = nasTools(db, { config, clock: cli.now });
        return scriptOfNas(db, by, nasNamed(db, by, named).id, {
          now: cli.now(),
          placeOf: placeAt(tools.placeOf, places),
        });
      });
      for (const line of lines) printLine(io, line);
    });
}

/** What --server names: where a router asks, the nearest first. Throws a CommandError for what is no address. */
export function placesOption(server = ""): NamedPlace[] {
  const places = placesNamed(server);
  if (typeof places !== "string") return places;
  throw new CommandError(
    `--server is ${places}; it must be an IP address, or several such as 10.0.0.2,10.0.0.1:1822`,
  );
}
