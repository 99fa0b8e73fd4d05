import type { Config } from "../config/config.ts";
import { DomainError } from "../domain/errors.ts";
import { ownAddressTowards } from "./own-address.ts";

/** Whether there is a portal at an address of this machine: with TLS the certificate is of a name. */
export function hasOwnPortal({ publicListen, tls }: Pick<Config, "publicListen" | "tls">): boolean {
  return publicListen !== null && tls === null;
}

/**
 * Where a client of the walled garden reaches the portal when nobody has said where it is: at the public listener, which routers that are
 * set up let it reach. null where there is none.
 */
export async function ownPortal(
  config: Pick<Config, "publicListen" | "tls">,
  client: string,
): Promise<string | null> {
  const { publicListen } = config;
  if (publicListen === null || !hasOwnPortal(config)) return null;
  try {
    const own = await ownAddressTowards({ address: client }, publicListen.host);
    return `http://${own.includes(":") ? `[${own}]` : own}:${publicListen.port}/portal`;
  } catch (error) {
    if (error instanceof DomainError) return null; // there is no way back to it
    throw error;
  }
}
