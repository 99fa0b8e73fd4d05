import { type Backup, type BackupOrder, writeBackup } from "../domain/backup/write-backup.ts";

declare const self: Worker;

/** What the thread answers its one order with. */
export type BackupOutcome = { backup: Backup } | { failure: Failure };

/** An error as far as it passes from thread to thread: with what the system and SQLite say about it. */
export interface Failure {
  readonly message: string;
  readonly code?: unknown;
  readonly path?: unknown;
}

// a thread of its own: the copying and looking at every page would keep HTTP waiting
self.addEventListener("message", ({ data }: MessageEvent<BackupOrder>) => {
  self.postMessage(outcomeOf(data) satisfies BackupOutcome);
});

function outcomeOf(order: BackupOrder): BackupOutcome {
  try {
    return { backup: writeBackup(order) };
  } catch (error) {
    if (!(error instanceof Error)) return { failure: { message: String(error) } };
    const { message } = error;
    return {
      failure: {
        message,
        code: "code" in error ? error.code : undefined,
        path: "path" in error ? error.path : undefined,
      },
    };
  }
}
