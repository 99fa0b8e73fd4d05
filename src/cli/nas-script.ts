import type { Command } from "commander";
import { isIP } from "node:net";
import type { Config } from "../config/config.ts";
import { apiAccount } from "../domain/nas/api-account.ts";
import type { Nas } from "../domain/nas/find.ts";
import { nasNamed } from "../domain/nas/nas.ts";
import { expiredListsOf, routerScript, type RouterScript } from "../domain/nas/script.ts";
import { setting } from "../domain/settings/settings.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printLine } from "./io.ts";

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
        const router = nasNamed(db, by, named);
        const own = server ?? (await ownAddressTowards(router, config.radiusAuthListen.host));
        const expiredLists = expiredListsOf(db, by, router.ispId);
        return routerScript({
          server: own,
          secret: db.vault.openText(router.secretSealed),
          authPort: config.radiusAuthListen.port || 1812,
          acctPort: config.radiusAcctListen.port || 1813,
          coaPort: router.coaPort,
          interimInterval: setting(db, "acct_interim_interval"),
          expiredLists,
          walled: expiredLists.length === 0 ? null : walledGardenOf(config, own, expiredLists),
          api: apiAccount(db, by, router.id, { now: cli.now() }),
        });
      });
      for (const line of lines) printLine(io, line);
    });
}

/** Throws CommandError when there is none: a router must not send expired subscribers to the listener of the staff. */
function walledGardenOf(
  { walledListen, publicListen }: Config,
  own: string,
  lists: readonly string[],
): NonNullable<RouterScript["walled"]> {
  if (!walledListen)
    throw new CommandError(
      `packages put expired subscribers on the address list ${lists.join(", ")}, and the walled garden that the router has to send them to is off; set GATEHOUSE_WALLED_LISTEN=0.0.0.0:8081, restart the server, and run this again`,
    );
  const { host, port } = walledListen;
  const address = host === "0.0.0.0" || host === "::" ? own : host;
  return { address, port, portalPort: publicListen?.port ?? null };
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
