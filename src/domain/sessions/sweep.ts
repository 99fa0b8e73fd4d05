import { and, isNull, lt, sql } from "drizzle-orm";
import { type Db, write } from "../../../db/open.ts";
import { sessions } from "../../../db/schema.ts";
import { setting } from "../settings/settings.ts";
import type { Seconds } from "../time.ts";

/**
 * Closes sessions that have missed their accounting updates, as of their last news; an Interim-Update reopens one. Returns
 * how many (radius.md, Accounting-Request; settings acct_interim_interval and stale_session_after).
 */
export function closeLostSessions(db: Db, now: Seconds): number {
  const deadline = now - setting(db, "acct_interim_interval") * setting(db, "stale_session_after");
  const isLost = and(isNull(sessions.stoppedAt), lt(sessions.updatedAt, deadline));
  // most sweeps find nothing, and must not take the write lock for it
  if (!db.select({ id: sessions.id }).from(sessions).where(isLost).limit(1).get()) return 0;
  return write(
    db,
    (tx) =>
      tx
        .update(sessions)
        .set({ stoppedAt: sql`${sessions.updatedAt}`, closedBy: "lost", terminateCause: "Lost" })
        .where(isLost)
        .returning({ id: sessions.id })
        .all().length,
  );
}
