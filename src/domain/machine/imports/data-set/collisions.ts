import type { Db, Tx } from "../../../../../db/open.ts";

export interface UniqueColumn<R, C extends string> {
  readonly column: C;
  /** The compared SQL expression, if not the column. */
  readonly expression?: string;
  readonly keyOf: (row: R) => string | null | undefined;
}

/** A value that one row gives up and another takes: cleared before rows are written. */
export interface VacatedValue {
  readonly table: string;
  readonly column: string;
  readonly id: number;
}

/** Owners of unique values after the import: rows that keep theirs, else the first in the file. The columns share one space. */
export class Holders<R extends { readonly id: number }, C extends string> {
  /** Values to clear first, so that rows can swap. */
  readonly vacated: readonly VacatedValue[];
  /** Rows that want a taken value; empty for most files, which skips the rules. */
  readonly refused: ReadonlySet<number>;
  readonly #noun: string;
  readonly #owners = new Map<string, number>();
  /** New values by column and row. */
  readonly #claims: ReadonlyMap<C, Map<number, string | null>>;

  constructor(
    { $client }: Db,
    { table, noun, among = "TRUE" }: { table: string; noun: string; among?: string },
    rows: readonly R[],
    columns: readonly UniqueColumn<R, C>[],
  ) {
    this.#noun = noun;
    this.#claims = new Map(columns.map(({ column, keyOf }) => [column, mapClaims(rows, keyOf)]));
    const abandoned = new Map<string, VacatedValue>();
    for (const { column, expression = column } of columns) {
      const claims = this.#claims.get(column);
      const stored = $client
        .query<{ id: number; key: string }, []>(
          `SELECT id, ${expression} AS key FROM ${table} WHERE ${column} IS NOT NULL AND ${among}`,
        )
        .all();
      for (const { id, key } of stored) {
        const next = claims?.get(id);
        if (next !== undefined && next !== key) abandoned.set(key, { table, column, id });
        else {
          this.#owners.set(key, id);
          claims?.delete(id);
        }
      }
    }
    const vacated: VacatedValue[] = [];
    const refused = new Set<number>();
    for (const { id } of rows)
      for (const claims of this.#claims.values()) {
        const key = claims.get(id);
        if (key === undefined || key === null) continue;
        const owner = this.#owners.get(key);
        if (owner === undefined) this.#owners.set(key, id);
        else if (owner !== id) refused.add(id);
        const former = abandoned.get(key);
        if (former) vacated.push(former);
      }
    this.vacated = vacated;
    this.refused = refused;
  }

  /** Another owner of a value, in words; undefined: none. */
  of(column: C, key: string, id: number): string | undefined {
    if (!this.#claims.get(column)?.has(id)) return undefined;
    const owner = this.#owners.get(key);
    if (owner === undefined || owner === id) return undefined;
    return owner < 0 ? "another row" : `${this.#noun} ${owner}`;
  }
}

function mapClaims<R extends { readonly id: number }>(
  rows: readonly R[],
  keyOf: UniqueColumn<R, string>["keyOf"],
): Map<number, string | null> {
  const claims = new Map<number, string | null>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== undefined) claims.set(row.id, key);
  }
  return claims;
}

/** Clears values for the rows that take them; their own rows are written right after. */
export function vacate(tx: Tx, vacated: readonly VacatedValue[]): void {
  for (const { table, column, id } of vacated)
    tx.$client.query(`UPDATE ${table} SET ${column} = char(0) || id WHERE id = ?`).run(id);
}
