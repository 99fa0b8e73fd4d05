import type { Database } from "bun:sqlite";
import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../time/time.ts";

interface Kept<T> {
  readonly at: Seconds;
  readonly counted: T;
}

/**
 * Counts, and keeps what was counted for so many seconds where it is of many, by connection and key: of few it takes no time, and one that
 * is missing would be noticed.
 */
export function keepWhenMany<T>(stands: Seconds, isMany: (counted: T) => boolean) {
  const kept = new WeakMap<Database, Map<string, Kept<T>>>();
  return (
    { $client }: Pick<Db, "$client">,
    { key, now }: { key: string; now: Seconds },
    count: () => T,
  ): T => {
    const known = kept.getOrInsertComputed($client, () => new Map());
    const last = known.get(key);
    if (last && Math.abs(now - last.at) < stands) return last.counted;
    const counted = count();
    if (isMany(counted)) known.set(key, { at: now, counted });
    else known.delete(key);
    return counted;
  };
}

/** The size from which on a result is kept. */
export const MANY = 1000;
