import type { Tx } from "../../../../db/open.ts";
import { tiersOf } from "../../goods/windows/tiers.ts";
import type { Seconds } from "../../core/time/time.ts";
import { announce } from "../../core/events/announce.ts";

/** The share of a quota at which people are warned. */
export const WARNED = 0.8;

/** Data of a period in octets, as it was and as it is; a total of 0 is none. */
interface QuotaChange {
  readonly subscriberId: number;
  readonly before: { readonly total: number; readonly used: number; readonly isCrossed: boolean };
  readonly after: { readonly total: number; readonly used: number };
}

/** Tells that a tier is reached, the first of which is 1: from now on the line has its rate. */
export function announceTier(
  tx: Tx,
  { subscriberId, tier, terms }: { subscriberId: number; tier: number; terms: TierTerms },
  { now, at }: { now: Seconds; at: Seconds },
): void {
  const reached = tiersOf(terms.tiers)[tier - 1];
  if (!reached) return;
  const beside = {
    tier: {
      number: tier,
      after: reached.after + terms.extraBytes,
      used: terms.quotaUsed,
      rate_limit: reached.rate,
    },
  };
  announce(tx, now, { type: "tier.reached", subscriberId, at, beside });
}

interface TierTerms {
  readonly tiers: string | null;
  readonly quotaUsed: number;
  readonly extraBytes: number;
}

/** Tells of four fifths and of all of a quota, where a change has reached them. */
export function announceQuota(
  tx: Tx,
  { subscriberId, before, after: quota }: QuotaChange,
  { now, at }: { now: Seconds; at: Seconds },
): void {
  const { total, used } = quota;
  if (total === 0) return;
  const event = { subscriberId, at, beside: { quota } };
  const wasWarned = before.total > 0 && before.used >= before.total * WARNED;
  if (used >= total * WARNED && !wasWarned) announce(tx, now, { type: "quota.80", ...event });
  if (used >= total && !before.isCrossed) announce(tx, now, { type: "quota.100", ...event });
}
