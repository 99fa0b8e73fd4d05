import type { Db } from "../../../../db/open.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { termsInForce } from "../fair-use/terms.ts";
import { windowAt } from "../../goods/windows/window.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { requireRadius } from "../../goods/subscribers/connection-types.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { requireThawed } from "../../goods/subscribers/frozen.ts";
import { addDuration, formatTime, type Seconds, yearsAhead } from "../../core/time/time.ts";
import { isTopUp } from "../../goods/packages/top-up.ts";
import {
  commissionOf,
  MAX_YEARS,
  type Package,
  findPackage,
  type Plan,
  type PlanOptions,
  requireBalance,
  requireEnabled,
  type Service,
  requireSeller,
  findService,
} from "./plan.ts";
import { anchorOf } from "./service.ts";

export interface TopUp {
  subscriberId: number;
  packageId: number;
}

/** A planned top-up; minor units. */
export interface TopUpPlan extends Plan {
  readonly service: Service;
  readonly bytes: number;
  readonly days: number;
  /** Bytes left in the window afterwards, until the next tier or the end of the quota; null: no bytes added. */
  readonly left: number | null;
  /** Expiry of the bytes, except rollover. */
  readonly until: Seconds;
  readonly rolls: boolean;
}

/**
 * Plans a top-up, for all who sell or preview it. It needs a running service, for bytes one with a quota or tiers. Throws
 * not_found and refused as for an activation, then for service, salesperson, balance.
 */
export function planTopUp(
  db: Db,
  by: Actor,
  { subscriberId, packageId }: TopUp,
  { now, arriving = 0, marginHolder = null }: PlanOptions,
): TopUpPlan {
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const sold = findPackage(db, subscriber, packageId);
  requireEnabled(subscriber, sold);
  if (!isTopUp(sold))
    throw new DomainError(
      "refused",
      phrase`${sold.name} is a package and no top-up; sell it by activation/activate`,
      { code: "not_a_top_up" },
    );
  const stored = findService(db, subscriberId);
  requireThawed(stored);
  requireRadius(subscriber, phrase`can be topped up`);
  const service = running(stored, sold, now);
  const seller = requireSeller(db, subscriber);
  const balance = readBalance(db, { subscriberId }) + arriving;
  requireBalance(sold, { balance, credited: 0 });
  const commission = seller.id !== null && seller.id === marginHolder ? 0 : commissionOf(seller, sold);
  const { topUpBytes: bytes, topUpDays: days } = sold;
  const { expiresAt, anchor } = planEnd(service, days, now);
  const inForce = termsInForce(withBytes(service, bytes), now);
  return {
    subscriber,
    sold,
    seller,
    service,
    unused: [],
    credited: 0,
    balance,
    commission,
    // bytes are delivered at once, so they are not credited by time
    start: days > 0 ? service.expiresAt : now,
    periodEnd: days > 0 ? expiresAt : now,
    expiresAt,
    anchor,
    bytes,
    days,
    rolls: sold.topUpRolls === 1,
    left: bytes > 0 && inForce.nextAfter !== null ? inForce.nextAfter - inForce.used : null,
    until: inForce.windowEnd === null ? expiresAt : Math.min(inForce.windowEnd, expiresAt),
  };
}

function withBytes(service: Service, bytes: number): Service {
  const { quotaTotal, extraBytes } = service;
  return {
    ...service,
    extraBytes: extraBytes + bytes,
    quotaTotal: quotaTotal > 0 ? quotaTotal + bytes : 0,
  };
}

/** The service with the current window's counters. */
function running(service: Service | undefined, sold: Package, now: Seconds): Service {
  if (!service)
    throw new DomainError("refused", phrase`the subscriber was never activated; activate a package first`, {
      code: "never_activated",
    });
  if (service.expiresAt <= now)
    throw new DomainError(
      "refused",
      phrase`the service has ended (${formatTime(service.expiresAt)}); renew it, then top it up`,
      { code: "service_ended" },
    );
  if (sold.topUpBytes > 0 && service.quotaTotal === 0 && service.tiers === null)
    throw new DomainError(
      "refused",
      phrase`the service has neither a data volume nor tiers, so that bytes add nothing to it`,
      { code: "nothing_to_add" },
    );
  const start = windowAt(service.fairWindow, now)?.start;
  if (start === undefined || service.windowStart === null || start <= service.windowStart) return service;
  const { total, used, extra, rolling } = termsInForce(service, now);
  return {
    ...service,
    quotaTotal: total,
    quotaUsed: used,
    extraBytes: extra,
    rollingBytes: rolling,
    windowStart: start,
    freeBytes: 0,
    quotaCrossedAt: null,
  };
}

function planEnd(service: Service, days: number, now: Seconds) {
  if (days === 0) return { expiresAt: service.expiresAt, anchor: anchorOf(service) };
  const duration = { count: days, unit: "day" } as const;
  const { end: expiresAt, anchor } = addDuration(service.expiresAt, duration, anchorOf(service));
  const latest = yearsAhead(now, MAX_YEARS);
  if (expiresAt <= latest) return { expiresAt, anchor };
  throw new DomainError(
    "refused",
    phrase`the service would end more than ${MAX_YEARS} years from now, after ${formatTime(latest)}`,
    { code: "end_too_far" },
  );
}
