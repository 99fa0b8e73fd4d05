import { and, eq, gte } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { usageDays } from "../../../db/schema.ts";
import type { Actor } from "../staff/actor.ts";
import { permitSelf } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";

/** Octets of one local date, `20260131`. */
export interface UsageDay {
  readonly day: number;
  readonly down: number;
  readonly up: number;
}

/** The usage of the last `count` days, today's last; a day without any is there too. */
export function usageByDay(
  db: Db,
  by: Actor,
  { subscriberId, count }: { subscriberId: number; count: number },
  { now }: { now: Seconds },
): UsageDay[] {
  permitSelf(by, "usageByDay", subscriberId);
  const days = lastDays(now, count);
  const rows = db
    .select()
    .from(usageDays)
    .where(and(eq(usageDays.subscriberId, subscriberId), gte(usageDays.day, days[0] ?? 0)))
    .all();
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return days.map((day) => {
    const row = byDay.get(day); // input and output are the router's: from and to the subscriber
    return { day, down: row?.outputOctets ?? 0, up: row?.inputOctets ?? 0 };
  });
}

/** By the calendar, for a day of 23 or 25 hours is one day. */
function lastDays(now: Seconds, count: number): number[] {
  const zone = Temporal.Now.timeZoneId();
  const today = Temporal.Instant.fromEpochMilliseconds(now * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  return Array.from({ length: count }, (_, index) => {
    const { year, month, day } = today.subtract({ days: count - 1 - index });
    return year * 10_000 + month * 100 + day;
  });
}
