import { type Command, Option } from "commander";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import { buildNasScript } from "../domain/goods/router-setup/script.ts";
import { type NamedPlace, placeAt, placesNamed } from "../domain/goods/router-setup/places.ts";
import { readResolvers } from "../domain/core/settings/garden-settings.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printLine } from "./io.ts";
import { containerCommands, type ContainerOptions, containerPlace } from "./nas-container.ts";
import { nasTools } from "./nas-tools.ts";

interface Options extends ContainerOptions {
  server?: string;
  dns?: string;
  gardenLocalAddress?: string;
  gardenPool?: string;
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
      "--dns <address,...>",
      "whom the walled garden asks for names, two at the most (by default as the setting garden_dns says); router: the router itself, which has to answer (/ip dns allow-remote-requests)",
    )
    .option(
      "--garden-local-address <address>",
      "make a PPP profile of the walled garden, without IPv6, with this address of the router",
    )
    .option("--garden-pool <name>", "the pool of the router from which that profile gives addresses")
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
    .action(async (named: string | undefined, options: Options) => {
      const { server, container, dns, gardenLocalAddress, gardenPool, ...where } = options;
      const { config, io, by } = cli;
      const inside = container ? containerCommands(where, server) : undefined;
      for (const line of inside?.commands ?? []) printLine(io, line);
      if (named === undefined) {
        if (inside) return;
        throw new CommandError("which router? its name, address or id: gatehouse nas script NAS");
      }
      const lines = await cli.withStore(async (db) => {
        const tools = nasTools(db, { config, clock: cli.now });
        return buildNasScript(db, by, nasNamed(db, by, named).id, {
          now: cli.now(),
          isAsked: true,
          resolvers: dns === "router" ? [] : resolversOption(dns),
          profile: { "local-address": gardenLocalAddress, "remote-address": gardenPool },
          findPlace: inside
            ? async () => containerPlace(inside.address)
            : placeAt(tools.findPlace, placesOption(server)),
        });
      });
      for (const line of lines) printLine(io, line);
    });
}

/** Throws CommandError for what is no resolver. */
export function resolversOption(dns: string | undefined): string[] | undefined {
  const resolvers = dns === undefined ? undefined : readResolvers(dns);
  if (resolvers !== null) return resolvers;
  throw new CommandError(`--dns is ${dns}; it must be one or two IPv4 addresses such as 10.0.0.53,10.0.0.54`);
}

/** Places to which a router sends its requests, the nearest first. Throws CommandError for what is no address. */
export function placesOption(server = ""): NamedPlace[] {
  const places = placesNamed(server);
  if (typeof places !== "string") return places;
  throw new CommandError(
    `--server is ${places}; it must be an IP address, or several such as 10.0.0.2,10.0.0.1:1822`,
  );
}
