import type { Db } from "../../../../db/open.ts";
import { rateFingerprint } from "../access/granted.ts";
import type { AcceptReason } from "../access/outcomes.ts";
import { type FairTerms, termsInForce } from "../fair-use/terms.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { DueSession } from "./due.ts";

type Row = DueSession &
  FairTerms & { grantedRate: number | null; acceptedAs: AcceptReason | null; startedAt: Seconds };

const TERMS = `v.rate_limit AS rateLimit, v.quota_total AS quotaTotal, v.quota_used AS quotaUsed, v.quota_exceeded AS quotaExceeded,
  v.tiers, v.fair_window AS fairWindow, v.hours, v.window_start AS windowStart, v.extra_bytes AS extraBytes,
  v.rolling_bytes AS rollingBytes`;
/** Matches the partial index. */
const IS_FAIR =
  "(v.tiers IS NOT NULL OR v.hours IS NOT NULL OR v.fair_window <> 'period' OR v.extra_bytes > 0)";

/** Sessions with an outdated rate, and when the next rate change by the clock is. */
export interface FairDue {
  readonly due: DueSession[];
  /** Infinity: never. */
  readonly nextAt: Seconds;
}

/**
 * Open sessions whose rate changed by tiers, hours, a new window or a top-up, and walled-garden sessions with renewed quota; of
 * all or one subscriber. Sessions of access boxes are theirs to handle.
 */
export function fairDue(db: Db, now: Seconds, subscriberId?: number): FairDue {
  const whose = subscriberId === undefined ? "" : " AND v.subscriber_id = $subscriberId";
  const rows = db.$client
    .query<Row, [{ now: number; subscriberId?: number }]>(
      `SELECT s.id AS sessionId, s.subscriber_id AS subscriberId, s.nas_address AS nasAddress, s.granted_rate AS grantedRate,
         s.accepted_as AS acceptedAs, s.started_at AS startedAt, ${TERMS}
       FROM services v INDEXED BY services_fair CROSS JOIN sessions s ON s.subscriber_id = v.subscriber_id AND s.stopped_at IS NULL
       WHERE ${IS_FAIR} AND v.expires_at > $now AND v.frozen_at IS NULL AND s.via_box IS NULL${whose}`,
    )
    .all(subscriberId === undefined ? { now } : { now, subscriberId });
  let nextAt = Infinity;
  const due = rows.filter((row) => {
    const inForce = termsInForce(row, now);
    nextAt = Math.min(nextAt, inForce.changesAt);
    // sessions that may not be online at all are ended elsewhere
    if (inForce.isUsedUp && row.quotaExceeded === "reject") return false;
    if (row.acceptedAs === "accepted_quota_used_up") return true;
    if (row.acceptedAs === "accepted_expired") return false;
    return inForce.rate !== null && row.grantedRate !== cachedFingerprint(inForce.rate);
  });
  return { due, nextAt };
}

/** Fingerprints by rate: sessions are many, rates few. */
const fingerprints = new Map<string, number>();

function cachedFingerprint(rate: string): number {
  let one = fingerprints.get(rate);
  if (one === undefined) {
    if (fingerprints.size > 1000) fingerprints.clear();
    fingerprints.set(rate, (one = rateFingerprint(rate)));
  }
  return one;
}
