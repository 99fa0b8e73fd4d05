import type { Db } from "../../../../db/open.ts";
import { countMarks, type Mark, takeMarks, takeSessionMarks } from "./publishing.ts";

/** Records read at once. */
const AT_ONCE = 500;
/** Milliseconds between batches of sessions, and the factor of their duration that is left to others. */
const SESSIONS_EVERY = 250;
const REST = 4;

export interface Due {
  readonly marks: readonly Mark[];
  readonly isMore: boolean;
  readonly isBehind: boolean;
}

/**
 * Keys to publish, the most urgent first: changes by people go out at once. Session changes wait a moment, and take a fifth of
 * the time at the most: publishing takes the write lock and syncs, for which accounting waits.
 */
export class DueMarks {
  readonly #db: Db;
  /** The last session key of this round; each waits for one round at the most. */
  #after: string | undefined;
  #takenAt: number | undefined;
  #dueAt = -Infinity;

  constructor(db: Db) {
    this.#db = db;
  }

  get waiting(): number {
    return countMarks(this.#db);
  }

  /** `isMinute` includes keys of which only byte counts changed. `now` in monotonic milliseconds. */
  take({ isMinute, now }: { isMinute: boolean; now: number }): Due {
    this.#takenAt = undefined;
    const soon = takeMarks(this.#db, { isMinute, limit: AT_ONCE });
    if (soon.length === AT_ONCE) return { marks: soon, isMore: true, isBehind: true };
    const areDue = !isMinute && now >= this.#dueAt; // in the minute they are among the others
    const sessions = areDue ? this.#takeSessions(now) : [];
    return { marks: [...soon, ...sessions], isMore: false, isBehind: this.#after !== undefined };
  }

  #takeSessions(now: number): Mark[] {
    const marks = takeSessionMarks(this.#db, { after: this.#after, limit: AT_ONCE });
    this.#after = marks.length === AT_ONCE ? marks.at(-1)?.key : undefined;
    this.#dueAt = now + SESSIONS_EVERY;
    if (marks.length > 0) this.#takenAt = now;
    return marks;
  }

  /** After publishing. */
  published(now: number): void {
    if (this.#takenAt !== undefined) this.#dueAt = Math.max(this.#dueAt, now + REST * (now - this.#takenAt));
  }
}
