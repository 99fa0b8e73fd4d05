import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Db } from "../../../../db/open.ts";
import { dataFolderOf, fileSize, storeFiles } from "../../core/files/files.ts";
import { backupFolder, readableBackups, type ScheduledBackup } from "../backup/schedule.ts";
import { type Actor, requireApplianceAdmin } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

const DAY = 86_400;
const SYNCHRONISED = "/run/systemd/timesync/synchronized";
/** Files that a restore, upgrade or migration set aside. */
const ASIDE = /^(replaced-|failed-upgrade-|gatehouse\.db\.before-)/;

/** A file or folder set aside. */
export interface KeptAside {
  readonly name: string;
  readonly bytes: number;
  readonly at: Seconds;
}

export interface ApplianceStore {
  readonly folder: string;
  readonly bytes: number;
  readonly logBytes: number;
  readonly disk: { readonly total: number; readonly free: number };
  /** Growth of backups a day; null: too few. */
  readonly growth: { readonly perDay: number; readonly days: number } | null;
  readonly migrations: readonly { readonly tag: string; readonly at: Seconds }[];
  readonly aside: readonly KeptAside[];
  /** null: unknown. */
  readonly isClockSet: boolean | null;
}

/** The store for the Admin of all. Throws `forbidden`. */
export function applianceStore(db: Db, by: Actor): ApplianceStore {
  permit(by, "applianceStore");
  requireApplianceAdmin(db, by);
  const folder = dataFolderOf(db);
  const { database } = storeFiles(folder);
  const { blocks, bavail, bsize } = statfsSync(folder);
  return {
    folder,
    bytes: fileSize(database),
    logBytes: fileSize(`${database}-wal`),
    disk: { total: blocks * bsize, free: bavail * bsize },
    growth: measureGrowth(readableBackups(backupFolder(db, folder))),
    migrations: db.$client
      .query<{ tag: string; at: Seconds }, []>(
        "SELECT tag, applied_at AS at FROM _migrations ORDER BY tag DESC",
      )
      .all(),
    aside: asideIn(folder),
    isClockSet: existsSync("/run/systemd/timesync") ? existsSync(SYNCHRONISED) : null,
  };
}

/** Growth from the sizes of backups, which have no free pages; the newest first. */
function measureGrowth(backups: readonly ScheduledBackup[]): ApplianceStore["growth"] {
  const [newest, oldest] = [backups[0], backups.at(-1)];
  if (!newest || !oldest || newest.at - oldest.at < DAY) return null;
  const days = (newest.at - oldest.at) / DAY;
  return { perDay: (newest.bytes - oldest.bytes) / days, days: Math.round(days) };
}

function asideIn(folder: string): KeptAside[] {
  return readdirSync(folder)
    .filter((name) => ASIDE.test(name))
    .map((name) => {
      const path = join(folder, name);
      const { mtimeMs } = statSync(path);
      const bytes = statSync(path).isDirectory() ? fileSize(storeFiles(path).database) : fileSize(path);
      return { name, bytes, at: Math.floor(mtimeMs / 1000) };
    })
    .sort((a, b) => b.at - a.at);
}
