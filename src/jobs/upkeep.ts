import { forgetOldRows } from "../domain/retention/forget.ts";
import { operator } from "../domain/staff/actor.ts";
import { BackupFolder } from "./backup-folder.ts";
import { type BackupNeeds, scheduledBackups } from "./backups.ts";
import { repeat } from "./repeat.ts";

const FORGET_EVERY = 3600;

/** What keeps the box going for years: scheduled backups, and forgetting what is too old. Returns how to stop. */
export function startUpkeep(needs: BackupNeeds): () => Promise<void> {
  const { db, clock, log } = needs;
  const by = operator("gatehouse", "system");
  const stopping = new AbortController();
  const backupFolder = new BackupFolder(needs);
  const jobs = [
    repeat("try the folder of the backups", log, () => backupFolder.look()),
    repeat("make a backup", log, scheduledBackups({ ...needs, signal: stopping.signal }, backupFolder)),
    repeat("forget old rows", log, async () => {
      const forgotten = await forgetOldRows(db, by, { now: clock(), signal: stopping.signal });
      if (Object.values(forgotten).some((rows) => rows > 0)) log.info(forgotten, "forgot what is too old");
      return FORGET_EVERY;
    }),
  ];
  return async () => {
    stopping.abort();
    await Promise.all(jobs.map((stop) => stop()));
  };
}
