import { type Db, write } from "../../../../db/open.ts";
import { announceOther } from "../../core/events/announce.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Seconds in which a reason is reported once. */
const PAUSE = 6 * 3600;
const LONGEST = 500;

/** Reports a failed backup or restore with its reason, once in six hours. */
export function tellBackupFailed(
  db: Db,
  by: Actor,
  { reason }: { reason: string },
  { now }: { now: Seconds },
): void {
  permit(by, "tellBackupFailed");
  const short = reason.slice(0, LONGEST);
  const dueKey = `${now - (now % PAUSE)} ${short}`;
  write(db, (tx) =>
    announceOther(tx, now, { type: "backup.failed", ispId: null, dueKey, data: { reason: short } }),
  );
}
