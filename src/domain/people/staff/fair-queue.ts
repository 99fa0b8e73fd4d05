import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { customerAddress } from "../../core/networks/networks.ts";

/** Outcomes of each kind: a flood of failures displaces only failures. */
const REMEMBERED = 10_000;

interface Waiter {
  readonly source: string;
  readonly start: () => void;
  readonly refuse: (reason: DomainError) => void;
}

/**
 * The order of password checks. Sources with more successes and fewer failures go first, so that a flood blocks nobody; beyond
 * the limit the worst source's waiter is refused.
 */
export class FairQueue {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #waiting: Waiter[] = [];
  readonly #failed = new Tally();
  readonly #succeeded = new Tally();
  #running = 0;

  constructor({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /** Resolves when this source may go; call `end`. Throws `overloaded`, possibly later. */
  async turn(address: string): Promise<{ end: (outcome: { isRight: boolean }) => void }> {
    const source = customerAddress(address);
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#wait(source);
    return {
      end: ({ isRight }) => {
        (isRight ? this.#succeeded : this.#failed).add(source);
        const next = this.#take((source) => -this.#score(source));
        if (next) next.start();
        else this.#running -= 1;
      },
    };
  }

  #wait(source: string): Promise<void> {
    return new Promise((start, refuse) => {
      this.#waiting.push({ source, start, refuse });
      if (this.#waiting.length <= this.#maxWaiting) return;
      const refused = this.#take((source) => this.#score(source));
      if (!refused) return;
      this.#failed.add(refused.source);
      refused.refuse(
        new DomainError("overloaded", phrase`too many sign-ins at once; try again in a moment`, {
          retryAfter: 2,
        }),
      );
    });
  }

  #score(source: string): number {
    return this.#succeeded.of(source) - this.#failed.of(source);
  }

  /** Smallest number, then first come. */
  #take(numberOf: (source: string) => number): Waiter | undefined {
    let first = -1;
    let smallest = Number.POSITIVE_INFINITY;
    for (const [place, { source }] of this.#waiting.entries()) {
      const number = numberOf(source);
      if (number >= smallest) continue;
      first = place;
      smallest = number;
    }
    return first < 0 ? undefined : this.#waiting.splice(first, 1)[0];
  }
}

class Tally {
  /** A ring. */
  readonly #last: string[] = [];
  #oldest = 0;
  readonly #counts = new Map<string, number>();

  of(source: string): number {
    return this.#counts.get(source) ?? 0;
  }

  add(source: string): void {
    const forgotten = this.#last[this.#oldest];
    if (forgotten !== undefined) this.#change(forgotten, -1);
    this.#last[this.#oldest] = source;
    this.#oldest = (this.#oldest + 1) % REMEMBERED;
    this.#change(source, 1);
  }

  #change(source: string, by: number): void {
    const count = this.of(source) + by;
    if (count > 0) this.#counts.set(source, count);
    else this.#counts.delete(source);
  }
}
