import { dirname } from "node:path";
import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { backupFolder, dueBackup, forgetBackups } from "../domain/backup/schedule.ts";
import type { Clock } from "../domain/time.ts";
import type { BackupFolder } from "./backup-folder.ts";
import { backupInThread } from "./backup-thread.ts";

interface BackupNeeds {
  db: Db;
  clock: Clock;
  log: Logger;
  /** The data folder. */
  folder: string;
  /** Version and commit of this program. */
  program: string;
  /** Breaks off a backup under way: the end of the program does not wait for it. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes a scheduled backup when one is due, and keeps no more than the setting backup_keep. A fault of the folder is
 * logged and stored in words, and tried again at the next run.
 */
export async function backUpWhenDue(needs: BackupNeeds, watched: BackupFolder): Promise<void> {
  const { db, clock, log, folder, program, signal } = needs;
  try {
    const file = dueBackup(db, folder, clock());
    if (file === undefined) return;
    const made = await backupInThread({ folder, file, now: clock(), program }, signal);
    log.info(made, "made and verified a backup");
    watched.worked(dirname(file));
    forgetBackups(db, folder);
  } catch (error) {
    if (!signal?.aborted) return watched.failed(backupFolder(db, folder), error);
    log.info("broke off a backup; the next start begins it anew");
  }
}
