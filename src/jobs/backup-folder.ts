import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { type FolderOutcome, folderFault, storeOutcome, tryFolder } from "../domain/machine/backup/folder.ts";
import { tellBackupFailed } from "../domain/machine/backup/tell-failed.ts";
import { backupFolder } from "../domain/machine/backup/schedule.ts";
import { operator } from "../domain/core/actor/operator.ts";
import type { Clock } from "../domain/core/time/time.ts";

/** Seconds until an unwritable folder is tried again. */
const TRY_AGAIN = 5;

interface Needs {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly folder: string;
  /** Whether we run as a service, whose unit limits where this process may write. */
  readonly isService: boolean;
}

/** Whether the backup folder is writable: tried, stored for commands to read, and logged once. */
export class BackupFolder {
  readonly #needs: Needs;
  #last: FolderOutcome | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Tries the folder when the setting changes, and again while it is not writable. */
  async look(): Promise<void> {
    const { db, folder: dataFolder, clock, isService } = this.#needs;
    const folder = backupFolder(db, dataFolder);
    const last = this.#last;
    const isSettled = last?.fault === null || last?.isOfBackup; // a backup that failed tries by itself
    if (last?.folder === folder && (isSettled || clock() - last.at < TRY_AGAIN)) return;
    this.#note({
      folder,
      fault: (await tryFolder(folder, isService))?.toString() ?? null,
      isOfBackup: false,
    });
  }

  /** A backup was written. A fault found by a try still counts until the next try. */
  worked(folder: string): void {
    if (this.#last?.folder === folder && this.#last.fault !== null && !this.#last.isOfBackup) return;
    this.#note({ folder, fault: null, isOfBackup: true });
  }

  /** A backup failed. Rethrows errors that are not about the folder. */
  failed(folder: string, error: unknown): void {
    const fault = folderFault(error, folder, this.#needs.isService);
    if (fault === undefined) {
      this.#tell("an unexpected fault; the log of the server says which");
      throw error;
    }
    this.#note({ folder, fault: fault.toString(), isOfBackup: true });
  }

  #note(outcome: Omit<FolderOutcome, "at">): void {
    const { folder: dataFolder, clock, log } = this.#needs;
    const last = this.#last;
    const noted = { ...outcome, at: clock() };
    const { folder, fault } = outcome;
    const isNew = last?.folder !== folder || last.fault !== fault;
    if (isNew && fault !== null) log.error({ folder }, `no backup can be made: ${fault}`);
    else if (isNew && last) log.info({ folder }, "backups can be written here");
    storeOutcome(dataFolder, noted);
    if (isNew && fault !== null) this.#tell(fault);
    this.#last = noted;
  }

  #tell(reason: string): void {
    const { db, clock } = this.#needs;
    tellBackupFailed(db, operator("gatehouse", "system"), { reason }, { now: clock() });
  }
}
