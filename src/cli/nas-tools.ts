import { isIP } from "node:net";
import type { Db } from "../../db/open.ts";
import type { Config } from "../config/config.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import type { Nas } from "../domain/goods/nas/find.ts";
import type { RouterScript } from "../domain/goods/router-setup/parts.ts";
import type { NasTools } from "../domain/goods/router-setup/tools.ts";
import type { Clock } from "../domain/core/time/time.ts";
import { askRouter } from "./ask-router.ts";
import { openRouter } from "./open-router.ts";
import { ownAddressTowards } from "./own-address.ts";
import { readRouterConfig } from "./read-config.ts";
import { sendHotspot } from "./send-hotspot.ts";

export function nasTools(db: Db, { config, clock }: { config: Config; clock: Clock }): NasTools {
  const { radiusAuthListen: auth, radiusAcctListen: acct, radsecListen: radsec } = config;
  return {
    ask: (router, address) => askRouter(db, router, { address, listen: auth.host, clock }),
    findPlace: async (router, expiredLists, named) => {
      // RouterOS dials names, and takes them nowhere else
      const own =
        named && isIP(named)
          ? named
          : await ownAddressTowards(router, auth.host).catch((error: unknown) => {
              if (named !== undefined && expiredLists.length === 0) return named; // the way may begin at the router alone
              throw error;
            });
      const walled = isIP(own) ? requireWalledGarden(config, own, expiredLists) : null;
      return {
        server: named ?? own,
        authPort: auth.port || 1812,
        acctPort: acct.port || 1813,
        walled,
        apiFrom: [own],
        ...(radsec?.port && { radsecPort: radsec.port }),
      };
    },
    portalOrigin: (router) => portalOrigin(config, router),
    sendHotspot: (router, source) => sendHotspot(db, router, source),
    open: openRouter,
    readConfig: (router) => readRouterConfig(db, router),
    ownAddress: (router) => ownAddressTowards(router, auth.host),
  };
}

/** Throws `refused` when there is none: a router must not send expired subscribers to the listener of the staff. */
function requireWalledGarden(
  { walledListen, publicListen }: Config,
  own: string,
  lists: readonly string[],
): RouterScript["walled"] {
  if (!walledListen && lists.length === 0) return null;
  if (!walledListen)
    throw new DomainError(
      "refused",
      phrase`packages put expired subscribers on the address list ${lists.join(", ")}, and the walled garden that the router has to send them to is off; set GATEHOUSE_WALLED_LISTEN=0.0.0.0:8081, restart the server, and run this again`,
    );
  const { host, port } = walledListen;
  const address = host === "0.0.0.0" || host === "::" ? own : host;
  return { address, port, portalPort: publicListen?.port ?? null };
}

/** The listener that routers reach best: the LAN's where it speaks clear text, for they trust no certificate of ours. */
async function portalOrigin({ httpListen, tls }: Config, router: Nas): Promise<string> {
  const own = await ownAddressTowards(router, httpListen.host);
  const host = own.includes(":") ? `[${own}]` : own;
  return `${tls?.lan ? "https" : "http"}://${host}:${httpListen.port}`;
}
