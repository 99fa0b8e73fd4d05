import { statfsSync } from "node:fs";
import type { Db } from "../../../db/open.ts";
import { backupFolder, readableBackups } from "../backup/schedule.ts";
import { checkSetup } from "../check/check.ts";
import type { Finding } from "../check/finding.ts";
import { checkUpkeep } from "../check/upkeep.ts";
import { DomainError } from "../errors.ts";
import { type Actor, isAdminOfAll, operator } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";

/** The box itself, in a line each. */
export interface ApplianceNow {
  /** The newest backup that is whole; null: there is none. */
  readonly backup: { readonly at: Seconds; readonly bytes: number } | null;
  /** Of the disk of the data folder. */
  readonly disk: { readonly used: number; readonly bytes: number };
  /** What is not as it should be, the worst first. */
  readonly findings: readonly Finding[];
}

/** How the appliance itself is, for the Admin of all that is on it. Throws `forbidden`. */
export function applianceNow(
  db: Db,
  by: Actor,
  { folder }: { folder: string },
  { now }: { now: Seconds },
): ApplianceNow {
  permit(by, "applianceNow");
  if (!isAdminOfAll(db, by))
    throw new DomainError("forbidden", "the appliance is its operator's to look at; ask somebody who is");
  const self = operator(by.name, "system");
  const { blocks, bavail, bsize } = statfsSync(folder);
  const newest = readableBackups(backupFolder(db, folder))[0];
  const found = [...checkUpkeep(db, self, folder, { now }), ...checkSetup(db, self, { now })];
  return {
    backup: newest ? { at: newest.at, bytes: newest.bytes } : null,
    disk: { used: blocks === 0 ? 0 : 1 - bavail / blocks, bytes: bavail * bsize },
    findings: found
      .filter(({ severity }) => severity !== "ok")
      .sort((a, b) => Number(b.severity === "error") - Number(a.severity === "error")),
  };
}
