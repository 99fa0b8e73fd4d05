import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Missed updates: a single late one is not missing. */
const MISSED = 2;

/** Seconds without an update after which a session is stale. */
export function staleAfter(db: Db): Seconds {
  return MISSED * setting(db, "acct_interim_interval");
}
