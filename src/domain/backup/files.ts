import { statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../errors.ts";

/** The files of a data folder. */
export const storeFiles = (folder: string) => ({
  database: join(folder, "gatehouse.db"),
  key: join(folder, "secret.key"),
  /** The key under the passphrase of the scheduled backups; they carry a copy of it. */
  sealedKey: join(folder, "secret.key.sealed"),
});

/** Where a file grows until it is whole. */
export const unfinishedFile = (file: string) => `${file}.unfinished`;

/** A new file for its owner only, on the disk when this returns. */
export function writePrivate(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { mode: 0o600, flag: "wx", flush: true });
}

/** Throws `refused` where fewer bytes than that are free. */
export function requireSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free < bytes)
    throw new DomainError(
      "refused",
      `${folder} has ${megabytes(free)} MB free and the copy takes ${megabytes(bytes)} MB; make room or choose another folder`,
    );
}

/** 0 for a file that is not there. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
