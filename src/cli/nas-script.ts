import { type Command, Option } from "commander";
import { isIP } from "node:net";
import { parseListen } from "../config/listen.ts";
import { nasNamed } from "../domain/nas/nas.ts";
import { type RadiusPlace, scriptOfNas } from "../domain/nas/script.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printLine } from "./io.ts";
import { containerCommands, type ContainerOptions, placeOfContainer } from "./nas-container.ts";
import { nasTools } from "./nas-tools.ts";

interface Options extends ContainerOptions {
  server?: string;
  container?: boolean;
}

export function addNasScript(nas: Command, cli: Cli): void {
  nas
    .command("script")
    .description(
      "print the RouterOS commands that point a router here, or the configuration of its kind, its secrets included; a MikroTik without a RouterOS API gets an account for it, which they make there and we keep",
    )
    .argument("[nas]", "its name, address or id; with --container it may be left out")
    .option(
      "--server <address,...>",
      "our address as the router reaches it (by default the one that leads to it); several, as of access boxes: the nearest first, asked in this order, ADDRESS:PORT where one does not listen on 1812 and 1813",
    )
    .option(
      "--container",
      "first the commands that run us in a container of this router (RouterOS 7); --server is the container's address then",
    )
    .option("--disk <name>", "with --container: the router's disk for the image and the data (usb1)")
    .option(
      "--backups <folder>",
      "with --container: a folder of another disk of the router, which is /backups inside",
    )
    .addOption(
      new Option("--arch <architecture>", "with --container: of the router (arm64)").choices([
        "arm64",
        "amd64",
      ]),
    )
    .action(async (named: string | undefined, { server, container, ...where }: Options) => {
      const { config, io, by } = cli;
      const inside = container ? containerCommands(where, server) : undefined;
      for (const line of inside?.commands ?? []) printLine(io, line);
      if (named === undefined) {
        if (inside) return;
        throw new CommandError("which router? its name, address or id: gatehouse nas script NAS");
      }
      const [first, ...others] = (inside?.address ?? server)?.split(",").map(placeNamed) ?? [];
      const lines = await cli.withStore(async (db) => {
        const tools = nasTools(db, { config, clock: cli.now });
        return scriptOfNas(db, by, nasNamed(db, by, named).id, {
          now: cli.now(),
          placeOf: async (router, lists) => {
            if (inside) return placeOfContainer(inside.address);
            if (!first) return tools.placeOf(router, lists, undefined);
            if (others.length === 0 && !first.hasPort) return tools.placeOf(router, lists, first.server);
            // boxes have no pages: who has expired is sent to the books
            const { walled } = await tools.placeOf(
              router,
              lists,
              lists.length > 0 ? undefined : first.server,
            );
            return { ...first, others, walled };
          },
        });
      });
      for (const line of lines) printLine(io, line);
    });
}

/** Where a router asks, as it was typed; the port of accounting is the one above that of authentication. */
function placeNamed(text: string): RadiusPlace & { hasPort: boolean } {
  const address = text.trim();
  if (isIP(address) !== 0) return { server: address, authPort: 1812, acctPort: 1813, hasPort: false };
  const listen = parseListen(address);
  if (!listen || listen.port === 0)
    throw new CommandError(
      `--server is ${address}; it must be an IP address, or several such as 10.0.0.2,10.0.0.1:1822`,
    );
  return { server: listen.host, authPort: listen.port, acctPort: listen.port + 1, hasPort: true };
}
