import type { Database } from "bun:sqlite";
import type { Db } from "../../../../db/open.ts";

interface Days {
  readonly first: number;
  readonly last: number;
}

interface Kept {
  /** The last ledger entry seen. */
  upTo: number;
  readonly sums: Map<string, { readonly last: number; readonly rows: readonly unknown[] }>;
  /** Rows kept at the most, dropped ones counted. */
  rows: number;
}

const kept = new WeakMap<Database, Kept>();
const MOST_ROWS = 20_000;

/** A cache of sums of days, as of now: each stands until an entry of its days is booked, for past days hardly change. */
export function pastSums({ $client }: Pick<Db, "$client">) {
  const one = looked($client);
  return <R>(key: string, days: Days, read: () => readonly R[]): readonly R[] => keptOr(one, key, days, read);
}

function keptOr<R>(one: Kept, key: string, days: Days, read: () => readonly R[]): readonly R[] {
  const { sums } = one;
  const name = `${key} ${days.first} ${days.last}`;
  const known = sums.get(name);
  if (known) return known.rows as readonly R[]; // as `read` of this key gave them
  const rows = read();
  // a sum of nothing takes room too
  const room = rows.length + 40;
  if (room > MOST_ROWS) return rows;
  if (one.rows + room > MOST_ROWS) {
    sums.clear();
    one.rows = 0;
  }
  one.rows += room;
  sums.set(name, { last: days.last, rows });
  return rows;
}

/** What is kept, after new entries were looked at. */
function looked($client: Database): Kept {
  const newest =
    $client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM ledger_entries").get()?.id ?? 0;
  let one = kept.get($client);
  // fewer entries: another store
  if (!one || newest < one.upTo) kept.set($client, (one = { upTo: newest, sums: new Map(), rows: 0 }));
  if (newest === one.upTo) return one;
  const booked = $client.query<{ first: number }, [number]>(
    "SELECT min(day) AS first FROM ledger_entries WHERE id > ?",
  );
  const first = booked.get(one.upTo)?.first ?? 0;
  for (const [name, { last }] of one.sums) if (last >= first) one.sums.delete(name);
  one.upTo = newest;
  return one;
}
