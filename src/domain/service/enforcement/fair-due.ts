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
/** As the index of them has it. */
const IS_FAIR =
  "(v.tiers IS NOT NULL OR v.hours IS NOT NULL OR v.fair_window <> 'period' OR v.extra_bytes > 0)";

/** Sessions whose rate is not the one in force, and when that will be another one for anybody by the clock. */
export interface FairDue {
  readonly due: DueSession[];
  /** Infinity: never. */
  readonly nextAt: Seconds;
}

/**
 * Open sessions that tiers, hours, a window that has begun anew or a top-up give another rate than their routers were told, and those in
 * the walled garden whose volume has come back; of one subscriber or of all. Those that a box tells of are its own.
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
    // whoever may not be online at all is ended by others
    if (inForce.isUsedUp && row.quotaExceeded === "reject") return false;
    if (row.acceptedAs === "accepted_quota_used_up") return true;
    if (row.acceptedAs === "accepted_expired") return false;
    return inForce.rate !== null && row.grantedRate !== fingerprintOf(inForce.rate);
  });
  return { due, nextAt };
}

/** There are few rates, and many sessions. */
const known = new Map<string, number>();

function fingerprintOf(rate: string): number {
  let one = known.get(rate);
  if (one === undefined) {
    if (known.size > 1000) known.clear();
    known.set(rate, (one = rateFingerprint(rate)));
  }
  return one;
}
