import type { Grant } from "./decide.ts";

/** An attribute of an Access-Accept, by its name in the dictionaries of the RFCs and of MikroTik, and how its value is written. */
export type GrantAttribute =
  | { readonly kind: "text"; readonly name: "Framed-Pool" | "Framed-IPv6-Pool"; readonly value: string }
  | {
      readonly kind: "mikrotik text";
      readonly name: "Mikrotik-Rate-Limit" | "Mikrotik-Address-List" | "Mikrotik-Delegated-IPv6-Pool";
      readonly value: string;
    }
  | {
      readonly kind: "integer";
      readonly name: "Session-Timeout" | "Idle-Timeout" | "Acct-Interim-Interval";
      readonly value: number;
    }
  | {
      readonly kind: "mikrotik integer";
      readonly name: "Mikrotik-Total-Limit" | "Mikrotik-Total-Limit-Gigawords";
      readonly value: number;
    }
  | { readonly kind: "ipv4"; readonly name: "Framed-IP-Address"; readonly value: string }
  | {
      readonly kind: "prefix";
      readonly name: "Framed-IPv6-Prefix" | "Delegated-IPv6-Prefix";
      readonly value: string;
    };

/** What a router is told of a grant, in the order in which it stands in the Accept: for who sends it, and for who shows what is sent. */
export function attributesOf(
  grant: Grant,
  { interimInterval }: { interimInterval: number },
): GrantAttribute[] {
  const told: GrantAttribute[] = [];
  const { rateLimit, framedIp, framedPool, addressList, sessionTimeout, idleTimeout } = grant;
  if (rateLimit) told.push({ kind: "mikrotik text", name: "Mikrotik-Rate-Limit", value: rateLimit });
  if (framedIp) told.push({ kind: "ipv4", name: "Framed-IP-Address", value: framedIp });
  if (framedPool) told.push({ kind: "text", name: "Framed-Pool", value: framedPool });
  addIpv6(told, grant);
  if (addressList) told.push({ kind: "mikrotik text", name: "Mikrotik-Address-List", value: addressList });
  told.push({ kind: "integer", name: "Session-Timeout", value: sessionTimeout });
  if (idleTimeout) told.push({ kind: "integer", name: "Idle-Timeout", value: idleTimeout });
  told.push({ kind: "integer", name: "Acct-Interim-Interval", value: interimInterval });
  if (grant.totalLimit !== undefined) addTotal(told, grant.totalLimit);
  return told;
}

function addIpv6(told: GrantAttribute[], grant: Grant): void {
  const { framedIpv6Prefix, framedIpv6Pool, delegatedIpv6Prefix, delegatedIpv6Pool } = grant;
  if (framedIpv6Prefix) told.push({ kind: "prefix", name: "Framed-IPv6-Prefix", value: framedIpv6Prefix });
  if (framedIpv6Pool) told.push({ kind: "text", name: "Framed-IPv6-Pool", value: framedIpv6Pool });
  if (delegatedIpv6Prefix)
    told.push({ kind: "prefix", name: "Delegated-IPv6-Prefix", value: delegatedIpv6Prefix });
  if (delegatedIpv6Pool)
    told.push({ kind: "mikrotik text", name: "Mikrotik-Delegated-IPv6-Pool", value: delegatedIpv6Pool });
}

/** Bytes in two numbers of 32 bits, the upper one where there is something in it. */
function addTotal(told: GrantAttribute[], bytes: number): void {
  const gigawords = Math.floor(bytes / 2 ** 32);
  told.push({ kind: "mikrotik integer", name: "Mikrotik-Total-Limit", value: bytes % 2 ** 32 });
  if (gigawords > 0)
    told.push({ kind: "mikrotik integer", name: "Mikrotik-Total-Limit-Gigawords", value: gigawords });
}
