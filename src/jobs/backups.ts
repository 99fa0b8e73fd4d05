import { dirname } from "node:path";
import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { type BackupDesk, tryBackup } from "../domain/machine/backup/desk.ts";
import { dueTrial } from "../domain/machine/backup/due-trial.ts";
import { tellBackupFailed } from "../domain/machine/backup/tell-failed.ts";
import { backupFolder, dueBackup, forgetBackups } from "../domain/machine/backup/schedule.ts";
import { operator } from "../domain/core/actor/operator.ts";
import type { Clock, Seconds } from "../domain/core/time/time.ts";
import type { BackupFolder } from "./backup-folder.ts";
import { backupInThread } from "./backup-thread.ts";

/** Seconds until a failed trial restore is tried again. */
const TRY_AGAIN = 6 * 3600;

/** Tries to restore the newest backup in its own thread, as often as the setting backup_try_days says. */
export async function tryBackupWhenDue(
  { db, clock, log, folder, signal }: Omit<BackupNeeds, "program">,
  desk: BackupDesk,
): Promise<void> {
  if (desk.work || failedLately(desk, clock())) return;
  const name = dueTrial(db, folder, clock());
  if (name === undefined) return;
  const by = operator("gatehouse", "system");
  tryBackup(db, by, { desk, name });
  await desk.ended;
  const { last } = desk;
  if (last?.kind !== "try" || last.name !== name || signal?.aborted) return;
  const fault = "fault" in last ? last.fault : last.trial.faults[0];
  if (fault === undefined) log.info({ name }, "a trial restore proved the newest backup");
  else {
    log.error({ name }, `the trial restore of the newest backup failed: ${fault || "see above"}`);
    const reason = `${name} could not be restored on trial: ${fault || "the log of the server says why"}`;
    tellBackupFailed(db, by, { reason }, { now: clock() });
  }
}

/** Whether a trial failed recently, for example for lack of disk space: the next one would fail too. */
function failedLately({ last }: BackupDesk, now: Seconds): boolean {
  return last?.kind === "try" && "fault" in last && now - last.endedAt < TRY_AGAIN;
}

interface BackupNeeds {
  db: Db;
  clock: Clock;
  log: Logger;
  folder: string;
  program: string;
  /** Aborts a backup under way, so that shutdown does not wait for it. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes a scheduled backup when it is due and keeps the newest backup_keep. An error of the folder is logged and stored as
 * text, and tried again at the next run.
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
