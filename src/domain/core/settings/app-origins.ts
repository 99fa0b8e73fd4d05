import type { Db } from "../../../../db/open.ts";
import { originsIn } from "./portal-settings.ts";
import { setting, storedSetting } from "./settings.ts";

const KEY = "app_origins";

/** Whether an ISP, or any, names the origin as one of its app's. */
export function isAppOrigin(db: Db, origin: string, ispId?: number): boolean {
  if (ispId !== undefined) return originsIn(setting(db, KEY, ispId)).includes(origin);
  return db.$client
    .query<{ value: string }, [string]>("SELECT value FROM settings WHERE key = ?")
    .all(KEY)
    .some(({ value }) => originsIn(String(storedSetting(KEY, value) ?? "")).includes(origin));
}
