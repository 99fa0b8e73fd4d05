import { type Db, write } from "../../../../db/open.ts";
import { announceOther } from "../../core/events/announce.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Seconds in which the same reason is told once. */
const PAUSE = 6 * 3600;
const LONGEST = 500;

/** Tells that no backup can be made, or that one cannot be restored, for a reason in words; the same one once in six hours. */
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
