import { phrase } from "../domain/core/errors/phrase.ts";
import { RouterosError } from "./fault.ts";

/** The size of pending answers, of one or of all. */
export interface AnswerSize {
  rows: number;
  bytes: number;
}

/** The budget of a connection: every subscriber of a large router in one list. */
const OF_A_CONNECTION = {
  rows: 50_000,
  bytes: 4_000_000,
  words: phrase`it answers with more than 50,000 rows or 4 MB, which no list of who is online is; look at what answers there`,
};
/** All connections together, because a row takes about ten times its bytes in memory. */
const OF_ALL = {
  rows: 100_000,
  bytes: 8_000_000,
  words: phrase`the answers of all routers together come to more than 8 MB at this moment; try again`,
};
/** Bytes counted per word beyond its length: each property has an overhead in memory. */
const WORD_COST = 8;

/** Limits the rows and bytes of incomplete answers, so that one that never ends fails its command instead of exhausting memory. */
export class AnswerBudget {
  readonly #most: typeof OF_ALL;
  readonly #outer: AnswerBudget | undefined;
  readonly #used: AnswerSize = { rows: 0, bytes: 0 };

  private constructor(most: typeof OF_ALL, outer?: AnswerBudget) {
    this.#most = most;
    this.#outer = outer;
  }

  /** Shared by all connections of the program. */
  static ofAll(): AnswerBudget {
    return new AnswerBudget(OF_ALL);
  }

  /** Of one connection; also counted in `outer`. */
  static ofConnection(outer?: AnswerBudget): AnswerBudget {
    return new AnswerBudget(OF_A_CONNECTION, outer);
  }

  /** Adds to an answer's size. Throws a RouterosError when it is too much; what was added still has to be given back. */
  take(answer: AnswerSize, rows: number, bytes: number): void {
    answer.rows += rows;
    answer.bytes += bytes;
    this.#add(rows, bytes);
    this.#check();
  }

  /** The answer is complete, or nobody waits for it any more. */
  giveBack(answer: AnswerSize): void {
    this.#add(-answer.rows, -answer.bytes);
    answer.rows = 0;
    answer.bytes = 0;
  }

  #add(rows: number, bytes: number): void {
    this.#used.rows += rows;
    this.#used.bytes += bytes;
    if (this.#outer) this.#outer.#add(rows, bytes);
  }

  #check(): void {
    const { rows, bytes } = this.#used;
    if (rows > this.#most.rows || bytes > this.#most.bytes)
      throw new RouterosError("flood", this.#most.words);
    if (this.#outer) this.#outer.#check();
  }
}

export function countBytes(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length + WORD_COST, 0);
}
