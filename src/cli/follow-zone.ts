import type { Db } from "../../db/open.ts";
import { useZone } from "../config/env.ts";
import { setting } from "../domain/core/settings/settings.ts";

/** Seconds between two looks whether another time zone was set. */
export const ZONE_EVERY = 1;

/** Has this process go by the time zone that is set, else by that of its environment. */
export function followZone(db: Db): void {
  useZone(setting(db, "time_zone"));
}
