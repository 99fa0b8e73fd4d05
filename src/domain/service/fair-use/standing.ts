import type { services } from "../../../../db/schema.ts";
import { endAsThawed } from "../../goods/subscribers/frozen.ts";
import type { Seconds } from "../../core/time/time.ts";
import { isFair, termsInForce } from "./terms.ts";
import { tiersOf } from "../../goods/windows/tiers.ts";

type Service = Omit<typeof services.$inferSelect, "passwordSealed" | "ntHashSealed">;

/** How a line stands with its fair use, as its pages say it. Volumes in bytes, rates in RouterOS syntax. */
export interface FairStanding {
  readonly rate: string | null;
  /** As it is where no tier is reached and no hours are on. */
  readonly fullRate: string | null;
  /** How many tiers are reached, of how many. */
  readonly tier: number;
  readonly tiers: number;
  readonly isUsedUp: boolean;
  readonly used: number;
  readonly total: number;
  /** Until the next tier, or the end of the volume; null: there is none. */
  readonly left: number | null;
  readonly nextAfter: number | null;
  readonly nextRate: string | null;
  /** When the counters begin anew, and with them the full rate. */
  readonly returnsAt: Seconds;
  /** It returns by the calendar, and not with the renewal. */
  readonly isByCalendar: boolean;
  readonly hours: { readonly isFree: boolean; readonly hasRate: boolean; readonly until: Seconds } | null;
  /** Of the window, in hours whose bytes do not count. */
  readonly free: number;
  readonly extra: number;
}

/** Null where nothing but a renewal changes what a service gives. */
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
    // what was written before the window that runs is over with it
    free: used === service.quotaUsed ? service.freeBytes : 0,
  };
}
