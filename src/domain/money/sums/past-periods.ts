import type { Database } from "bun:sqlite";
import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Seconds after the end of a period in which the next one still follows it. */
export const RETURN = 30 * 86_400;

interface Kept {
  /** The last invoice seen. */
  upTo: number;
  /** Of periods that were changed. */
  readonly generation: number;
  readonly counts: Map<string, { readonly end: Seconds; readonly count: unknown }>;
}

const kept = new WeakMap<Database, Kept>();
const MOST_KEPT = 2000;

/** A cache of counts of the periods that ended before `end`, which is RETURN ago, as of now: each stands until a period is changed, or one is written that may follow them. */
export function pastPeriods({ $client }: Pick<Db, "$client">) {
  const { counts } = looked($client);
  return <C>(key: string, end: Seconds, count: () => C): C => {
    const known = counts.get(key);
    if (known) return known.count as C; // as `count` of this key gave it
    const counted = count();
    if (counts.size >= MOST_KEPT) counts.clear();
    counts.set(key, { end, count: counted });
    return counted;
  };
}

/** What is kept, after new invoices were looked at. */
function looked($client: Database): Kept {
  const { newest, generation } = $client
    .query<{ newest: number; generation: number }, []>(
      `SELECT coalesce((SELECT max(id) FROM invoices), 0) AS newest,
         coalesce((SELECT value FROM generations WHERE name = 'periods'), 0) AS generation`,
    )
    .get() ?? { newest: 0, generation: 0 };
  let one = kept.get($client);
  // fewer invoices: another store
  if (!one || newest < one.upTo || generation !== one.generation)
    kept.set($client, (one = { upTo: newest, generation, counts: new Map() }));
  if (newest === one.upTo) return one;
  const written = $client.query<{ first: Seconds }, [number]>(
    "SELECT min(period_start) AS first FROM invoices WHERE id > ? AND period_end > period_start",
  );
  const first = written.get(one.upTo)?.first ?? Infinity;
  for (const [key, { end }] of one.counts) if (end > first - RETURN) one.counts.delete(key);
  one.upTo = newest;
  return one;
}
