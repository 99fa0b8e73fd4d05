import type { Database } from "bun:sqlite";
import { openPrivately } from "./label.ts";

/** More than happens to a subscriber between a backup and its restore. */
const LEAP = 1_000_000;

interface Counted {
  subscriberId: number;
  seq: number;
}

/**
 * Lets the counts of events of a store that is about to replace another go on above what was told since: receivers take a lower one for
 * old. Unless the store that is replaced has counted the same. `replaced` is open; undefined: there is none, or it cannot be read.
 */
export function continueEvents(incoming: string, { replaced }: { replaced: Database | undefined }): void {
  using client = openPrivately(incoming);
  const restored = countsOf(client);
  if (!restored) return; // of before there were events
  const former = (replaced && countsOf(replaced)) ?? [];
  if (JSON.stringify(former) === JSON.stringify(restored)) return;
  const counts = new Map(restored.map(({ subscriberId, seq }) => [subscriberId, seq]));
  for (const { subscriberId, seq } of former)
    counts.set(subscriberId, Math.max(seq, counts.get(subscriberId) ?? 0));
  const leap = client.prepare<unknown, [number, number]>(
    `INSERT INTO event_counts (subscriber_id, seq) SELECT id, ?2 FROM subscribers WHERE id = ?1
     ON CONFLICT (subscriber_id) DO UPDATE SET seq = excluded.seq`,
  );
  client.transaction(() => {
    for (const [subscriberId, seq] of counts) leap.run(subscriberId, seq + LEAP);
  })();
  leap.finalize();
}

/** Undefined where the store has none, or cannot be read. */
function countsOf(client: Database): Counted[] | undefined {
  try {
    using statement = client.prepare<Counted, []>(
      "SELECT subscriber_id AS subscriberId, seq FROM event_counts ORDER BY subscriber_id",
    );
    return statement.all();
  } catch {
    return undefined;
  }
}
