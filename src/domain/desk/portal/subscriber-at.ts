import ipaddr from "ipaddr.js";
import type { Condition } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { prefixesAround } from "../../core/networks/networks.ts";
import { type Subscriber, subscribersWhere } from "../../goods/subscribers/find.ts";

/** By IPv4 address or IPv6 prefix. undefined: nobody, or ambiguous, because neither may see the other's name. */
export function subscriberAt(db: Db, address: string): Subscriber | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const { text, values } = sessionHas(ipaddr.process(address));
  const [found, another] = subscribersWhere(db, {
    text: `s.id IN (SELECT DISTINCT subscriber_id FROM sessions
      WHERE subscriber_id IS NOT NULL AND stopped_at IS NULL AND ${text} LIMIT 2)`,
    values,
  });
  return another ? undefined : found;
}

function sessionHas(address: ipaddr.IPv4 | ipaddr.IPv6): Condition {
  if (!(address instanceof ipaddr.IPv6)) return { text: "framed_ip = ?", values: [address.toString()] };
  const prefixes = prefixesAround(address);
  const among = `IN (${prefixes.map(() => "?").join(", ")})`;
  const text = `(framed_ipv6_prefix ${among} OR delegated_ipv6_prefix ${among})`;
  return { text, values: [...prefixes, ...prefixes] };
}
