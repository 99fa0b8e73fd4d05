import { and, inArray, isNull, lt, sql } from "drizzle-orm";
import { type Db, write } from "../../../db/open.ts";
import { sessions } from "../../../db/schema.ts";
import { SessionEvents } from "../events/sessions.ts";
import { setting } from "../settings/settings.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";

/** Sessions that one transaction closes: a second of 50,000 would stall accounting, which needs the same lock. */
const STEP = 500;

/**
 * Closes sessions that have missed their accounting updates, as of their last update; an Interim-Update reopens one. No router
 * could report before `since`, when this program began to listen. Returns how many (settings
 * acct_interim_interval and stale_session_after).
 */
export async function closeLostSessions(
  db: Db,
  by: Actor,
  { since }: { since: Seconds },
  { now }: { now: Seconds },
): Promise<number> {
  permit(by, "closeLostSessions");
  const deadline = now - setting(db, "acct_interim_interval") * setting(db, "stale_session_after");
  if (since >= deadline) return 0;
  let closed = 0;
  for (;;) {
    const step = closeSome(db, deadline, now);
    closed += step;
    if (step < STEP) return closed;
    await Bun.sleep(0);
  }
}

function closeSome(db: Db, deadline: Seconds, now: Seconds): number {
  const isLost = and(isNull(sessions.stoppedAt), lt(sessions.updatedAt, deadline));
  // most sweeps find nothing, and must not take the write lock for it
  const lost = db.select({ id: sessions.id }).from(sessions).where(isLost).limit(STEP).all();
  if (lost.length === 0) return 0;
  const ids = lost.map(({ id }) => id);
  write(db, (tx) => {
    // once more within the lock: an update may have come in between
    const closed = tx
      .update(sessions)
      .set({ stoppedAt: sql`${sessions.updatedAt}`, closedBy: "lost", terminateCause: "lost" })
      .where(and(inArray(sessions.id, ids), isLost))
      .returning({ id: sessions.id, at: sessions.updatedAt })
      .all();
    const events = new SessionEvents(tx);
    for (const { id, at } of closed) events.tell("session.stopped", id, { now, at });
  });
  return lost.length;
}
