import { DomainError } from "../errors.ts";
import { networkOf } from "../text.ts";

/** Wrong passwords that are remembered, the last ones: a flood fills this in seconds, and nothing else does. */
const REMEMBERED = 2000;

interface Waiter {
  readonly source: string;
  readonly start: () => void;
  readonly refuse: (reason: DomainError) => void;
}

/**
 * Who verifies a password next. So that nobody keeps everybody else out by asking without end, the next is one whose source
 * was wrong least among the last wrong ones, and when too many wait, who was wrong most and asks most is refused.
 */
export class FairQueue {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #waiting: Waiter[] = [];
  readonly #wrong: string[] = [];
  /** By source: how often it stands in `#wrong`, and in `#waiting`. */
  readonly #wrongBy = new Map<string, number>();
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
        if (!isRight) this.#noteWrong(source);
        const next = this.#take(this.#leastWrong());
        if (next) next.start();
        else this.#running -= 1;
      },
    };
  }

  #wait(source: string): Promise<void> {
    return new Promise((start, refuse) => {
      this.#waiting.push({ source, start, refuse });
      add(this.#waitingBy, source, 1);
      if (this.#waiting.length > this.#maxWaiting) this.#take(this.#mostDemanding())?.refuse(overloaded());
    });
  }

  #leastWrong(): number {
    return this.#firstOf(({ source }) => this.#wrongBy.get(source) ?? 0);
  }

  /** Of equals, the one that came last. */
  #mostDemanding(): number {
    const demandOf = ({ source }: Waiter) =>
      (this.#wrongBy.get(source) ?? 0) + (this.#waitingBy.get(source) ?? 0);
    return (
      this.#waiting.length - 1 - this.#firstOf((waiter) => -demandOf(waiter), this.#waiting.toReversed())
    );
  }

  /** The place of the first waiter with the smallest number; -1 of none. */
  #firstOf(numberOf: (waiter: Waiter) => number, waiters: readonly Waiter[] = this.#waiting): number {
    let first = -1;
    let smallest = Number.POSITIVE_INFINITY;
    for (const [place, waiter] of waiters.entries()) {
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

  #noteWrong(source: string): void {
    this.#wrong.push(source);
    add(this.#wrongBy, source, 1);
    if (this.#wrong.length <= REMEMBERED) return;
    const forgotten = this.#wrong.shift();
    if (forgotten !== undefined) add(this.#wrongBy, forgotten, -1);
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
