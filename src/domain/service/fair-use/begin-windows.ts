import { type Db, type Tx, write } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { begun, CounterRows } from "./counters.ts";
import { fairWindows, windowAt } from "../../goods/windows/window.ts";

/** Seconds by which threads may be apart: a window that begins later has begun by a clock that was wrong. */
const AHEAD = 3600;
/** Services in one transaction, so that no packet of accounting waits long. */
const AT_ONCE = 500;

/**
 * Writes the counters of services whose window has begun anew, so that lists and reports have them; logins and accounting know without it.
 * A window that has begun in a time to come, by a clock that was ahead, is the one that runs: until then nothing would count. How many
 * there were.
 */
export async function beginWindows(
  db: Db,
  by: Actor,
  { now, signal }: { now: Seconds; signal?: AbortSignal },
): Promise<number> {
  permit(by, "beginWindows");
  let services = 0;
  for (const kind of fairWindows) {
    const window = windowAt(kind, now);
    if (!window) continue;
    for (;;) {
      const done = write(db, (tx) => beginSome(tx, kind, window.start, now));
      services += done;
      if (done < AT_ONCE || signal?.aborted) break;
      await Bun.sleep(1);
    }
  }
  return services;
}

/** The same of one service, before something is added to the window that runs. */
export function beginWindowOf(tx: Tx, subscriberId: number, now: Seconds): void {
  const counters = new CounterRows(tx);
  const before = counters.read(subscriberId);
  const start = before && windowAt(before.fairWindow, now)?.start;
  if (!before || start === undefined || (before.windowStart ?? start) >= start) return;
  counters.write(before, begun(before, start));
}

function beginSome(db: Db, kind: string, start: Seconds, now: Seconds): number {
  const rows = db.$client
    .query<{ id: number }, [string, Seconds, Seconds]>(
      `SELECT v.subscriber_id AS id FROM services v
       WHERE v.fair_window <> 'period' AND v.fair_window = ?
         AND (ifnull(v.window_start < ?, 1) OR v.window_start > ?) LIMIT ${AT_ONCE}`,
    )
    .all(kind, start, now + AHEAD);
  const counters = new CounterRows(db);
  for (const { id } of rows) {
    const before = counters.read(id);
    if (!before) continue;
    const isNew = before.windowStart !== null && before.windowStart < start;
    counters.write(before, isNew ? begun(before, start) : { ...before, windowStart: start });
  }
  return rows.length;
}
