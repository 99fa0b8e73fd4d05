import type { BackupThreads } from "../domain/machine/backup/desk.ts";
import type { Trial, TrialOrder, TrialStep } from "../domain/machine/backup/trial.ts";
import type { Backup, BackupOrder } from "../domain/machine/backup/write-backup.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase, verbatim } from "../domain/core/errors/phrase.ts";
import type { BackupOutcome, BackupTask, Failure } from "./backup-worker.ts";

/** Writes a backup in its own thread. Throws what writeBackup throws, and `conflict` when aborted by `signal`. */
export async function backupInThread(order: BackupOrder, signal?: AbortSignal): Promise<Backup> {
  const outcome = await inThread({ write: order }, { signal });
  if ("backup" in outcome) return outcome.backup;
  throw new Error("the thread of the backup answered something else");
}

/** Tries to restore a backup in its own thread. Throws what runTrial throws, and `conflict` when aborted by `signal`. */
export async function trialInThread(
  order: TrialOrder,
  { step, signal }: { step?: (step: TrialStep) => void; signal?: AbortSignal | undefined } = {},
): Promise<Trial> {
  const outcome = await inThread({ try: order }, { step, signal });
  if ("trial" in outcome) return outcome.trial;
  throw new Error("the thread of the trial answered something else");
}

/** Backups and trial restores started at the console. */
export function backupThreads(signal?: AbortSignal): BackupThreads {
  return {
    write: (order) => backupInThread(order, signal),
    try: (order, step) => trialInThread(order, { step, signal }),
  };
}

interface Options {
  readonly step?: ((step: TrialStep) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Answer = Exclude<BackupOutcome, { step: TrialStep } | { failure: Failure }>;

function inThread(task: BackupTask, { step, signal }: Options): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const worker = new Worker(new URL("backup-worker.ts", here));
  worker.addEventListener("message", ({ data }: MessageEvent<BackupOutcome>) => {
    if ("step" in data) return step?.(data.step);
    if ("failure" in data) reject(toError(data.failure));
    else resolve(data);
    worker.terminate();
  });
  worker.addEventListener("error", ({ message }: ErrorEvent) => reject(new Error(message)));
  worker.addEventListener("close", () => reject(new Error("the thread of the backup ended")));
  const breakOff = () => {
    worker.terminate();
    reject(new DomainError("conflict", phrase`it was broken off, for the server stopped; begin it anew`));
  };
  if (signal?.aborted) breakOff();
  signal?.addEventListener("abort", breakOff);
  worker.postMessage(task);
  return promise.finally(() => signal?.removeEventListener("abort", breakOff));
}

function toError({ message, code, path }: Failure): Error {
  if (code === "refused" || code === "not_found" || code === "conflict")
    return new DomainError(code, verbatim(message));
  return Object.assign(new Error(message), { code, path });
}

// in the executable this module is part of main's file, one folder above
const here = new URL(Bun.isStandaloneExecutable ? "./jobs/" : "./", import.meta.url);
