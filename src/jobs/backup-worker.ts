import { DomainError } from "../domain/core/errors/errors.ts";
import { type Trial, type TrialOrder, type TrialStep, runTrial } from "../domain/machine/backup/trial.ts";
import { type Backup, type BackupOrder, writeBackup } from "../domain/machine/backup/write-backup.ts";

declare const self: Worker;

export type BackupTask = { write: BackupOrder } | { try: TrialOrder };

/** What the thread posts: the steps of a trial, then its result. */
export type BackupOutcome =
  { step: TrialStep } | { backup: Backup } | { trial: Trial } | { failure: Failure };

/** An error in a form that can be posted between threads. */
export interface Failure {
  readonly message: string;
  readonly code?: unknown;
  readonly path?: unknown;
}

// a thread, because copying and checking every page would block HTTP
self.addEventListener("message", async ({ data }: MessageEvent<BackupTask>) => {
  self.postMessage(await runTask(data));
});

async function runTask(task: BackupTask): Promise<BackupOutcome> {
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
