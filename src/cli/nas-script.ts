import type { Command } from "commander";
import { isIP } from "node:net";
import { apiAccount } from "../domain/nas/api-account.ts";
import { type Nas, nasNamed } from "../domain/nas/nas.ts";
import { expiredListsOf, routerScript } from "../domain/nas/script.ts";
import { setting } from "../domain/settings/settings.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printLine } from "./io.ts";

export function addNasScript(nas: Command, cli: Cli): void {
  nas
    .command("script")
    .description("print the RouterOS commands that point a router here, its secrets included")
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
        const router = nasNamed(db, named);
        return routerScript({
          server: server ?? (await ownAddressTowards(router, config.radiusAuthListen.host)),
          secret: db.vault.openText(router.secretSealed),
          authPort: config.radiusAuthListen.port || 1812,
          acctPort: config.radiusAcctListen.port || 1813,
          coaPort: router.coaPort,
          portalPort: config.httpListen.port || 8080,
          interimInterval: setting(db, "acct_interim_interval"),
          expiredLists: expiredListsOf(db, router.ispId),
          api: apiAccount(db, router, { now: cli.now(), by }),
        });
      });
      for (const line of lines) printLine(io, line);
    });
}

/** The address that we listen on, or that the system would send from to reach the router. */
export async function ownAddressTowards({ address }: Nas, listen: string): Promise<string> {
  if (listen !== "0.0.0.0" && listen !== "::") return listen;
  const hostname = address.split("/")[0] ?? address;
  try {
    // connecting a UDP socket sends nothing
    const socket = await Bun.udpSocket({ connect: { hostname, port: 9 } });
    const own = socket.address.address;
    socket.close();
    return own;
  } catch {
    throw new CommandError(`this machine has no way to ${hostname}; name our address with --server ADDRESS`);
  }
}
