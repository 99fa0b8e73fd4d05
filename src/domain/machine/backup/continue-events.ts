import type { Database } from "bun:sqlite";
import { openPrivately } from "./label.ts";

/** More events than a subscriber has between a backup and its restore. */
const LEAP = 1_000_000;

interface Counted {
  subscriberId: number;
  seq: number;
}

/**
 * Advances event counts of an incoming store beyond those already sent, for receivers ignore lower ones; not where both stores
 * have the same. `replaced` undefined: none, or unreadable.
 */
export function continueEvents(incoming: string, { replaced }: { replaced: Database | undefined }): void {
  using client = openPrivately(incoming);
  const restored = readCounts(client);
  if (!restored) return; // of before there were events
  const former = (replaced && readCounts(replaced)) ?? [];
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

function readCounts(client: Database): Counted[] | undefined {
  try {
    using statement = client.prepare<Counted, []>(
      "SELECT subscriber_id AS subscriberId, seq FROM event_counts ORDER BY subscriber_id",
    );
    return statement.all();
  } catch {
    return undefined;
  }
}
