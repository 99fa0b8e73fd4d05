import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** Whether an IP address is one of `own`: requests to ourselves pass no firewall. */
export function isOneOf(own: readonly string[], address: string): boolean {
  if (isIP(address) === 0) return false;
  const written = ipaddr.process(address).toString();
  return own.some((one) => isIP(one) > 0 && ipaddr.process(one).toString() === written);
}

export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((cards) => (cards ?? []).map(({ address }) => address));
}
