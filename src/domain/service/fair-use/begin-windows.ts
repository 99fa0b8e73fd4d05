import { type Db, type Tx, write } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { begun, CounterRows } from "./counters.ts";
import { fairWindows, windowAt } from "../../goods/windows/window.ts";

/** Seconds that threads may differ: a window that starts later was written with a wrong clock. */
const AHEAD = 3600;
/** Services per transaction, so that accounting does not wait long. */
const AT_ONCE = 500;

/**
 * Resets counters of services whose window restarted, for lists and reports; logins and accounting do it themselves. A window
 * with a future start, by a wrong clock, is treated as current, as nothing would count until then. Returns the number.
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

/** The same for one service, before a top-up. */
export function beginWindow(tx: Tx, subscriberId: number, now: Seconds): void {
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
