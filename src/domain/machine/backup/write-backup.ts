import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { sync } from "../../../../db/durable.ts";
import { openReader, requireLog } from "../../../../db/open.ts";
import { claimServing, ServingError } from "../../../../db/serving.ts";
import { DomainError } from "../../core/errors/errors.ts";
import type { Seconds } from "../../core/time/time.ts";
import { addChecksum } from "./checksum.ts";
import { leaveNumbers, markHandedOver } from "./handed-over.ts";
import { requireSpace, sizeOf, storeFiles, unfinishedFile, writePrivate } from "../../core/files/files.ts";
import { keyName, sealKey } from "./sealed-key.ts";
import { storedSeal } from "./stored-seal.ts";
import { inspectCopy } from "./inspect.ts";
import { writeLabel } from "./label.ts";

export interface BackupOrder {
  /** The data folder; a server may be at work on it. */
  readonly folder: string;
  /** Where the backup goes. Never half written: it appears under this name when it has been verified. */
  readonly file: string;
  readonly now: Seconds;
  readonly program: string;
  /** Puts the key into the backup, encrypted; else the one of the scheduled backups is taken, if there is one. */
  readonly passphrase?: string | undefined;
  /** The books go on at another box from this backup: nobody may serve them here. */
  readonly move?: boolean;
}

export interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** Whether the backup holds the key, encrypted; without it the key has to be kept apart. */
  readonly hasKey: boolean;
}

/**
 * Writes a consistent copy of the store while others write to it, and verifies it. Takes a read transaction only, so nobody
 * waits for it; but this thread is busy meanwhile. Throws `refused` for an existing file, too little space and a copy that
 * is not sound.
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
      "a server works on this data folder, and would go on booking: stop it first, for good: systemctl disable --now gatehouse",
    );
  }
}

function write({ folder, file, now, program, passphrase, move = false }: BackupOrder): Backup {
  if (existsSync(file))
    throw new DomainError("refused", `${file} exists already; choose another name or remove it`);
  const files = storeFiles(folder);
  if (!existsSync(files.database))
    throw new DomainError(
      "refused",
      `there is no database in ${folder}; set GATEHOUSE_DATA_DIR to its folder`,
    );
  requireLog(folder);
  const key = readFileSync(files.key, "utf8");
  const keySealed = passphrase === undefined ? storedSeal(folder, key) : sealKey(key, passphrase);
  requireSpace(dirname(file), sizeOf(files.database));

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
  return { file, bytes: sizeOf(file), hasKey: keySealed !== null };
}

/** The size that a copy will have at the most, for those who watch it grow. */
export function expectedBytes(folder: string): number {
  return sizeOf(storeFiles(folder).database);
}

function copyStore(folder: string, to: string): void {
  const { $client } = openReader(folder);
  try {
    $client.run("VACUUM INTO ?", [to]);
  } finally {
    $client.close();
  }
}
