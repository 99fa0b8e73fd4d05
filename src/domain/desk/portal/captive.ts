import type { Db } from "../../../../db/open.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";
import { subscriberActor } from "../../goods/subscribers/tokens.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Line, lineOf } from "./line.ts";
import { type Renewal, renewalOf } from "./renewal.ts";
import { subscriberAt } from "./subscriber-at.ts";

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
  const line = lineOf(db, by, subscriber, { now });
  return { subscriber, line, renewal: renewalOf(db, by, { subscriber, line }), reason: reasonOf(line) };
}

function reasonOf({ status, quota }: Line): Captive["reason"] {
  if (status !== "active") return status;
  return quota?.isUsedUp && !quota.slowsDown ? "quota_used_up" : "renewed";
}
