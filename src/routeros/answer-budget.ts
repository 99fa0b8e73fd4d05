import { RouterosError } from "./fault.ts";

/** What has come of the answers under way, of all of them or of one. */
export interface AnswerSize {
  rows: number;
  bytes: number;
}

/** One connection: every subscriber of a large router in one list. */
const OF_A_CONNECTION = {
  rows: 50_000,
  bytes: 4_000_000,
  words:
    "it answers with more than 50,000 rows or 4 MB, which no list of who is online is; look at what answers there",
};
/** All connections together, because a row takes about ten times its bytes in memory. */
const OF_ALL = {
  rows: 100_000,
  bytes: 8_000_000,
  words: "the answers of all routers together come to more than 8 MB at this moment; try again",
};
/** What a word is counted for beyond its bytes: a property takes memory for being one. */
const WORD_COST = 8;

/**
 * Counts the rows and bytes of answers that are not complete against what a router has to say at the most, so that one
 * that never ends takes the command that asked and not the memory of the program.
 */
export class AnswerBudget {
  readonly #most: typeof OF_ALL;
  readonly #outer: AnswerBudget | undefined;
  readonly #used: AnswerSize = { rows: 0, bytes: 0 };

  private constructor(most: typeof OF_ALL, outer?: AnswerBudget) {
    this.#most = most;
    this.#outer = outer;
  }

  /** What the connections of one program share. */
  static ofAll(): AnswerBudget {
    return new AnswerBudget(OF_ALL);
  }

  /** That of one connection, which counts for `outer` too. */
  static ofConnection(outer?: AnswerBudget): AnswerBudget {
    return new AnswerBudget(OF_A_CONNECTION, outer);
  }

  /** Adds to an answer\. Throws a RouterosError when it is too much; what was added stays to be given back. */
  take(answer: AnswerSize, rows: number, bytes: number): void {
    answer.rows += rows;
    answer.bytes += bytes;
    this.#add(rows, bytes);
    this.#check();
  }

  /** An answer is complete, or nobody waits for it any more. */
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

/** What the words of a sentence are counted for. */
export function bytesOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length + WORD_COST, 0);
}
