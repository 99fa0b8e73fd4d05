import ipaddr from "ipaddr.js";
import { and, eq, inArray, isNull, or } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { sessions, subscribers } from "../../../db/schema.ts";
import { prefixesAround } from "../networks.ts";
import type { Subscriber } from "../subscribers/find.ts";

/**
 * The subscriber whose open session has this address: an IPv4 address itself, an IPv6 address within a prefix. undefined
 * for nobody, and for one that routers gave to two subscribers, because neither may see the other's name.
 */
export function subscriberAt(db: Db, address: string): Subscriber | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  const prefixes = parsed instanceof ipaddr.IPv6 ? prefixesAround(parsed) : [];
  const has =
    parsed instanceof ipaddr.IPv6
      ? or(inArray(sessions.framedIpv6Prefix, prefixes), inArray(sessions.delegatedIpv6Prefix, prefixes))
      : eq(sessions.framedIp, parsed.toString());
  const [found, another] = db
    .selectDistinct({ subscriber: subscribers })
    .from(sessions)
    .innerJoin(subscribers, eq(subscribers.id, sessions.subscriberId))
    .where(and(has, isNull(sessions.stoppedAt)))
    .limit(2)
    .all();
  return another ? undefined : found?.subscriber;
}
