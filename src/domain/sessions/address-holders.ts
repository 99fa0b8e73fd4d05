import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { and, desc, eq, gte, inArray, isNull, lte, or } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { nas, sessions, subscribers } from "../../../db/schema.ts";
import { DomainError } from "../errors.ts";
import { prefixesAround } from "../networks.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { routerInScope, sessionInScope } from "./in-scope.ts";

/**
 * The sessions in the actor's scope that had an address at a time: an IPv4 address itself, an IPv6 address within a prefix that was given or
 * delegated. The newest first. Throws `invalid` for what is no address.
 */
export function addressHolders(db: Db, by: Actor, { address, at }: { address: string; at: Seconds }) {
  permit(by, "addressHolders");
  if (isIP(address) === 0) {
    const fields = { address: ["must be an IPv4 or IPv6 address"] };
    throw new DomainError("invalid", `${JSON.stringify(address)} is no IP address`, { fields });
  }
  const prefixes = isIPv4(address) ? [] : prefixesAround(ipaddr.IPv6.parse(address));
  const has = isIPv4(address)
    ? eq(sessions.framedIp, address)
    : or(inArray(sessions.framedIpv6Prefix, prefixes), inArray(sessions.delegatedIpv6Prefix, prefixes));
  return db
    .select({ session: sessions, nasName: nas.name, subscriberName: subscribers.name })
    .from(sessions)
    .leftJoin(nas, routerInScope(by.scope))
    .leftJoin(subscribers, eq(subscribers.id, sessions.subscriberId))
    .where(
      and(
        has,
        lte(sessions.startedAt, at),
        or(isNull(sessions.stoppedAt), gte(sessions.stoppedAt, at)),
        sessionInScope(by.scope),
      ),
    )
    .orderBy(desc(sessions.startedAt), desc(sessions.id))
    .all();
}
