import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Scope } from "../../core/actor/actor.ts";
import { setting } from "../../core/settings/settings.ts";

interface Isp {
  readonly id: number;
  readonly name: string;
}

export class Isps {
  readonly #db: Db;
  readonly #seen = new Map<number | null, readonly Isp[]>();
  readonly #currencies = new Map<number, string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** One by one, to use the index. */
  in({ ispId }: Pick<Scope, "ispId">): readonly Isp[] {
    return this.#seen.getOrInsertComputed(ispId, () => {
      const { text, values } = all(equal("id", ispId));
      return this.#db.$client
        .query<Isp, Value[]>(`SELECT id, name FROM isps WHERE ${text} ORDER BY id`)
        .all(...values);
    });
  }

  readCurrency(ispId: number): string {
    return this.#currencies.getOrInsertComputed(ispId, () => setting(this.#db, "currency", ispId));
  }

  withCurrency<R extends { ispId: number }>(rows: readonly R[]): (R & { currency: string })[] {
    return rows.map((row) => Object.assign(row, { currency: this.readCurrency(row.ispId) }));
  }
}
