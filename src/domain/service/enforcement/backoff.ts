/** Seconds until the first retry; doubled after each failure. */
const FIRST = 15;
const LONGEST = 900;

/** Exponential backoff by key. */
export class Backoff {
  readonly #failures = new Map<string, { count: number; until: number }>();

  isWaiting(key: string, now: number): boolean {
    const left = (this.#failures.get(key)?.until ?? 0) - now;
    // longer than the maximum: the clock was set back
    return left > 0 && left <= LONGEST;
  }

  hasFailed(key: string): boolean {
    return this.#failures.has(key);
  }

  /** Returns the seconds until the next try. Failures of requests begun before the pause do not extend it. */
  failed(key: string, now: number): number {
    if (this.isWaiting(key, now)) return (this.#failures.get(key)?.until ?? now) - now;
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    const pause = Math.min(FIRST * 2 ** (count - 1), LONGEST);
    this.#failures.set(key, { count, until: now + pause });
    return pause;
  }

  rest(key: string, now: number): void {
    this.#failures.set(key, { count: 1, until: now + LONGEST });
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  /** Drops entries old enough to count as new. */
  prune(now: number): void {
    for (const [key, { until }] of this.#failures) if (until + LONGEST < now) this.#failures.delete(key);
  }
}
