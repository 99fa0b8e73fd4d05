import { existsSync, linkSync, mkdtempSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sync } from "../../../../db/durable.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../errors/errors.ts";

/** The files of a data folder. */
export const storeFiles = (folder: string) => ({
  database: join(folder, "gatehouse.db"),
  key: join(folder, "secret.key"),
  /** The key under the passphrase of the scheduled backups; they carry a copy of it. */
  sealedKey: join(folder, "secret.key.sealed"),
});

/** The folder that the open store is in. */
export function dataFolderOf({ $client }: Db): string {
  return dirname($client.filename);
}

/** Where a file grows until it is whole. */
export const unfinishedFile = (file: string) => `${file}.unfinished`;

/** A new file for its owner only, on the disk when this returns. */
export function writePrivate(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { mode: 0o600, flag: "wx", flush: true });
}

/** The old files under a second name in a folder that is itself a data folder: to go back, point GATEHOUSE_DATA_DIR at it. */
export function keepOld(folder: string, now: number): string {
  const kept = mkdtempSync(join(folder, `replaced-${now}-`));
  const [from, to] = [storeFiles(folder), storeFiles(kept)];
  const pairs = [
    [from.database, to.database],
    [`${from.database}-wal`, `${to.database}-wal`],
    [from.key, to.key],
    [from.sealedKey, to.sealedKey],
  ] as const;
  for (const [old, name] of pairs) if (existsSync(old)) linkSync(old, name);
  sync(kept);
  sync(folder); // from here on it is there, whatever happens
  return kept;
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
