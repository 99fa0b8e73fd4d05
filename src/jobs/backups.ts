import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { dueBackup, forgetBackups } from "../domain/backup/schedule.ts";
import type { Clock } from "../domain/time.ts";
import { backupInThread } from "./backup-thread.ts";

/** Seconds between two looks whether a backup is due; a server that falls over at its start makes none. */
const LOOK_EVERY = 60;

export interface BackupNeeds {
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

/** The scheduled backups, as a job: one when it is due, and no more than the setting backup_keep. */
export function scheduledBackups({
  db,
  clock,
  log,
  folder,
  program,
  signal,
}: BackupNeeds): () => Promise<number> {
  let isFirstLook = true;
  return async () => {
    if (!isFirstLook) {
      const now = clock();
      const file = dueBackup(db, folder, now);
      if (file !== undefined) {
        const backup = await backupInThread({ folder, file, now, program }, signal);
        log.info(backup, "made a backup and verified it");
        forgetBackups(db, folder);
      }
    }
    isFirstLook = false;
    return LOOK_EVERY;
  };
}
