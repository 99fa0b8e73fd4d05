import { type Backup, type BackupOrder, writeBackup } from "../domain/backup/write-backup.ts";

declare const self: Worker;

/** What the thread answers its one order with. */
export type BackupOutcome = { backup: Backup } | { failure: string };

// a thread of its own: the copying and looking at every page would keep HTTP waiting
self.addEventListener("message", ({ data }: MessageEvent<BackupOrder>) => {
  self.postMessage(outcomeOf(data) satisfies BackupOutcome);
});

function outcomeOf(order: BackupOrder): BackupOutcome {
  try {
    return { backup: writeBackup(order) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
