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
export function scheduledBackups(needs: BackupNeeds): () => Promise<number> {
  let isFirstLook = true;
  return async () => {
    const file = isFirstLook ? undefined : dueBackup(needs.db, needs.folder, needs.clock());
    if (file !== undefined) await makeBackup(file, needs);
    isFirstLook = false;
    return LOOK_EVERY;
  };
}

async function makeBackup(file: string, { db, clock, log, folder, program, signal }: BackupNeeds) {
  try {
    log.info(
      await backupInThread({ folder, file, now: clock(), program }, signal),
      "made and verified a backup",
    );
    forgetBackups(db, folder);
  } catch (error) {
    if (!signal?.aborted) throw error;
    log.info("broke off a backup; the next start begins it anew");
  }
}
