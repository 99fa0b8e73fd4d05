import type { Db, Tx } from "../../../db/open.ts";
import type { FieldErrors } from "../errors.ts";
import { addFault } from "../fields.ts";

/** What the file gives to a unique column; null gives it up. */
export interface Claim {
  readonly id: number;
  readonly column: string;
  readonly pointer: string;
  readonly key: string | null;
}

/** Columns that share one space of values: the column to the SQL expression that must be unique. */
export type UniqueColumns = Readonly<Record<string, string>>;

/** A stored value that its row gives up in this file while another row takes it: it makes room before rows are written. */
export interface Parked {
  readonly table: string;
  readonly column: string;
  readonly id: number;
}

/**
 * Adds a fault for each claim whose value another row would have, once all of the file is written; a row that keeps its
 * value collides with nobody. Returns what has to make room first, so that rows can swap values.
 */
export function findCollisions(
  db: Db,
  table: string,
  columns: UniqueColumns,
  claims: readonly Claim[],
  faults: FieldErrors,
): Parked[] {
  if (claims.length === 0) return [];
  const claimed = Map.groupBy(claims, ({ column }) => column);
  const owners = new Map<string, number>();
  const givenUp = new Map<string, Parked>();
  const kept = new Set<Claim>();
  for (const [column, expression] of Object.entries(columns)) {
    const next = new Map(claimed.get(column)?.map((claim) => [claim.id, claim]));
    const stored = db.$client
      .query<{ id: number; key: string }, []>(
        `SELECT id, ${expression} AS key FROM ${table} WHERE ${column} IS NOT NULL`,
      )
      .all();
    for (const { id, key } of stored) {
      const claim = next.get(id);
      if (claim && claim.key !== key) {
        givenUp.set(key, { table, column, id });
        continue;
      }
      owners.set(key, id);
      if (claim) kept.add(claim);
    }
  }
  const parked: Parked[] = [];
  for (const claim of claims) {
    const { id, key, pointer } = claim;
    if (key === null || kept.has(claim)) continue;
    const owner = owners.get(key);
    if (owner !== undefined && owner !== id)
      addFault(faults, pointer, `is that of ${owner < 0 ? "another row" : `${table} ${owner}`} already`);
    owners.set(key, id);
    const former = givenUp.get(key);
    if (former) parked.push(former);
  }
  return parked;
}

/** Moves values out of the way of the rows that take them; their own rows get new ones right afterwards. */
export function park(tx: Tx, parked: readonly Parked[]): void {
  for (const { table, column, id } of parked)
    tx.$client.query(`UPDATE ${table} SET ${column} = char(0) || id WHERE id = ?`).run(id);
}
