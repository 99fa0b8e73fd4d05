import type { Item } from "../values.ts";

/** What of a firewall rule decides which packets it is for; the rest says what is done to them, and counts. */
const matcher =
  /^(?:src-|dst-|in-|out-|connection-|icmp-|ipsec-|layer7-|packet-|per-connection-|routing-|tcp-|tls-|ipv4-|in-bridge|(?:content|dscp|fragment|headers|hop-limit|hotspot|ingress-priority|limit|nth|p2p|port|priority|protocol|psd|random|realm|time|tos|ttl)$)/;

/** The matchers of a rule, as it prints them. */
export function matchersOf(item: Item): Record<string, string> {
  return Object.fromEntries(
    Object.entries(item).filter(
      (entry): entry is [string, string] =>
        matcher.test(entry[0]) && entry[1] !== undefined && entry[1] !== "",
    ),
  );
}
