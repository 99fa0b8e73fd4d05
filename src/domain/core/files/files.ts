import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sync } from "../../../../db/durable.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../errors/errors.ts";

export const storeFiles = (folder: string) => ({
  database: join(folder, "gatehouse.db"),
  key: join(folder, "secret.key"),
  /** The key under the passphrase of the scheduled backups; they carry a copy of it. */
  sealedKey: join(folder, "secret.key.sealed"),
});

export function dataFolderOf({ $client }: Db): string {
  return dirname($client.filename);
}

/** Where a file grows until it is whole. */
export const unfinishedFile = (file: string) => `${file}.unfinished`;

/** A new file for its owner only, on the disk when this returns. */
export function writePrivate(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { mode: 0o600, flag: "wx", flush: true });
}

/** Characters that are written at once. */
const CHUNK = 1 << 18;

/** A new file for its owner only, of pieces that come one by one; on the disk when this returns. Returns how many there were. */
export function writePieces(file: string, pieces: Iterable<string>): number {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    let waiting: string[] = [];
    let length = 0;
    let count = 0;
    for (const piece of pieces) {
      waiting.push(piece);
      length += piece.length;
      count++;
      if (length < CHUNK) continue;
      writeFileSync(descriptor, waiting.join(""));
      waiting = [];
      length = 0;
    }
    writeFileSync(descriptor, waiting.join(""));
    fsyncSync(descriptor);
    return count;
  } finally {
    closeSync(descriptor);
  }
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

/** Bytes that are free on the disk of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Throws `refused` where fewer bytes than that are free. */
export function requireSpace(folder: string, bytes: number): void {
  const free = freeBytes(folder);
  if (free < bytes)
    throw new DomainError(
      "refused",
      `${folder} has ${megabytes(free)} MB free and the copy takes ${megabytes(bytes)} MB; make room or choose another folder`,
    );
}

/** Bytes that stay free for the store, whatever else is written beside it. */
export const RESERVE = 256 * 2 ** 20;

/** Whether the disk of a folder takes so many bytes more and keeps a reserve. */
export function hasRoom(folder: string, bytes: number, reserve = RESERVE): boolean {
  return freeBytes(folder) - bytes >= reserve;
}

/** Bytes after which room is looked for again. */
const LOOK_EVERY = 16 * 2 ** 20;

/** Hears how long each piece is that is to be written of something that may have no end, and says whether there is room for more. */
export function watchRoom(folder: string, reserve = RESERVE): (bytes: number) => boolean {
  let [written, looked] = [0, -LOOK_EVERY];
  return (bytes) => {
    written += bytes;
    if (written - looked < LOOK_EVERY) return true;
    looked = written;
    return hasRoom(folder, 0, reserve);
  };
}

/** 0 for a file that is not there. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
