import type { Db } from "../../../../db/open.ts";
import { fileSize, freeBytes, storeFiles } from "../../core/files/files.ts";
import { isOnSameDisk } from "../backup/device.ts";
import { lastOutcome } from "../backup/folder.ts";
import { readProof } from "../backup/due-trial.ts";
import { natsCopyStanding } from "../backup/nats-copies.ts";
import { backupFolder, readableBackups } from "../backup/schedule.ts";
import { isSealStored } from "../backup/stored-seal.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { volume } from "../../core/fields/volume.ts";
import { error, type Finding, ok, warning } from "../check/finding.ts";

const HOUR = 3600;
const LATE = 2;
/** Bytes that a disk needs free: a backup and some days of growth. */
const SPARE_BYTES = 500e6;
const LAST_BYTES = 100e6;

/** Stale backups and full disks. Cheap. */
export function checkUpkeep(db: Db, by: Actor, folder: string, { now }: { now: Seconds }): Finding[] {
  permit(by, "checkUpkeep");
  return [
    checkBackups(db, folder, now),
    checkProof(db, folder, now),
    checkBackupKey(db, folder),
    ...checkNatsCopies(db, folder, now),
    checkDisk(folder),
  ];
}

function checkProof(db: Db, folder: string, now: Seconds): Finding {
  const subject = "backup proof";
  const { at, fault, isOld } = readProof(db, folder, now);
  if (fault !== null)
    return error(
      subject,
      `the last trial restore failed: ${fault}; make another backup and prove that one`,
      "backup_proof_failed",
      {},
    );
  const message =
    at === null ? "no trial restore has proven a backup yet" : `the last is of ${formatTime(at)}`;
  if (!isOld) return ok(subject, message);
  const remedy =
    setting(db, "backup_try_days") === 0
      ? "let it prove one by itself: gatehouse settings set backup_try_days 7"
      : "prove one in the console under Settings, Backups; the log of the server says why it did not";
  return warning(subject, `${message}, more than 30 days without one; ${remedy}`, "backup_proof_old", { at });
}

function checkBackups(db: Db, folder: string, now: Seconds): Finding {
  const subject = "backups";
  const hours = setting(db, "backup_every_hours");
  if (hours === 0)
    return warning(
      subject,
      "none are scheduled; switch them on with: gatehouse settings set backup_every_hours 24",
      "backups_off",
      {},
    );
  const where = backupFolder(db, folder);
  const last = lastOutcome(folder);
  if (last?.folder === where && last.fault !== null)
    return error(subject, `none can be made: ${last.fault}`, "backups_failing", {});
  const newest = readableBackups(where)[0];
  if (!newest)
    return warning(
      subject,
      `there is no scheduled one in ${where} yet; a running server makes one soon`,
      "backups_none",
      {},
    );
  const message = `the newest is of ${formatTime(newest.at)}, verified, in ${where}`;
  if (now - newest.at <= hours * HOUR * LATE) {
    if (!isOnSameDisk(where, folder) || natsCopyStanding(db, folder, now)?.last) return ok(subject, message);
    return warning(
      subject,
      `${message}, on the same disk as the store: it dies with it; choose a folder on another disk, in the console under Settings, Backups`,
      "backups_same_disk",
      {},
    );
  }
  return error(
    subject,
    `${message}; one is due every ${hours} h: the log of the server says why there is none`,
    "backups_late",
    { at: newest.at },
  );
}

function checkBackupKey(db: Db, folder: string): Finding {
  const subject = "backup key";
  if (isSealStored(folder)) return ok(subject, "scheduled backups hold the key, under your passphrase");
  const message =
    "backups do not hold secret.key, without which they log nobody in; run: gatehouse backup-passphrase, or keep a copy of secret.key elsewhere";
  return setting(db, "backup_every_hours") === 0
    ? ok(subject, message)
    : warning(subject, message, "backup_key", {});
}

function checkNatsCopies(db: Db, folder: string, now: Seconds): Finding[] {
  const subject = "backups in NATS";
  const standing = natsCopyStanding(db, folder, now);
  if (!standing) return [];
  const { fault, last, isOld } = standing;
  const newest = last ? `the newest there is of ${formatTime(last.at)}` : "there is none";
  if (fault !== null) return [error(subject, `${newest}: ${fault}`, "nats_copies_failing", {})];
  if (last === null)
    return [
      warning(subject, "there is none yet; a running server puts one there soon", "nats_copies_none", {}),
    ];
  const late = `${newest}; one is due each hour: the log of the server says why there is none`;
  return [isOld ? error(subject, late, "nats_copies_late", { at: last.at }) : ok(subject, newest)];
}

function checkDisk(folder: string): Finding {
  const subject = "disk";
  const free = freeBytes(folder);
  const message = `${volume(free)} are free in ${folder}`;
  if (free < LAST_BYTES)
    return error(subject, `${message}; make room now, or accounting stops`, "disk_full", { free });
  if (free < fileSize(storeFiles(folder).database) + SPARE_BYTES)
    return warning(subject, `${message}; make room soon`, "disk_low", { free });
  return ok(subject, message);
}
