import { basename } from "node:path";
import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import { backupFolder, readableBackups } from "./schedule.ts";
import { trialRecords } from "./trial-records.ts";

const DAY = 86_400;
/** Hours of the clock in which a trial that is due is made: those in which the fewest log in. */
const QUIET_FROM = 2;
const QUIET_TO = 5;
/** Seconds after which one that no such hour came to, as of a box that is off at night, is made at any hour. */
const OVERDUE = DAY;
/** Days without a proof that are worth a word. */
const LONGEST_UNPROVEN = 30;

/**
 * The backup that is to be tried now, by the setting backup_try_days: the newest one, at night. After a trial that failed the next
 * backup is tried as soon as there is one. Undefined: none is due.
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
  /** When a trial restore last went well; null: none is known to have. */
  readonly at: Seconds | null;
  /** Why the last trial failed; null: it did not. */
  readonly fault: string | null;
  /** Whether the last proof is too long ago, with backups that could have been proven since. */
  readonly isOld: boolean;
}

/** When a backup was last proven, and whether that is too long ago. */
export function proofOf(db: Db, dataFolder: string, now: Seconds): Proof {
  const at = trialRecords(dataFolder).find(({ fault }) => fault === null)?.at ?? null;
  const oldest = readableBackups(backupFolder(db, dataFolder)).at(-1)?.at;
  const longest = Math.max(LONGEST_UNPROVEN, setting(db, "backup_try_days") + 1) * DAY;
  const since = at ?? oldest;
  const isOld = since !== undefined && oldest !== undefined && now - since > longest;
  return { at, fault: lastTrial(dataFolder, now)?.fault ?? null, isOld };
}

/** One of a clock that was ahead counts as made now, for it must not keep all others away. */
function lastTrial(dataFolder: string, now: Seconds) {
  const last = trialRecords(dataFolder)[0];
  return last && { ...last, at: Math.min(last.at, now) };
}

function isQuiet(now: Seconds): boolean {
  const zone = Temporal.Now.timeZoneId();
  const { hour } = Temporal.Instant.fromEpochMilliseconds(now * 1000).toZonedDateTimeISO(zone);
  return hour >= QUIET_FROM && hour < QUIET_TO;
}
