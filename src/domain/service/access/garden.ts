import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Attempt } from "./decide.ts";

/** What holds for every line of the walled garden. */
export type GardenTerms = Pick<Attempt, "expiredSessionTimeout" | "gardenRate">;

export function gardenTerms(db: Db): GardenTerms {
  return {
    expiredSessionTimeout: setting(db, "expired_session_timeout"),
    gardenRate: setting(db, "garden_rate"),
  };
}
