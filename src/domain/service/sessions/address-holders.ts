import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import type { Condition } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { prefixesAround } from "../../core/networks/networks.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { sessionsInScope } from "./in-scope.ts";

/**
 * Sessions in scope that had an address at a time: an IPv4 address, or an IPv6 address or prefix within an assigned one. Newest
 * first. Throws `invalid`.
 */
export function addressHolders(db: Db, by: Actor, { address, at }: { address: string; at: Seconds }) {
  permit(by, "addressHolders");
  const { text, values } = heldAddress(address);
  const matching = {
    text: `${text} AND o.started_at <= ? AND (o.stopped_at IS NULL OR o.stopped_at >= ?)`,
    values: [...values, at, at],
  };
  return sessionsInScope(db, by.scope, matching, { order: "newest" });
}

/** SQL: sessions `o` that had an address or IPv6 prefix. Throws `invalid`. */
export function heldAddress(address: string): Condition {
  if (address.includes(":") && ipaddr.IPv6.isValidCIDR(address))
    return within(...ipaddr.IPv6.parseCIDR(address));
  if (isIP(address) === 0) {
    const fields = {
      address: [phrase`must be an IPv4 or IPv6 address, or an IPv6 prefix such as 2001:db8::/56`],
    };
    throw new DomainError("invalid", phrase`${JSON.stringify(address)} is no IP address`, { fields });
  }
  return isIPv4(address)
    ? { text: "o.framed_ip = ?", values: [address] }
    : within(ipaddr.IPv6.parse(address), 128);
}

/** Sessions whose prefix contains another; of 128 bits, an address. */
function within(address: ipaddr.IPv6, length: number): Condition {
  const prefixes = prefixesAround(address).slice(128 - length);
  const marks = prefixes.map(() => "?").join(", ");
  return {
    text: `(o.framed_ipv6_prefix IN (${marks}) OR o.delegated_ipv6_prefix IN (${marks}))`,
    values: [...prefixes, ...prefixes],
  };
}
