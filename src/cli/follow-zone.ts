import type { Db } from "../../db/open.ts";
import { useZone } from "../config/env.ts";
import { setting } from "../domain/core/settings/settings.ts";

/** Seconds between two reads of the setting. */
export const ZONE_EVERY = 1;

/** Sets the time zone of this process to the setting, else to that of its environment. */
export function followZone(db: Db): void {
  useZone(setting(db, "time_zone"));
}
