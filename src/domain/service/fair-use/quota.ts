import type { Tx } from "../../../../db/open.ts";
import { parseTiers } from "../../goods/windows/tiers.ts";
import type { Seconds } from "../../core/time/time.ts";
import { announce } from "../../core/events/announce.ts";

/** Quota share for a warning. */
export const WARNED = 0.8;

/** Quota and usage before and after, in octets; a total of 0 is none. */
interface QuotaChange {
  readonly subscriberId: number;
  readonly before: { readonly total: number; readonly used: number; readonly isCrossed: boolean };
  readonly after: { readonly total: number; readonly used: number };
}

/** Event for a tier, counted from 1, whose rate now applies. */
export function announceTier(
  tx: Tx,
  { subscriberId, tier, terms }: { subscriberId: number; tier: number; terms: TierTerms },
  { now, at }: { now: Seconds; at: Seconds },
): void {
  const reached = parseTiers(terms.tiers)[tier - 1];
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

/** Events for four fifths and all of a quota, when just reached. */
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
