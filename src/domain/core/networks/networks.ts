import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { splitZone } from "./zone.ts";

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

/** The network of an address, as sessions store it. */
export function networkOf(address: Uint8Array | readonly number[], length: number): string {
  const network = Array.from(
    address,
    (byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, length - 8 * i))),
  );
  return `${new ipaddr.IPv6(network).toRFC5952String()}/${length}`;
}

/** Every prefix of an address, for an index. */
export function prefixesAround(address: ipaddr.IPv6): string[] {
  const bytes = address.toByteArray();
  return Array.from({ length: 128 }, (_, index) => networkOf(bytes, 128 - index));
}

/** The unit of counting attempts: an IPv6 customer has 2^64 addresses, so its /64. */
export function customerAddress(address: string): string {
  if (!address.includes(":") || !ipaddr.IPv6.isValid(address)) return address;
  return networkOf(ipaddr.IPv6.parse(address).toByteArray(), 64);
}

/** Canonical addresses or networks. */
export function overlap(one: string, other: string): boolean {
  const [first, second] = [splitZone(one), splitZone(other)];
  if (first.zone !== null && second.zone !== null && first.zone !== second.zone) return false;
  const [[a, lengthA], [b, lengthB]] = [parsed(first.host), parsed(second.host)];
  return a.kind() === b.kind() && a.match(b, Math.min(lengthA, lengthB));
}

function parsed(addressOrCidr: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (addressOrCidr.includes("/")) return ipaddr.parseCIDR(addressOrCidr);
  const address = ipaddr.parse(addressOrCidr);
  return [address, address.toByteArray().length * 8];
}
