import type { Db } from "../../../../db/open.ts";
import type { Journal } from "./journal.ts";
import { accessState } from "./state.ts";

/** Undelivered decisions at the most, some 200 MB: refused logins must leave the disk to accounting. */
const MOST = 500_000;
/** Decisions dropped at once. */
const TOGETHER = 10_000;

interface Stretch {
  from: number;
  to: number;
  decisions: number;
}

interface Row {
  readonly number: number;
  readonly decisions: number;
}

/** First uses of cards are kept. */
const IS_DROPPED = `kind = 'decided' AND body NOT LIKE '%"isCardUse":true%'`;

/** Undelivered decisions in the journal: beyond the limit the oldest are dropped and counted. Accounting and first uses of cards never are. */
export class WaitingDecisions {
  readonly #db: Db;
  readonly #journal: Journal;
  readonly #most: number;
  readonly #together: number;
  readonly #stretches: Stretch[] = [];
  #waiting = 0;
  #dropped = 0;

  constructor(db: Db, journal: Journal, { most = MOST, together = TOGETHER } = {}) {
    this.#db = db;
    this.#journal = journal;
    this.#most = most;
    this.#together = together;
    const rows = db.$client.query<Row, [number]>(
      `SELECT number, json_array_length(body) AS decisions FROM journal
       WHERE number > ? AND ${IS_DROPPED} ORDER BY number`,
    );
    for (const row of rows.iterate(accessState(db).home)) this.note(row);
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** An estimate that needs no look at the position. */
  get isTooMany(): boolean {
    return this.#waiting > this.#most;
  }

  /** Throws what the store throws. */
  trim(): void {
    while (this.isTooMany) this.#dropOldest();
  }

  note({ number, decisions }: Row): void {
    this.#waiting += decisions;
    const newest = this.#stretches.at(-1);
    if (newest === undefined || newest.decisions >= this.#together)
      this.#stretches.push({ from: number, to: number, decisions });
    else Object.assign(newest, { to: number, decisions: newest.decisions + decisions });
  }

  /** Delivered ones stay. */
  #dropOldest(): void {
    const [oldest] = this.#stretches;
    if (!oldest) return;
    const from = Math.max(oldest.from, accessState(this.#db).home + 1);
    const drop = this.#db.$client.transaction(() => {
      const rows = this.#db.$client
        .query<{ decisions: number }, [number, number]>(
          `DELETE FROM journal WHERE number BETWEEN ? AND ? AND ${IS_DROPPED}
           RETURNING json_array_length(body) AS decisions`,
        )
        .all(from, oldest.to);
      const decisions = rows.reduce((sum, row) => sum + row.decisions, 0);
      if (decisions > 0) this.#journal.add("dropped", { decisions });
      return decisions;
    });
    this.#dropped += drop.immediate();
    this.#stretches.shift();
    this.#waiting -= oldest.decisions;
  }
}
