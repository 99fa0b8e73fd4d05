import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permitSelf } from "../../core/actor/permissions.ts";
import { lastDays, type Seconds } from "../../core/time/time.ts";

export interface UsageDay {
  readonly day: number;
  readonly down: number;
  readonly up: number;
}

export function usageByDay(
  db: Db,
  by: Actor,
  { subscriberId, count }: { subscriberId: number; count: number },
  { now }: { now: Seconds },
): UsageDay[] {
  permitSelf(by, "usageByDay", subscriberId);
  const days = lastDays(now, count);
  const rows = db.$client
    .query<UsageDay, [number, number]>( // input and output are the router's: from and to the subscriber
      "SELECT day, output_octets AS down, input_octets AS up FROM usage_days WHERE subscriber_id = ? AND day >= ?",
    )
    .all(subscriberId, days[0] ?? 0);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return days.map((day) => byDay.get(day) ?? { day, down: 0, up: 0 });
}
