import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { sync } from "../../../../db/durable.ts";
import { openReader, requireLog } from "../../../../db/open.ts";
import { claimServing, ServingError } from "../../../../db/serving.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { addChecksum } from "./checksum.ts";
import { leaveNumbers, markHandedOver } from "./handed-over.ts";
import { fileSize, requireSpace, storeFiles, unfinishedFile, writePrivate } from "../../core/files/files.ts";
import { keyName, sealKey } from "./sealed-key.ts";
import { storedSeal } from "./stored-seal.ts";
import { inspectCopy } from "./inspect.ts";
import { writeLabel } from "./label.ts";

export interface BackupOrder {
  /** A server may be using it. */
  readonly folder: string;
  readonly file: string;
  readonly now: Seconds;
  readonly program: string;
  /** Seals the key into the backup; by default with the stored seal, if any. */
  readonly passphrase?: string | undefined;
  /** Another box goes on from it: nobody may serve the store here. */
  readonly move?: boolean;
}

export interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** Whether the key is inside, sealed. */
  readonly hasKey: boolean;
}

/**
 * Copies the store consistently, and verifies the copy. A read transaction blocks nobody, but this thread is busy. Throws
 * `refused` for an existing file, a full disk and a faulty copy.
 */
export function writeBackup(order: BackupOrder): Backup {
  if (order.move !== true) return write(order);
  if (!existsSync(storeFiles(order.folder).database)) return write(order); // which says that there is none
  using _claimed = claimed(order.folder);
  const backup = write(order);
  leaveNumbers(order.folder);
  return backup;
}

function claimed(folder: string): Disposable {
  try {
    return claimServing(folder);
  } catch (error) {
    if (!(error instanceof ServingError)) throw error;
    throw new DomainError(
      "refused",
      phrase`a server works on this data folder, and would go on booking: stop it first, for good: systemctl disable --now gatehouse`,
    );
  }
}

function write({ folder, file, now, program, passphrase, move = false }: BackupOrder): Backup {
  if (existsSync(file))
    throw new DomainError("refused", phrase`${file} exists already; choose another name or remove it`);
  const files = storeFiles(folder);
  if (!existsSync(files.database))
    throw new DomainError(
      "refused",
      phrase`there is no database in ${folder}; set GATEHOUSE_DATA_DIR to its folder`,
    );
  requireLog(folder);
  const key = readFileSync(files.key, "utf8");
  const keySealed = passphrase === undefined ? storedSeal(folder, key) : sealKey(key, passphrase);
  requireSpace(dirname(file), fileSize(files.database));

  const unfinished = unfinishedFile(file);
  rmSync(unfinished, { force: true }); // of a backup that was broken off
  try {
    writePrivate(unfinished, "");
    copyStore(folder, unfinished);
    if (move) markHandedOver(unfinished, now);
    writeLabel(unfinished, { createdAt: now, program, keyName: keyName(key), keySealed });
    addChecksum(unfinished);
    inspectCopy(unfinished);
    sync(unfinished);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  sync(dirname(file));
  return { file, bytes: fileSize(file), hasKey: keySealed !== null };
}

/** Bytes of the store, for progress. */
export function expectedBytes(folder: string): number {
  return fileSize(storeFiles(folder).database);
}

function copyStore(folder: string, to: string): void {
  const { $client } = openReader(folder);
  try {
    $client.run("VACUUM INTO ?", [to]);
  } finally {
    $client.close();
  }
}
