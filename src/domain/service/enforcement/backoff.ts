/** Seconds until the next try after the first failure; doubled after each more. */
const FIRST = 15;
const LONGEST = 900;

/** When to try again what has failed, by a key. */
export class Backoff {
  readonly #failures = new Map<string, { count: number; until: number }>();

  isWaiting(key: string, now: number): boolean {
    const left = (this.#failures.get(key)?.until ?? 0) - now;
    // more than the longest pause: the clock was set back meanwhile
    return left > 0 && left <= LONGEST;
  }

  /** Whether the last try failed, however long ago. */
  hasFailed(key: string): boolean {
    return this.#failures.has(key);
  }

  /** Returns the seconds until the next try. What was under way when a pause began makes it no longer. */
  failed(key: string, now: number): number {
    if (this.isWaiting(key, now)) return (this.#failures.get(key)?.until ?? now) - now;
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    const pause = Math.min(FIRST * 2 ** (count - 1), LONGEST);
    this.#failures.set(key, { count, until: now + pause });
    return pause;
  }

  /** The longest pause at once, for what another try makes no better. */
  rest(key: string, now: number): void {
    this.#failures.set(key, { count: 1, until: now + LONGEST });
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  /** Forgets what has not failed for so long that it counts as new. */
  prune(now: number): void {
    for (const [key, { until }] of this.#failures) if (until + LONGEST < now) this.#failures.delete(key);
  }
}
