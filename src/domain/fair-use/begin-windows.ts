import { type Db, type Tx, write } from "../../../db/open.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { begun, CounterRows } from "./counters.ts";
import { fairWindows, windowAt } from "./window.ts";

/** Services in one transaction, so that no packet of accounting waits long. */
const AT_ONCE = 500;

/**
 * Writes the counters of services whose window has begun anew, so that lists and reports have them; logins and accounting know without it.
 * How many there were.
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
      const done = write(db, (tx) => beginSome(tx, kind, window.start));
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

function beginSome(db: Db, kind: string, start: Seconds): number {
  const rows = db.$client
    .query<{ id: number }, [string, Seconds]>(
      `SELECT v.subscriber_id AS id FROM services v
       WHERE v.fair_window <> 'period' AND v.fair_window = ? AND ifnull(v.window_start < ?, 1) LIMIT ${AT_ONCE}`,
    )
    .all(kind, start);
  const counters = new CounterRows(db);
  for (const { id } of rows) {
    const before = counters.read(id);
    if (!before) continue;
    const isFirst = before.windowStart === null;
    counters.write(before, isFirst ? { ...before, windowStart: start } : begun(before, start));
  }
  return rows.length;
}
