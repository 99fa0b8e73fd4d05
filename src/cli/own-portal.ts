import type { Config } from "../config/config.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { ownAddressTowards } from "./own-address.ts";

/** Whether there is a portal at an address of this machine: with TLS the certificate is of a name. */
export function hasOwnPortal({ publicListen, tls }: Pick<Config, "publicListen" | "tls">): boolean {
  return publicListen !== null && tls === null;
}

/** Milliseconds for which it is known where a client reaches us: a page of the walled garden is a dozen requests. */
const STAYS = 60_000;
/** Clients of whom it is known at the most. */
const MOST = 1000;

/**
 * Where a client of the walled garden reaches the portal when nobody has said where it is: at the public listener, which routers that are
 * set up let it reach. null where there is none.
 */
export function ownPortals(
  config: Pick<Config, "publicListen" | "tls">,
  { towards = ownAddressTowards, now = () => performance.now() } = {},
): (client: string) => Promise<string | null> {
  const known = new Map<string, { readonly url: Promise<string | null>; readonly until: number }>();
  return (client) => {
    const found = known.get(client);
    if (found && found.until > now()) return found.url;
    known.delete(client); // it comes last again, and the first is the oldest
    const [oldest] = known.keys();
    if (known.size >= MOST && oldest !== undefined) known.delete(oldest);
    const url = ownPortal(config, client, towards);
    known.set(client, { url, until: now() + STAYS });
    return url;
  };
}

async function ownPortal(
  config: Pick<Config, "publicListen" | "tls">,
  client: string,
  towards: typeof ownAddressTowards,
): Promise<string | null> {
  const { publicListen } = config;
  if (publicListen === null || !hasOwnPortal(config)) return null;
  try {
    const own = await towards({ address: client }, publicListen.host);
    return `http://${own.includes(":") ? `[${own}]` : own}:${publicListen.port}/portal`;
  } catch (error) {
    if (error instanceof DomainError) return null; // there is no way back to it
    throw error;
  }
}
