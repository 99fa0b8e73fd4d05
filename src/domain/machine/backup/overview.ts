import { Database } from "bun:sqlite";
import { basename } from "node:path";
import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, requireApplianceAdmin } from "../../core/actor/actor.ts";
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

/** Backups whose labels are read. */
const LISTED = 60;

export interface BackupView extends ScheduledBackup {
  readonly name: string;
  /** Null: its label is unreadable. */
  readonly holdsKey: boolean | null;
  readonly program: string | null;
  readonly trial: TrialRecord | null;
}

export interface BackupOverview {
  readonly folder: string;
  readonly dataFolder: string;
  readonly backups: readonly BackupView[];
  readonly more: number;
  readonly everyHours: number;
  readonly keep: number;
  /** 0: no automatic trials. */
  readonly tryDays: number;
  readonly nextAt: Seconds | null;
  /** Why none can be made; null: nothing known. */
  readonly fault: string | null;
  /** Whether scheduled backups contain the key. */
  readonly holdKey: boolean;
  /** Whether they share the disk of the data folder. */
  readonly isBeside: boolean;
  /** undefined: switched off. */
  readonly nats: ReturnType<typeof natsCopyStanding>;
  readonly disk: { readonly free: number; readonly needed: number } | null;
}

export function backupOverview(db: Db, by: Actor, { now }: { now: Seconds }): BackupOverview {
  permit(by, "backupOverview");
  requireApplianceAdmin(db, by);
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
      const { holdsKey, program } = readLabelFacts(file);
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

function readLabelFacts(file: string): Pick<BackupView, "holdsKey" | "program"> {
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
