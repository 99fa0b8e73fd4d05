import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { unfinishedFile } from "../domain/core/files/files.ts";
import {
  isNatsCopyDue,
  type NatsCopies,
  natsCopies,
  noteNatsCopy,
  noteNatsCopyLost,
} from "../domain/machine/backup/nats-copies.ts";
import { tellBackupFailed } from "../domain/machine/backup/tell-failed.ts";
import { operator } from "../domain/core/actor/operator.ts";
import { setting } from "../domain/core/settings/settings.ts";
import type { Clock, Seconds } from "../domain/core/time/time.ts";
import { backupInThread } from "./backup-thread.ts";

/** The object store of nats-server, as far as backups use it. */
export interface BackupStore {
  /** Stores a backup and returns its size there; rejects unless it was stored completely. */
  readonly putBackup: (file: string) => Promise<number>;
  /** The newest complete backup, null for none; rejects when NATS cannot be reached. */
  readonly newestBackup: () => Promise<NatsCopies["last"]>;
}

interface Needs {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly folder: string;
  readonly program: string;
  /** Undefined without GATEHOUSE_NATS_URL. */
  readonly backupStore: BackupStore | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies a backup to the object store of nats-server each hour when the setting backup_to_nats is on, and at once when
 * nats-server has lost the last copy.
 */
export async function copyToNatsWhenDue(needs: Needs): Promise<void> {
  const { db, clock, log, folder, program, backupStore, signal } = needs;
  const now = clock();
  await lookForLast(needs, now);
  if (!isNatsCopyDue(db, folder, now)) return;
  const file = join(folder, "backup-for-nats.db");
  try {
    if (!backupStore)
      throw new Error(
        "GATEHOUSE_NATS_URL is empty; set it, or switch them off: gatehouse settings set backup_to_nats false",
      );
    rmSync(file, { force: true }); // of a server that was killed
    await backupInThread({ folder, file, now, program }, signal);
    const bytes = await backupStore.putBackup(file);
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

/** nats-server can lose what it had acknowledged: a lost disk, or the last minutes before a power cut. */
async function lookForLast({ log, folder, db, backupStore }: Needs, now: Seconds): Promise<void> {
  const { last, isLost } = natsCopies(folder) ?? {};
  if (!backupStore || !last || isLost || !setting(db, "backup_to_nats")) return;
  try {
    const newest = await backupStore.newestBackup();
    if (newest !== null && newest.at >= last.at) return;
    noteNatsCopyLost(folder, now, newest);
    log.warn(
      "nats-server has lost the last backup that was put into its object store; another one is put there",
    );
  } catch {
    // NATS is unreachable, which is reported elsewhere
  }
}
