import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../../db/durable.ts";
import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";

const HOUR = 3600;
const scheduledName = /^gatehouse-(\d{4})-(\d{2})-(\d{2})T(\d{2})(\d{2})(\d{2})Z\.db$/;

export interface ScheduledBackup {
  readonly file: string;
  readonly at: Seconds;
  readonly bytes: number;
}

export function backupFolder(db: Db, dataFolder: string): string {
  return folderNamed(setting(db, "backup_folder"), dataFolder);
}

/** The configured folder, else the default. */
export const folderNamed = (named: string, dataFolder: string) => named || join(dataFolder, "backups");

/** The newest first. A folder that is not there has none. */
export function listBackups(folder: string): ScheduledBackup[] {
  return namesIn(folder)
    .flatMap((name) => {
      const at = parseName(name);
      if (at === undefined) return [];
      const file = join(folder, name);
      return [{ file, at, bytes: statSync(file).size }];
    })
    .sort((a, b) => b.at - a.at);
}

export function readableBackups(folder: string): ScheduledBackup[] {
  try {
    return listBackups(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

/** The file for a due backup, its folder made; undefined: none is due. */
export function dueBackup(db: Db, dataFolder: string, now: Seconds): string | undefined {
  const hours = setting(db, "backup_every_hours");
  if (hours === 0) return undefined;
  const folder = backupFolder(db, dataFolder);
  // a time in the future is of a wrong clock, and must not trigger one at every look
  const newest = listBackups(folder).find(({ at }) => at <= now);
  if (newest && now - newest.at < hours * HOUR) return undefined;
  return backupFileAt(folder, now);
}

/** Removes backups beyond backup_keep, and unfinished files. */
export function forgetBackups(db: Db, dataFolder: string): void {
  const folder = backupFolder(db, dataFolder);
  const old = listBackups(folder).slice(setting(db, "backup_keep"));
  for (const { file } of old) rmSync(file, { force: true });
  for (const name of namesIn(folder)) {
    const finished = /^(.*)\.unfinished(?:-journal)?$/.exec(name)?.[1];
    if (finished !== undefined && parseName(finished) !== undefined)
      rmSync(join(folder, name), { force: true });
  }
}

/** The time at which the next one is due; null: none is scheduled. In the past: at the server's next look. */
export function nextBackup(all: readonly ScheduledBackup[], hours: number, now: Seconds): Seconds | null {
  if (hours === 0) return null;
  const newest = all.find(({ at }) => at <= now);
  return newest ? newest.at + hours * HOUR : now;
}

export function backupFileAt(folder: string, now: Seconds): string {
  makeFolder(folder);
  return join(folder, nameAt(now));
}

function nameAt(at: Seconds): string {
  return `gatehouse-${new Date(at * 1000).toISOString().slice(0, 19).replaceAll(":", "")}Z.db`;
}

function parseName(name: string): Seconds | undefined {
  const match = scheduledName.exec(name);
  if (!match) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
