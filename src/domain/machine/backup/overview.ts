import { Database } from "bun:sqlite";
import { basename } from "node:path";
import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, requireAdminOfAll } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { expectedBytes } from "./write-backup.ts";
import { isOnSameDisk } from "./device.ts";
import { lastOutcome } from "./folder.ts";
import { readLabel } from "./label.ts";
import { natsCopyStanding } from "./nats-copies.ts";
import { dataFolderOf, freeBytes } from "../../core/files/files.ts";
import { backupFolder, nextBackup, readableBackups, type ScheduledBackup } from "./schedule.ts";
import { isSealStored } from "./stored-seal.ts";
import { type TrialRecord, trialRecords } from "./trial-records.ts";

/** Backups whose own words are read. */
const LISTED = 60;

export interface BackupView extends ScheduledBackup {
  readonly name: string;
  /** Whether its key is in it, under a passphrase; null: it does not say, because it is damaged or no backup. */
  readonly holdsKey: boolean | null;
  /** The version that wrote it. */
  readonly program: string | null;
  readonly trial: TrialRecord | null;
}

/** Backups as their page shows them. */
export interface BackupOverview {
  readonly folder: string;
  readonly dataFolder: string;
  readonly backups: readonly BackupView[];
  readonly more: number;
  readonly everyHours: number;
  readonly keep: number;
  /** Days between two trials of the newest; 0: none is made by itself. */
  readonly tryDays: number;
  /** null: none is scheduled. */
  readonly nextAt: Seconds | null;
  /** Why none can be made, in one sentence; null: nothing is known to be wrong. */
  readonly fault: string | null;
  /** Whether scheduled backups hold the key from now on. */
  readonly holdKey: boolean;
  /** Whether they are on the disk of the data folder, and go with it. */
  readonly isBeside: boolean;
  /** Those in the object store of NATS; undefined: none are asked for. */
  readonly nats: ReturnType<typeof natsCopyStanding>;
  /** Bytes of the disk of the folder, and of the next backup at the most; null: the folder cannot be looked at. */
  readonly disk: { readonly free: number; readonly needed: number } | null;
}

/** What backups there are, whether they were proven, and when the next one comes. */
export function backupOverview(db: Db, by: Actor, { now }: { now: Seconds }): BackupOverview {
  permit(by, "backupOverview");
  requireAdminOfAll(db, by);
  const dataFolder = dataFolderOf(db);
  const folder = backupFolder(db, dataFolder);
  const all = readableBackups(folder);
  const trials = new Map(trialRecords(dataFolder).map((record) => [record.name, record]));
  const last = lastOutcome(dataFolder);
  const everyHours = setting(db, "backup_every_hours");
  return {
    folder,
    dataFolder,
    backups: all.slice(0, LISTED).map(({ file, at, bytes }) => {
      const name = basename(file);
      const { holdsKey, program } = phrasesOf(file);
      return { file, at, bytes, name, holdsKey, program, trial: trials.get(name) ?? null };
    }),
    more: Math.max(0, all.length - LISTED),
    everyHours,
    keep: setting(db, "backup_keep"),
    tryDays: setting(db, "backup_try_days"),
    nextAt: nextBackup(all, everyHours, now),
    fault: last?.folder === folder ? last.fault : null,
    holdKey: isSealStored(dataFolder),
    isBeside: isOnSameDisk(folder, dataFolder),
    nats: natsCopyStanding(db, dataFolder, now),
    disk: freeIn(folder, dataFolder),
  };
}

function phrasesOf(file: string): Pick<BackupView, "holdsKey" | "program"> {
  try {
    using client = new Database(file, { readonly: true, strict: true });
    const { keySealed, program } = readLabel(client);
    return { holdsKey: keySealed !== null, program };
  } catch {
    return { holdsKey: null, program: null }; // its trial says what is wrong with it
  }
}

function freeIn(folder: string, dataFolder: string): BackupOverview["disk"] {
  try {
    return { free: freeBytes(folder), needed: expectedBytes(dataFolder) };
  } catch {
    return null;
  }
}
