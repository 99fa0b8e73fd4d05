import type { Db } from "../../../../db/open.ts";
import { type Subscriber, subscribersWhere } from "../../goods/subscribers/find.ts";
import { subscriberActor } from "../../goods/subscribers/tokens.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Line, readLine } from "./line.ts";
import { planRenewal, type Renewal } from "./renewal.ts";
import ipaddr from "ipaddr.js";
import type { Condition } from "../../../../db/condition.ts";
import { prefixesAround } from "../../core/networks/networks.ts";

export interface Captive {
  readonly subscriber?: Subscriber;
  readonly line?: Line;
  readonly renewal?: Renewal;
  readonly reason: "expired" | "quota_used_up" | "disabled" | "inactive" | "renewed" | "unknown";
}

export function captiveAt(db: Db, address: string, now: Seconds): Captive {
  const subscriber = subscriberAt(db, address);
  if (!subscriber) return { reason: "unknown" };
  const by = subscriberActor(subscriber, "portal");
  const line = readLine(db, by, subscriber, { now });
  return { subscriber, line, renewal: planRenewal(db, by, { subscriber, line }), reason: reasonOf(line) };
}

function reasonOf({ status, quota }: Line): Captive["reason"] {
  if (status !== "active") return status;
  return quota?.isUsedUp && !quota.slowsDown ? "quota_used_up" : "renewed";
}

/** The subscriber at an IPv4 address or in an IPv6 prefix; undefined: nobody, or several, of whom neither may see the other's name. */
function subscriberAt(db: Db, address: string): Subscriber | undefined {
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
