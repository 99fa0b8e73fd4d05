import type { Db } from "../../../../db/open.ts";
import type { Unshared } from "../../goods/subscribers/doubles.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { ImportedRows } from "./imported-rows.ts";
import type { Notices } from "./notices.ts";

export interface Move {
  readonly db: Db;
  readonly ispId: number;
  readonly source: string;
  readonly now: Seconds;
  readonly notices: Notices;
  readonly imported: ImportedRows;
  readonly ids: NewIds;
  readonly takesMoney: boolean;
  readonly autoRenew: boolean;
  readonly unshared: readonly Unshared[];
}

export interface Counts {
  found: number;
  new: number;
  changed: number;
  same: number;
  refused: number;
}

export const noCounts = (): Counts => ({ found: 0, new: 0, changed: 0, same: 0, refused: 0 });

export type ImportRow = Record<string, unknown>;

export class NewIds {
  readonly #db: Db;
  readonly #last = new Map<string, number>();

  constructor(db: Db) {
    this.#db = db;
  }

  next(table: "branches" | "cities" | "areas" | "subareas" | "nas" | "packages" | "subscribers"): number {
    const next = (this.#last.get(table) ?? this.#lastGiven(table)) + 1;
    this.#last.set(table, next);
    return next;
  }

  #lastGiven(table: string): number {
    return (
      this.#db.$client
        .query<{ seq: number }, [string]>("SELECT seq FROM sqlite_sequence WHERE name = ?")
        .get(table)?.seq ?? 0
    );
  }
}
