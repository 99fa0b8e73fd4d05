import type { Command } from "commander";
import { isIP } from "node:net";
import { parseListen } from "../config/listen.ts";
import { nasNamed } from "../domain/nas/nas.ts";
import type { Nas } from "../domain/nas/find.ts";
import { type ScriptPlace, scriptOfNas } from "../domain/nas/script.ts";
import type { RadiusPlace } from "../domain/nas/setup/wanted.ts";
import type { NasTools } from "../domain/nas/tools.ts";
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
      const places = placesNamed(server);
      const lines = await cli.withStore(async (db) => {
        const tools = nasTools(db, { config, clock: cli.now });
        return scriptOfNas(db, by, nasNamed(db, by, named).id, {
          now: cli.now(),
          placeOf: placeAt(tools, places),
        });
      });
      for (const line of lines) printLine(io, line);
    });
}

interface NamedPlace extends RadiusPlace {
  readonly hasPort: boolean;
}

/** What --server names: where a router asks, the nearest first. Throws a CommandError for what is no address. */
export function placesNamed(server: string | undefined): NamedPlace[] {
  return (server?.split(",") ?? []).map(placeNamed);
}

/** Where we are as a router reaches us, or where it was said that it is to ask. */
export function placeAt(
  tools: Pick<NasTools, "placeOf">,
  [first, ...others]: readonly NamedPlace[],
): (router: Nas, lists: readonly string[]) => Promise<ScriptPlace> {
  return async (router, lists) => {
    if (!first) return tools.placeOf(router, lists, undefined);
    if (others.length === 0 && !first.hasPort) return tools.placeOf(router, lists, first.server);
    // boxes have no pages: who has expired is sent to the books
    const { walled } = await tools.placeOf(router, lists, lists.length > 0 ? undefined : first.server);
    return { ...first, others, walled };
  };
}

/** Where a router asks, as it was typed; the port of accounting is the one above that of authentication. */
function placeNamed(text: string): NamedPlace {
  const address = text.trim();
  if (isIP(address) !== 0) return { server: address, authPort: 1812, acctPort: 1813, hasPort: false };
  const listen = parseListen(address);
  if (!listen || listen.port === 0)
    throw new CommandError(
      `--server is ${address}; it must be an IP address, or several such as 10.0.0.2,10.0.0.1:1822`,
    );
  return { server: listen.host, authPort: listen.port, acctPort: listen.port + 1, hasPort: true };
}
