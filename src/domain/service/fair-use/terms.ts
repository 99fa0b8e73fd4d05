import type { services } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";
import { hasFreeHours, type Hours, hoursOf } from "../../goods/windows/hours.ts";
import { tiersOf } from "../../goods/windows/tiers.ts";
import { windowAt } from "../../goods/windows/window.ts";

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

/** What counts in the window of a moment, in bytes. */
export interface Counted {
  readonly used: number;
  /** 0: no volume. With what top-ups have added. */
  readonly total: number;
  readonly extra: number;
  readonly rolling: number;
}

/** The counters of a service as they are at a moment: a window that has begun since they were written begins at nothing. */
export function countedAt(terms: FairTerms, at: Seconds): Counted {
  const { fairWindow, windowStart, quotaUsed: used, quotaTotal: total, extraBytes: extra } = terms;
  const isSame = fairWindow === "period" || windowStart === null;
  if (isSame || (windowAt(fairWindow, at)?.start ?? 0) <= windowStart)
    return { used, total, extra, rolling: terms.rollingBytes };
  const left = carriedOver(terms);
  return { used: 0, total: total === 0 ? 0 : total - extra + left, extra: left, rolling: left };
}

/**
 * What is left of top-ups that stay when their window ends. What the package itself gives is used first, then what would go; where it has
 * a volume and tiers, what it gives is the lesser of the volume and the first tier.
 */
export function carriedOver(
  terms: Pick<FairTerms, "tiers" | "quotaTotal" | "quotaUsed" | "extraBytes" | "rollingBytes">,
): number {
  const { quotaTotal, extraBytes, rollingBytes, quotaUsed } = terms;
  if (rollingBytes === 0) return 0;
  const gives = [
    quotaTotal === 0 ? Infinity : quotaTotal - extraBytes,
    tiersOf(terms.tiers)[0]?.after ?? Infinity,
  ];
  const own = Math.min(...gives);
  if (own === Infinity) return rollingBytes;
  return Math.max(0, Math.min(rollingBytes, own + extraBytes - quotaUsed));
}

/** The same as columns of a service. */
export function countersAt(terms: FairTerms, at: Seconds) {
  const {
    used: quotaUsed,
    total: quotaTotal,
    extra: extraBytes,
    rolling: rollingBytes,
  } = countedAt(terms, at);
  return { quotaUsed, quotaTotal, extraBytes, rollingBytes };
}

/** What a line has at a moment, and what changes that. */
export interface InForce extends Counted {
  /** RouterOS syntax; null: none. */
  readonly rate: string | null;
  /** How many tiers are reached; 0: none. */
  readonly tier: number;
  /** The whole volume is used. */
  readonly isUsedUp: boolean;
  readonly hours: Hours | undefined;
  /** When the hours or the window change next; Infinity: never by the clock. */
  readonly changesAt: Seconds;
  /** When the hours that are on end, or others begin; null: there are none. */
  readonly hoursUntil: Seconds | null;
  /** When the window ends by the calendar; null: with the period. */
  readonly windowEnd: Seconds | null;
  /** At how many bytes of the window the next tier or the end of the volume is reached; null: nothing is left to reach. */
  readonly nextAfter: number | null;
}

/**
 * The terms in force: what a login is granted, what the enforcer holds sessions to and what pages say. A rate of hours counts where no tier
 * is reached, and always where their bytes do not count.
 */
export function termsInForce(terms: FairTerms, at: Seconds): InForce {
  if (!isFair(terms)) return plainly(terms);
  const counted = countedAt(terms, at);
  const { used, total, extra } = counted;
  const tiers = tiersOf(terms.tiers);
  let tier = 0;
  while (tier < tiers.length && used >= (tiers[tier]?.after ?? 0) + extra) tier++;
  const isUsedUp = total > 0 && used >= total;
  const on = terms.hours === null ? undefined : hoursOf(terms.hours, at);
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

/** The same of a package that is the same all the time, as most are: each login asks. */
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

/**
 * Whether a router is told how much of the volume is left. It counts every byte from the login on: it knows nothing of hours whose bytes do
 * not count, or of a window that begins anew.
 */
export function isCutByRouter({ fairWindow, hours }: Pick<FairTerms, "fairWindow" | "hours">): boolean {
  return fairWindow === "period" && !hasFreeHours(hours);
}

/** Whether anything but an activation changes what a service gives. */
export function isFair({
  tiers,
  hours,
  fairWindow,
  extraBytes,
}: Pick<FairTerms, "tiers" | "hours" | "fairWindow" | "extraBytes">): boolean {
  return tiers !== null || hours !== null || fairWindow !== "period" || extraBytes > 0;
}
