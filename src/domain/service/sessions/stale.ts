import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Updates that were missed: one that is late is none that is missing. */
const MISSED = 2;

/** Seconds without an update after which a session is as it was, not as it is. */
export function staleAfter(db: Db): Seconds {
  return MISSED * setting(db, "acct_interim_interval");
}
