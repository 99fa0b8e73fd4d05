import type { services } from "../../../../db/schema.ts";
import { endAsThawed } from "../../goods/subscribers/frozen.ts";
import type { Seconds } from "../../core/time/time.ts";
import { isFair, termsInForce } from "./terms.ts";
import { tiersOf } from "../../goods/windows/tiers.ts";

type Service = Omit<typeof services.$inferSelect, "passwordSealed" | "ntHashSealed">;

/** A line's fair use for its pages. Bytes, and rates in RouterOS syntax. */
export interface FairStanding {
  readonly rate: string | null;
  /** Without tiers or hours. */
  readonly fullRate: string | null;
  /** Reached, of how many. */
  readonly tier: number;
  readonly tiers: number;
  readonly isUsedUp: boolean;
  readonly used: number;
  readonly total: number;
  /** Until the next tier or the end of the quota; null: none. */
  readonly left: number | null;
  readonly nextAfter: number | null;
  readonly nextRate: string | null;
  /** When counters reset and the full rate returns. */
  readonly returnsAt: Seconds;
  /** Reset by calendar rather than renewal. */
  readonly isByCalendar: boolean;
  readonly hours: { readonly isFree: boolean; readonly hasRate: boolean; readonly until: Seconds } | null;
  /** Used in the window during free hours. */
  readonly free: number;
  readonly extra: number;
}

/** Null for a plain service. */
export function fairStanding(service: Service, now: Seconds): FairStanding | null {
  if (!isFair(service)) return null;
  const inForce = termsInForce(service, now);
  const { rate, tier, isUsedUp, used, total, extra, nextAfter, windowEnd, hours, hoursUntil } = inForce;
  const tiers = tiersOf(service.tiers);
  const ends = endAsThawed(service.expiresAt, service.frozenAt, now);
  const isVolume = nextAfter !== null && total > 0 && nextAfter === total;
  const isByCalendar = windowEnd !== null && windowEnd < ends;
  return {
    rate,
    tier,
    isUsedUp,
    used,
    total,
    extra,
    nextAfter,
    fullRate: service.rateLimit,
    tiers: tiers.length,
    left: nextAfter === null ? null : nextAfter - used,
    nextRate:
      nextAfter === null
        ? null
        : isVolume
          ? service.quotaExceeded === "reject"
            ? null
            : service.quotaExceeded
          : (tiers[tier]?.rate ?? null),
    returnsAt: isByCalendar ? windowEnd : ends,
    isByCalendar,
    hours:
      hours && hoursUntil !== null
        ? { isFree: hours.isFree, hasRate: hours.rate === rate, until: hoursUntil }
        : null,
    // written in an earlier window
    free: used === service.quotaUsed ? service.freeBytes : 0,
  };
}
