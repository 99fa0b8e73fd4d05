import ipaddr from "ipaddr.js";
import { splitZone } from "./zone.ts";

/** The prefix of a length around an IPv6 address, in the one form that sessions keep. */
export function networkOf(address: Uint8Array | readonly number[], length: number): string {
  const network = Array.from(
    address,
    (byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, length - 8 * i))),
  );
  return `${new ipaddr.IPv6(network).toRFC5952String()}/${length}`;
}

/** Every prefix that an address is in, so that an index finds the recorded ones. */
export function prefixesAround(address: ipaddr.IPv6): string[] {
  const bytes = address.toByteArray();
  return Array.from({ length: 128 }, (_, index) => networkOf(bytes, 128 - index));
}

/**
 * What an address counts as where attempts are counted: an IPv6 network of one customer, which has 2^64 addresses to
 * choose from, is one (its /64).
 */
export function customerOf(address: string): string {
  if (!address.includes(":") || !ipaddr.IPv6.isValid(address)) return address;
  return networkOf(ipaddr.IPv6.parse(address).toByteArray(), 64);
}

/** Whether two addresses or networks in canonical form have an address in common. */
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
