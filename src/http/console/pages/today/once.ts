import { expirationsAhead } from "../../../../domain/around/today/expirations.ts";
import { takenToday } from "../../../../domain/around/today/money.ts";
import type { StaffVisit } from "../../guard.ts";

/** Days that are drawn. */
const DAYS = 14;

/** What several parts of the page say something of, which is read once for all of them. */
function onceOf<T>(read: (visit: StaffVisit) => T): (visit: StaffVisit) => T {
  const known = new WeakMap<StaffVisit, T>();
  return (visit) => known.getOrInsertComputed(visit, read);
}

/** Who expires on each of the days ahead, today first. */
export const aheadOf = onceOf(({ db, by, now }) => expirationsAhead(db, by, { days: DAYS }, { now }));

export const importedOf = onceOf(({ db, by, now }) => takenToday(db, by, { now }));
