import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Db } from "../../../../db/open.ts";
import { backupFolder, readableBackups } from "../backup/schedule.ts";
import { type Actor, requireApplianceAdmin } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

interface ApplianceNow {
  /** null: none. */
  readonly backup: { readonly at: Seconds; readonly bytes: number } | null;
  readonly disk: { readonly used: number; readonly free: number };
}

/** The appliance for the Admin of all. Throws `forbidden`. */
export function applianceNow(db: Db, by: Actor): ApplianceNow {
  permit(by, "applianceNow");
  requireApplianceAdmin(db, by);
  const folder = dirname(db.$client.filename);
  const { blocks, bavail, bsize } = statfsSync(folder);
  const newest = readableBackups(backupFolder(db, folder))[0];
  return {
    backup: newest ? { at: newest.at, bytes: newest.bytes } : null,
    disk: { used: blocks === 0 ? 0 : 1 - bavail / blocks, free: bavail * bsize },
  };
}
