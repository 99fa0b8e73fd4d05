import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { unfinishedFile } from "../domain/backup/files.ts";
import { isNatsCopyDue, natsCopies, noteNatsCopy } from "../domain/backup/nats-copies.ts";
import { tellBackupFailed } from "../domain/backup/tell-failed.ts";
import { operator } from "../domain/staff/actor.ts";
import type { Clock } from "../domain/time.ts";
import { backupInThread } from "./backup-thread.ts";

/** Puts a backup into the object store, and says how many bytes it takes there; rejects where it is not there as a whole. */
export type PutBackup = (file: string) => Promise<number>;

interface Needs {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  /** The data folder. */
  readonly folder: string;
  /** Version and commit of this program. */
  readonly program: string;
  /** Undefined without GATEHOUSE_NATS_URL. */
  readonly putBackup: PutBackup | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Makes a backup each hour, where the setting backup_to_nats says so, and puts it into the object store of nats-server. */
export async function copyToNatsWhenDue(needs: Needs): Promise<void> {
  const { db, clock, log, folder, program, putBackup, signal } = needs;
  const now = clock();
  if (!isNatsCopyDue(db, folder, now)) return;
  const file = join(folder, "backup-for-nats.db");
  try {
    if (!putBackup)
      throw new Error(
        "GATEHOUSE_NATS_URL is empty; set it, or switch them off: gatehouse settings set backup_to_nats false",
      );
    rmSync(file, { force: true }); // of a server that was killed
    await backupInThread({ folder, file, now, program }, signal);
    const bytes = await putBackup(file);
    noteNatsCopy(folder, { at: now, bytes });
    log.info({ bytes }, "put a backup into the object store of NATS");
  } catch (error) {
    if (signal?.aborted) return;
    const fault = error instanceof Error ? error.message : String(error);
    const isNew = natsCopies(folder)?.fault !== fault;
    noteNatsCopy(folder, { at: now, fault });
    if (!isNew) return;
    const reason = `no backup can be put into the object store of NATS: ${fault}`;
    log.error(reason);
    tellBackupFailed(db, operator("gatehouse", "system"), { reason }, { now });
  } finally {
    for (const left of [file, unfinishedFile(file)]) rmSync(left, { force: true });
  }
}
