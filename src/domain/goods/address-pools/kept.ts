import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";

const DAY = 86_400;

/** Services that ended by then have lost their leases. */
export function freedBefore(db: Db, now: Seconds): Seconds {
  return now - setting(db, "address_kept_days") * DAY;
}
