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
import { phrase } from "../errors/phrase.ts";

export const storeFiles = (folder: string) => ({
  database: join(folder, "gatehouse.db"),
  key: join(folder, "secret.key"),
  /** Copied into scheduled backups. */
  sealedKey: join(folder, "secret.key.sealed"),
});

export function dataFolderOf({ $client }: Db): string {
  return dirname($client.filename);
}

export const unfinishedFile = (file: string) => `${file}.unfinished`;

/** 0600, synced. */
export function writePrivate(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { mode: 0o600, flag: "wx", flush: true });
}

/** Characters of a write. */
const CHUNK = 1 << 18;

/** 0600, synced; returns the number of pieces. */
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

/** Hard links in a folder that is a data folder itself: point GATEHOUSE_DATA_DIR at it to go back. */
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

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Throws `refused`. */
export function requireSpace(folder: string, bytes: number): void {
  const free = freeBytes(folder);
  if (free < bytes)
    throw new DomainError(
      "refused",
      phrase`${folder} has ${megabytes(free)} MB free and the copy takes ${megabytes(bytes)} MB; make room or choose another folder`,
    );
}

/** Bytes left for the store. */
export const RESERVE = 256 * 2 ** 20;

export function hasRoom(folder: string, bytes: number, reserve = RESERVE): boolean {
  return freeBytes(folder) - bytes >= reserve;
}

/** Bytes between two checks. */
const LOOK_EVERY = 16 * 2 ** 20;

/** Checks room while an endless stream is written; false: no more. */
export function watchRoom(folder: string, reserve = RESERVE): (bytes: number) => boolean {
  let [written, looked] = [0, -LOOK_EVERY];
  return (bytes) => {
    written += bytes;
    if (written - looked < LOOK_EVERY) return true;
    looked = written;
    return hasRoom(folder, 0, reserve);
  };
}

/** 0: missing. */
export function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
