import type { services } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";
import { cachedHoursAt, hasFreeHours, type Hours } from "../../goods/windows/hours.ts";
import { parseTiers } from "../../goods/windows/tiers.ts";
import { windowAt } from "../../goods/windows/window.ts";
import { endAsThawed } from "../../goods/subscribers/frozen.ts";

export type FairTerms = Pick<
  typeof services.$inferSelect,
  | "rateLimit"
  | "quotaTotal"
  | "quotaUsed"
  | "quotaExceeded"
  | "tiers"
  | "fairWindow"
  | "hours"
  | "windowStart"
  | "extraBytes"
  | "rollingBytes"
>;

/** Usage in the window, in bytes. */
export interface Counted {
  readonly used: number;
  /** 0: no quota. Includes top-ups. */
  readonly total: number;
  readonly extra: number;
  readonly rolling: number;
}

/** Counters at a moment: zero for a window that began since they were written. */
export function countedAt(terms: FairTerms, at: Seconds): Counted {
  const { fairWindow, windowStart, quotaUsed: used, quotaTotal: total, extraBytes: extra } = terms;
  const isSame = fairWindow === "period" || windowStart === null;
  if (isSame || (windowAt(fairWindow, at)?.start ?? 0) <= windowStart)
    return { used, total, extra, rolling: terms.rollingBytes };
  const left = carriedOver(terms);
  return { used: 0, total: total === 0 ? 0 : total - extra + left, extra: left, rolling: left };
}

/**
 * Rollover bytes left when a window ends. Package bytes are used first, then expiring ones; with quota and tiers, the package
 * gives the lesser of the quota and the first tier.
 */
export function carriedOver(
  terms: Pick<FairTerms, "tiers" | "quotaTotal" | "quotaUsed" | "extraBytes" | "rollingBytes">,
): number {
  const { quotaTotal, extraBytes, rollingBytes, quotaUsed } = terms;
  if (rollingBytes === 0) return 0;
  const gives = [
    quotaTotal === 0 ? Infinity : quotaTotal - extraBytes,
    parseTiers(terms.tiers)[0]?.after ?? Infinity,
  ];
  const own = Math.min(...gives);
  if (own === Infinity) return rollingBytes;
  return Math.max(0, Math.min(rollingBytes, own + extraBytes - quotaUsed));
}

export function countersAt(terms: FairTerms, at: Seconds) {
  const {
    used: quotaUsed,
    total: quotaTotal,
    extra: extraBytes,
    rolling: rollingBytes,
  } = countedAt(terms, at);
  return { quotaUsed, quotaTotal, extraBytes, rollingBytes };
}

/** What applies to a line at a moment, and what changes it. */
export interface InForce extends Counted {
  /** RouterOS syntax; null: none. */
  readonly rate: string | null;
  /** Tiers reached. */
  readonly tier: number;
  /** Quota used up. */
  readonly isUsedUp: boolean;
  readonly hours: Hours | undefined;
  /** Next change of hours or window; Infinity: never. */
  readonly changesAt: Seconds;
  /** End of current hours or start of the next; null: none. */
  readonly hoursUntil: Seconds | null;
  /** End of the calendar window; null: with the period. */
  readonly windowEnd: Seconds | null;
  /** Bytes of the window at the next tier or the quota's end; null: none. */
  readonly nextAfter: number | null;
}

/** Terms in force, for logins, enforcement and pages. The rate of hours applies below the first tier, and always when their bytes are free. */
export function termsInForce(terms: FairTerms, at: Seconds): InForce {
  if (!isFair(terms)) return plainly(terms);
  const counted = countedAt(terms, at);
  const { used, total, extra } = counted;
  const tiers = parseTiers(terms.tiers);
  let tier = 0;
  while (tier < tiers.length && used >= (tiers[tier]?.after ?? 0) + extra) tier++;
  const isUsedUp = total > 0 && used >= total;
  const on = terms.hours === null ? undefined : cachedHoursAt(terms.hours, at);
  const isSlow = tier > 0 || isUsedUp;
  const windowEnd = windowAt(terms.fairWindow, at)?.end ?? null;
  const nextTier = tiers[tier];
  const ahead = [nextTier ? nextTier.after + extra : Infinity, isUsedUp || total === 0 ? Infinity : total];
  const nextAfter = Math.min(...ahead);
  const hours = on?.hours;
  return {
    ...counted,
    rate:
      hours && hours.rate !== null && (hours.isFree || !isSlow)
        ? hours.rate
        : isUsedUp && terms.quotaExceeded !== "reject"
          ? terms.quotaExceeded
          : (tiers[tier - 1]?.rate ?? terms.rateLimit),
    tier,
    isUsedUp,
    hours,
    changesAt: Math.min(on?.until ?? Infinity, windowEnd ?? Infinity),
    hoursUntil: on?.until ?? null,
    windowEnd,
    nextAfter: nextAfter === Infinity ? null : nextAfter,
  };
}

/** The same for a plain package: each login asks. */
function plainly(terms: FairTerms): InForce {
  const { quotaUsed: used, quotaTotal: total, rollingBytes: rolling } = terms;
  const isUsedUp = total > 0 && used >= total;
  return {
    used,
    total,
    extra: 0,
    rolling,
    rate: isUsedUp && terms.quotaExceeded !== "reject" ? terms.quotaExceeded : terms.rateLimit,
    tier: 0,
    isUsedUp,
    hours: undefined,
    changesAt: Infinity,
    hoursUntil: null,
    windowEnd: null,
    nextAfter: isUsedUp || total === 0 ? null : total,
  };
}

/** Whether a router may count the quota: it counts every byte from login, ignoring free hours and window resets. */
export function isCutByRouter({ fairWindow, hours }: Pick<FairTerms, "fairWindow" | "hours">): boolean {
  return fairWindow === "period" && !hasFreeHours(hours);
}

/** Whether anything but an activation changes the terms. */
export function isFair({
  tiers,
  hours,
  fairWindow,
  extraBytes,
}: Pick<FairTerms, "tiers" | "hours" | "fairWindow" | "extraBytes">): boolean {
  return tiers !== null || hours !== null || fairWindow !== "period" || extraBytes > 0;
}

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

/** The fair use of a service; null for a plain one. */
export function fairStanding(service: Service, now: Seconds): FairStanding | null {
  if (!isFair(service)) return null;
  const inForce = termsInForce(service, now);
  const { rate, tier, isUsedUp, used, total, extra, nextAfter, windowEnd, hours, hoursUntil } = inForce;
  const tiers = parseTiers(service.tiers);
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
