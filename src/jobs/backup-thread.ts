import type { Backup, BackupOrder } from "../domain/backup/write-backup.ts";
import { DomainError } from "../domain/errors.ts";
import type { BackupOutcome, Failure } from "./backup-worker.ts";

/** Writes a backup in a thread of its own. Throws what writeBackup throws, and `refused` when `signal` broke it off. */
export function backupInThread(order: BackupOrder, signal?: AbortSignal): Promise<Backup> {
  const { promise, resolve, reject } = Promise.withResolvers<Backup>();
  const worker = new Worker(new URL("backup-worker.ts", here));
  worker.addEventListener("message", ({ data }: MessageEvent<BackupOutcome>) => {
    if ("backup" in data) resolve(data.backup);
    else reject(errorOf(data.failure));
    worker.terminate();
  });
  worker.addEventListener("error", ({ message }: ErrorEvent) => reject(new Error(message)));
  worker.addEventListener("close", () => reject(new Error("the thread of the backup ended")));
  const breakOff = () => {
    worker.terminate();
    reject(new DomainError("refused", "the backup was broken off; the next one begins anew"));
  };
  signal?.addEventListener("abort", breakOff);
  worker.postMessage(order);
  return promise.finally(() => signal?.removeEventListener("abort", breakOff));
}

function errorOf({ message, code, path }: Failure): Error {
  if (code === "refused") return new DomainError("refused", message);
  return Object.assign(new Error(message), { code, path });
}

// in the executable this module is part of main's file, one folder above
const here = new URL(Bun.isStandaloneExecutable ? "./jobs/" : "./", import.meta.url);
