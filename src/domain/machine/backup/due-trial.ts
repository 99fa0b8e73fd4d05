import { basename } from "node:path";
import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import { backupFolder, readableBackups } from "./schedule.ts";
import { trialRecords } from "./trial-records.ts";

const DAY = 86_400;
/** Hours in which a due trial runs: the fewest log in then. */
const QUIET_FROM = 2;
const QUIET_TO = 5;
/** Seconds after which a trial runs at any hour, for boxes that are off at night. */
const OVERDUE = DAY;
const LONGEST_UNPROVEN = 30;

/**
 * The newest backup, if a trial is due by the setting backup_try_days and it is night; after a failed trial the next backup at
 * once. Undefined: none is due.
 */
export function dueTrial(db: Db, dataFolder: string, now: Seconds): string | undefined {
  const every = setting(db, "backup_try_days") * DAY;
  const backups = readableBackups(backupFolder(db, dataFolder)).filter(({ at }) => at <= now);
  const [newest, oldest] = [backups[0], backups.at(-1)];
  if (every === 0 || !newest || !oldest) return undefined;
  const name = basename(newest.file);
  const last = lastTrial(dataFolder, now);
  const isNews = last === undefined || (last.fault !== null && last.name !== name);
  const dueAt = isNews ? Math.max(oldest.at, last?.at ?? 0) : last.at + every;
  if (now < dueAt || (now < dueAt + OVERDUE && !isQuiet(now))) return undefined;
  return name;
}

export interface Proof {
  /** The last successful trial; null: none. */
  readonly at: Seconds | null;
  /** Of the last trial; null: none. */
  readonly fault: string | null;
  /** Too long ago, though backups could have been tried since. */
  readonly isOld: boolean;
}

/** The state of proof. */
export function readProof(db: Db, dataFolder: string, now: Seconds): Proof {
  const at = trialRecords(dataFolder).find(({ fault }) => fault === null)?.at ?? null;
  const oldest = readableBackups(backupFolder(db, dataFolder)).at(-1)?.at;
  const longest = Math.max(LONGEST_UNPROVEN, setting(db, "backup_try_days") + 1) * DAY;
  const since = at ?? oldest;
  const isOld = since !== undefined && oldest !== undefined && now - since > longest;
  return { at, fault: lastTrial(dataFolder, now)?.fault ?? null, isOld };
}

/** A trial in the future, of a wrong clock, counts as now and must not block others. */
function lastTrial(dataFolder: string, now: Seconds) {
  const last = trialRecords(dataFolder)[0];
  return last && { ...last, at: Math.min(last.at, now) };
}

function isQuiet(now: Seconds): boolean {
  const zone = Temporal.Now.timeZoneId();
  const { hour } = Temporal.Instant.fromEpochMilliseconds(now * 1000).toZonedDateTimeISO(zone);
  return hour >= QUIET_FROM && hour < QUIET_TO;
}
