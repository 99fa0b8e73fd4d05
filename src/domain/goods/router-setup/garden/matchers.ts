import type { Item } from "../values.ts";

const matcher =
  /^(?:src-|dst-|in-|out-|connection-|icmp-|ipsec-|layer7-|packet-|per-connection-|routing-|tcp-|tls-|ipv4-|in-bridge|(?:content|dscp|fragment|headers|hop-limit|hotspot|ingress-priority|limit|nth|p2p|port|priority|protocol|psd|random|realm|time|tos|ttl)$)/;

export function pickMatchers(item: Item): Record<string, string> {
  return Object.fromEntries(
    Object.entries(item).filter(
      (entry): entry is [string, string] =>
        matcher.test(entry[0]) && entry[1] !== undefined && entry[1] !== "",
    ),
  );
}
