import ipaddr from "ipaddr.js";
import type { Grant } from "../../domain/access/decide.ts";
import { Attribute, Mikrotik, Vendor } from "../packet/numbers.ts";
import type { PacketWriter } from "../packet/writer.ts";

/**
 * What an answer does without where a proxy's Proxy-States, which it has to echo, leave no room for it: what only tunes or
 * explains, then IPv6 and MS-CHAP-Error. What bounds a subscriber is never left out.
 */
export const Spared = { nothing: 0, comfort: 1, most: 2 } as const;

/** Writes a grant into an Access-Accept. */
export function writeGrant(
  reply: PacketWriter,
  grant: Grant,
  { interimInterval }: { interimInterval: number },
  spared: number,
): void {
  const { framedIp, framedPool } = grant;
  if (grant.rateLimit) reply.vendorText(Vendor.Mikrotik, Mikrotik["Mikrotik-Rate-Limit"], grant.rateLimit);
  if (framedIp) reply.ipv4(Attribute["Framed-IP-Address"], framedIp);
  if (framedPool) reply.text(Attribute["Framed-Pool"], framedPool);
  if (spared < Spared.most) writeIpv6(reply, grant);
  if (grant.addressList)
    reply.vendorText(Vendor.Mikrotik, Mikrotik["Mikrotik-Address-List"], grant.addressList);
  reply.integer(Attribute["Session-Timeout"], grant.sessionTimeout);
  if (spared < Spared.comfort) {
    if (grant.idleTimeout) reply.integer(Attribute["Idle-Timeout"], grant.idleTimeout);
    reply.integer(Attribute["Acct-Interim-Interval"], interimInterval);
  }
  if (grant.totalLimit !== undefined) {
    const gigawords = Math.floor(grant.totalLimit / 2 ** 32);
    reply.vendorInteger(Vendor.Mikrotik, Mikrotik["Mikrotik-Total-Limit"], grant.totalLimit % 2 ** 32);
    if (gigawords > 0)
      reply.vendorInteger(Vendor.Mikrotik, Mikrotik["Mikrotik-Total-Limit-Gigawords"], gigawords);
  }
}

function writeIpv6(reply: PacketWriter, grant: Grant): void {
  const { framedIpv6Prefix, framedIpv6Pool, delegatedIpv6Prefix, delegatedIpv6Pool } = grant;
  if (framedIpv6Prefix) reply.attribute(Attribute["Framed-IPv6-Prefix"], encodePrefix(framedIpv6Prefix));
  if (framedIpv6Pool) reply.text(Attribute["Framed-IPv6-Pool"], framedIpv6Pool);
  if (delegatedIpv6Prefix)
    reply.attribute(Attribute["Delegated-IPv6-Prefix"], encodePrefix(delegatedIpv6Prefix));
  if (delegatedIpv6Pool)
    reply.vendorText(Vendor.Mikrotik, Mikrotik["Mikrotik-Delegated-IPv6-Pool"], delegatedIpv6Pool);
}

/** Reserved byte, prefix length, and as many bytes of prefix as it needs (RFC 3162 section 2.3, RFC 4818 section 3). */
function encodePrefix(prefix: string): Buffer {
  const [address, length] = ipaddr.parseCIDR(prefix);
  return Buffer.from([0, length, ...address.toByteArray().slice(0, Math.ceil(length / 8))]);
}
