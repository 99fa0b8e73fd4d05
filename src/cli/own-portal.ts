import type { Config } from "../config/config.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { ownAddressTowards } from "./own-address.ts";

/** Needs TLS: its certificate proves the name. */
export function hasOwnPortal({ publicListen, tls }: Pick<Config, "publicListen" | "tls">): boolean {
  return publicListen !== null && tls === null;
}

const STAYS = 60_000;
const MOST = 1000;

/**
 * Where a client of the walled garden reaches the portal when `portal_url` is empty: the public listener, which routers let it
 * reach. null: there is none.
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
