import type { Db } from "../../../../db/open.ts";
import { readSettings } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Attempt } from "./decide.ts";

/** Settings of the walled garden. */
export type GardenTerms = Pick<Attempt, "expiredSessionTimeout" | "gardenRate">;

/** Settings that are the same for every login. */
export interface AnswerTerms {
  readonly garden: GardenTerms;
  readonly interimInterval: Seconds;
}

export function answerTerms(db: Db): AnswerTerms {
  const {
    expired_session_timeout: expiredSessionTimeout,
    garden_rate: gardenRate,
    acct_interim_interval: interimInterval,
  } = readSettings(db, ["expired_session_timeout", "garden_rate", "acct_interim_interval"]);
  return { garden: { expiredSessionTimeout, gardenRate }, interimInterval };
}
