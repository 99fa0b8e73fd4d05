import type { Seconds } from "../../src/domain/core/time/time.ts";

/** Something that happens at a time. */
interface Deed {
  readonly at: Seconds;
  readonly run: (at: Seconds) => void;
}

/** What is to be done until now, in the order of its time, so that numbers and lists are as they would be; what is done may add more. */
export class Deeds {
  readonly #now: Seconds;
  /** The next one last. */
  readonly #waiting: Deed[] = [];

  constructor(now: Seconds) {
    this.#now = now;
  }

  add(at: Seconds, run: (at: Seconds) => void): void {
    if (at > this.#now) return;
    let [low, high] = [0, this.#waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#waiting[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, { at, run });
  }

  run(): void {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) next.run(next.at);
  }
}
