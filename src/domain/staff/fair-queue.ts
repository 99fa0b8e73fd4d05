import { DomainError } from "../errors.ts";
import { networkOf } from "../text.ts";

/** Failures that are remembered, the last ones: a flood fills this in seconds, and nothing else does. */
const REMEMBERED = 10_000;

interface Waiter {
  readonly source: string;
  readonly start: () => void;
  readonly refuse: (reason: DomainError) => void;
}

/**
 * Who verifies a password next. So that nobody keeps everybody else out by asking without end, the next is one whose source
 * failed least (was wrong or refused) among the last failures, and when too many wait, who failed most and asks most is
 * refused.
 */
export class FairQueue {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #waiting: Waiter[] = [];
  /** In a ring. */
  readonly #failures: string[] = [];
  #oldest = 0;
  /** By source: how often it stands in `#failures`, and in `#waiting`. */
  readonly #failedBy = new Map<string, number>();
  readonly #waitingBy = new Map<string, number>();
  #running = 0;

  constructor({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /** Resolves when this source may go; `end` it. Throws `overloaded`, perhaps after a while: for somebody else's sake. */
  async turn(address: string): Promise<{ end: (outcome: { isRight: boolean }) => void }> {
    const source = networkOf(address);
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#wait(source);
    return {
      end: ({ isRight }) => {
        if (!isRight) this.#noteFailure(source);
        const next = this.#take(this.#leastFailed());
        if (next) next.start();
        else this.#running -= 1;
      },
    };
  }

  #wait(source: string): Promise<void> {
    return new Promise((start, refuse) => {
      this.#waiting.push({ source, start, refuse });
      add(this.#waitingBy, source, 1);
      if (this.#waiting.length <= this.#maxWaiting) return;
      const refused = this.#take(this.#mostDemanding());
      if (!refused) return;
      this.#noteFailure(refused.source);
      refused.refuse(overloaded());
    });
  }

  #leastFailed(): number {
    return this.#firstOf(({ source }) => this.#failedBy.get(source) ?? 0);
  }

  #mostDemanding(): number {
    return this.#firstOf(
      ({ source }) => -(this.#failedBy.get(source) ?? 0) - (this.#waitingBy.get(source) ?? 0),
    );
  }

  /** The place of the first waiter with the smallest number, the one that came first of equals; -1 of none. */
  #firstOf(numberOf: (waiter: Waiter) => number): number {
    let first = -1;
    let smallest = Number.POSITIVE_INFINITY;
    for (const [place, waiter] of this.#waiting.entries()) {
      const number = numberOf(waiter);
      if (number >= smallest) continue;
      first = place;
      smallest = number;
    }
    return first;
  }

  #take(place: number): Waiter | undefined {
    const [waiter] = place < 0 ? [] : this.#waiting.splice(place, 1);
    if (waiter) add(this.#waitingBy, waiter.source, -1);
    return waiter;
  }

  #noteFailure(source: string): void {
    const forgotten = this.#failures[this.#oldest];
    if (forgotten !== undefined) add(this.#failedBy, forgotten, -1);
    this.#failures[this.#oldest] = source;
    this.#oldest = (this.#oldest + 1) % REMEMBERED;
    add(this.#failedBy, source, 1);
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function overloaded(): DomainError {
  return new DomainError("overloaded", "too many sign-ins at once; try again in a moment", { retryAfter: 2 });
}
