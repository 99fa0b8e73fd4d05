import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Db } from "../../../../db/open.ts";
import { dataFolderOf, sizeOf, storeFiles } from "../../core/files/files.ts";
import { backupFolder, readableBackups, type ScheduledBackup } from "../backup/schedule.ts";
import { type Actor, requireAdminOfAll } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

const DAY = 86_400;
/** What systemd-timesyncd leaves while the clock is that of the network. */
const SYNCHRONISED = "/run/systemd/timesync/synchronized";
/** What a restore, an upgrade or a migration put aside in the data folder. */
const ASIDE = /^(replaced-|failed-upgrade-|gatehouse\.db\.before-)/;

/** What is kept of earlier: a folder or a file, with its size and its age. */
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
  /** What the backups grew by a day, over so many days; null: there are too few. */
  readonly growth: { readonly perDay: number; readonly days: number } | null;
  /** The newest first. */
  readonly migrations: readonly { readonly tag: string; readonly at: Seconds }[];
  readonly aside: readonly KeptAside[];
  /** Whether the clock follows the network; null: it is not known here. */
  readonly isClockSet: boolean | null;
}

/** How large the store is and how it grows, for the Admin of all that is on the box. Throws `forbidden`. */
export function applianceStore(db: Db, by: Actor): ApplianceStore {
  permit(by, "applianceStore");
  requireAdminOfAll(db, by);
  const folder = dataFolderOf(db);
  const { database } = storeFiles(folder);
  const { blocks, bavail, bsize } = statfsSync(folder);
  return {
    folder,
    bytes: sizeOf(database),
    logBytes: sizeOf(`${database}-wal`),
    disk: { total: blocks * bsize, free: bavail * bsize },
    growth: growthOf(readableBackups(backupFolder(db, folder))),
    migrations: db.$client
      .query<{ tag: string; at: Seconds }, []>(
        "SELECT tag, applied_at AS at FROM _migrations ORDER BY tag DESC",
      )
      .all(),
    aside: asideIn(folder),
    isClockSet: existsSync("/run/systemd/timesync") ? existsSync(SYNCHRONISED) : null,
  };
}

/** By the sizes of the backups, the newest first: each is the store without its gaps. */
function growthOf(backups: readonly ScheduledBackup[]): ApplianceStore["growth"] {
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
      const bytes = statSync(path).isDirectory() ? sizeOf(storeFiles(path).database) : sizeOf(path);
      return { name, bytes, at: Math.floor(mtimeMs / 1000) };
    })
    .sort((a, b) => b.at - a.at);
}
