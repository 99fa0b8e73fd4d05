import { expirationsAhead } from "../../../../domain/around/today/expirations.ts";
import { takenToday } from "../../../../domain/around/today/money.ts";
import type { StaffVisit } from "../../guard.ts";

const DAYS = 14;

/** The reading of a visit, done once for several parts. */
function readOnce<T>(read: (visit: StaffVisit) => T): (visit: StaffVisit) => T {
  const known = new WeakMap<StaffVisit, T>();
  return (visit) => known.getOrInsertComputed(visit, read);
}

export const readAhead = readOnce(({ db, by, now }) => expirationsAhead(db, by, { days: DAYS }, { now }));

export const readReceived = readOnce(({ db, by, now }) => takenToday(db, by, { now }));
