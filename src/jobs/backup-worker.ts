import { DomainError } from "../domain/core/errors/errors.ts";
import { type Trial, type TrialOrder, type TrialStep, runTrial } from "../domain/machine/backup/trial.ts";
import { type Backup, type BackupOrder, writeBackup } from "../domain/machine/backup/write-backup.ts";

declare const self: Worker;

export type BackupTask = { write: BackupOrder } | { try: TrialOrder };

/** What the thread says: steps of a trial, then what it answers its order with. */
export type BackupOutcome =
  { step: TrialStep } | { backup: Backup } | { trial: Trial } | { failure: Failure };

/** An error as far as it passes from thread to thread: with what the system and SQLite say about it. */
export interface Failure {
  readonly message: string;
  readonly code?: unknown;
  readonly path?: unknown;
}

// a thread of its own: the copying and looking at every page would keep HTTP waiting
self.addEventListener("message", async ({ data }: MessageEvent<BackupTask>) => {
  self.postMessage(await outcomeOf(data));
});

async function outcomeOf(task: BackupTask): Promise<BackupOutcome> {
  try {
    if ("write" in task) return { backup: writeBackup(task.write) };
    return { trial: await runTrial(task.try, (step) => self.postMessage({ step } satisfies BackupOutcome)) };
  } catch (error) {
    if (!(error instanceof Error)) return { failure: { message: String(error) } };
    const { message } = error;
    return {
      failure: {
        message,
        code: error instanceof DomainError ? error.kind : "code" in error ? error.code : undefined,
        path: "path" in error ? error.path : undefined,
      },
    };
  }
}
