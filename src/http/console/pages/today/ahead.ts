import { type ExpirationDay, expirationsAhead } from "../../../../domain/around/today/expirations.ts";
import type { StaffVisit } from "../../guard.ts";

/** Days that are drawn. */
const DAYS = 14;

const counted = new WeakMap<StaffVisit, readonly ExpirationDay[]>();

/** Who expires on each of the days ahead, today first: three parts of the page say something of it, and it is counted once for all of them. */
export function aheadOf(visit: StaffVisit): readonly ExpirationDay[] {
  const known = counted.get(visit);
  if (known) return known;
  const { db, by, now } = visit;
  const ahead = expirationsAhead(db, by, { days: DAYS }, { now });
  counted.set(visit, ahead);
  return ahead;
}
