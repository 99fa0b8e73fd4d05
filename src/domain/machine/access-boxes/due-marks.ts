import type { Db } from "../../../../db/open.ts";
import { countMarks, type Mark, takeMarks, takeSessionMarks } from "./publishing.ts";

/** Records that are read and put together. */
const AT_ONCE = 500;
/** Milliseconds from some sessions to the next, and how many times as long as these took are left to others behind them. */
const SESSIONS_EVERY = 250;
const REST = 4;

export interface Due {
  readonly marks: readonly Mark[];
  /** There may be more that is to go out at once. */
  readonly isMore: boolean;
  /** Sessions wait that are not among them. */
  readonly isBehind: boolean;
}

/**
 * What has to be published, in the order in which it is due: what somebody changed goes out at once, however many sessions have begun or
 * ended. Of these some are told a moment later, and of a storm of them as many as fit into a fifth of the time: each publishing takes the
 * lock of the store and syncs its log, for which the next reports wait.
 */
export class DueMarks {
  readonly #db: Db;
  /** Up to where this walk through the sessions has come; each of them waits for one walk at the most. */
  #after: string | undefined;
  /** When the sessions were taken that are under way, and when the next ones are due. */
  #takenAt: number | undefined;
  #dueAt = -Infinity;

  constructor(db: Db) {
    this.#db = db;
  }

  get waiting(): number {
    return countMarks(this.#db);
  }

  /** `isMinute`: also of whom only the bytes used have changed. `now`: milliseconds of a clock that never jumps. */
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

  /** What was taken last has been published by now. */
  published(now: number): void {
    if (this.#takenAt !== undefined) this.#dueAt = Math.max(this.#dueAt, now + REST * (now - this.#takenAt));
  }
}
