import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Seconds to half a minute before the next full hour, so that a day's last run counts; a minute for small ISPs, who watch new subscribers on Today. */
export function secondsToDaySums({ $client }: Db, now: Seconds): number {
  const newest = $client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM subscribers").get();
  if ((newest?.id ?? 0) <= 2000) return 60;
  const at = new Date(now * 1000);
  const left = 3570 - at.getMinutes() * 60 - at.getSeconds();
  return left > 0 ? left : left + 3600;
}
