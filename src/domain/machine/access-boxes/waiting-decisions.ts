import type { Db } from "../../../../db/open.ts";
import type { Journal } from "./journal.ts";
import { accessState } from "./state.ts";

/** Decisions that wait for the books at the most: some 200 MB, so that refused logins leave the disk to accounting. */
const MOST = 500_000;
/** Decisions that are dropped together. */
const TOGETHER = 10_000;

interface Stretch {
  from: number;
  to: number;
  decisions: number;
}

/** A row, and how many decisions are in it. */
interface Row {
  readonly number: number;
  readonly decisions: number;
}

/** Those that have first uses of cards among them are not dropped. */
const IS_DROPPED = `kind = 'decided' AND body NOT LIKE '%"isCardUse":true%'`;

/**
 * The login decisions in the journal of a box that its books do not have: of too many the oldest are dropped, and how many is told to the
 * books. Accounting and first uses of cards are never dropped.
 */
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

  /** Whether there are more than may wait, as far as is known without asking how far the books are. */
  get isTooMany(): boolean {
    return this.#waiting > this.#most;
  }

  /** Drops the oldest until there is room again. Throws what the store throws. */
  trim(): void {
    while (this.isTooMany) this.#dropOldest();
  }

  /** A row of decisions that is in the journal by now. */
  note({ number, decisions }: Row): void {
    this.#waiting += decisions;
    const newest = this.#stretches.at(-1);
    if (newest === undefined || newest.decisions >= this.#together)
      this.#stretches.push({ from: number, to: number, decisions });
    else Object.assign(newest, { to: number, decisions: newest.decisions + decisions });
  }

  /** Those that went home meanwhile stay, as all that the books have. */
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
