/** Microseconds that a sync takes which is waited for. */
const TAKES = 1000;

/** A FileSync whose disk a test has in its hand: a sync that was begun ends by `end`, or when it was waited for long enough. */
export class FakeDisk {
  begun = 0;
  /** Syncs that the caller waited for. */
  waitedFor = 0;
  /** Of every sync that ends from now on. */
  failure: Error | undefined;
  #left = TAKES;

  end(): void {
    this.#left = 0;
  }

  begin(): void {
    this.begun++;
    this.#left = TAKES;
  }

  hasEnded(patience = 0): boolean {
    this.#left -= patience;
    return this.#left <= 0;
  }

  finish(): void {
    if (this.failure) throw this.failure;
  }

  now(): void {
    this.waitedFor++;
    this.finish();
  }
}
