import type { Db } from "../../../../db/open.ts";

export type Store = Pick<Db, "$client">;

interface Wrong {
  rows: number;
  wrong: number;
  first: number | null;
}

/** `sql` returns `rows`, `wrong` and the `first` wrong one. */
export function count({ $client }: Store, sql: string): Wrong {
  return $client.query<Wrong, []>(sql).get() ?? { rows: 0, wrong: 0, first: null };
}
