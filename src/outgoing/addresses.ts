import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Whether an IP address is one of the public internet: no loopback, link-local, LAN, metadata or multicast address, and none that wraps one. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) > 0 && ipaddr.parse(address).range() === "unicast";
}
