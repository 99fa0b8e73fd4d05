import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** Whether an IP address is on the public internet: not loopback, link-local, LAN, metadata or multicast, nor one that embeds such. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  // public IPv6 is 2000::/3 (RFC 4291 2.4); other ranges embed IPv4, such as ::127.0.0.1
  return (
    parsed.range() === "unicast" &&
    (!(parsed instanceof ipaddr.IPv6) || parsed.match(ipaddr.IPv6.parse("2000::"), 3))
  );
}

/** Whether an IP address is one of `own`: requests to ourselves pass no firewall. */
export function isOneOf(own: readonly string[], address: string): boolean {
  if (isIP(address) === 0) return false;
  const written = ipaddr.process(address).toString();
  return own.some((one) => isIP(one) > 0 && ipaddr.process(one).toString() === written);
}

export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((cards) => (cards ?? []).map(({ address }) => address));
}
