import type { AccessEvent } from "../auth/access.ts";

/** Milliseconds that a decision waits to be posted together with others. */
const FLUSH_EVERY = 50;
/** Few enough that posting or storing them, under main's write lock, takes only a millisecond or two. */
const BATCH = 200;
/** Most decisions kept at once: a storm of every subscriber fits. */
const BURST = 20_000;
/** Decisions a second kept of a longer flood; all of them would fill the disk and keep main busy. */
const PER_SECOND = 2000;

/** Batches decisions for auth_log, so that they are cheap and a flood of logins cannot fill memory. */
export class DecisionBatches {
  readonly #post: (events: AccessEvent[]) => void;
  #waiting: AccessEvent[] = [];
  #flushing: Timer | undefined;
  /** Tokens left, as of `#at`. */
  #room = BURST;
  #at = 0;

  constructor(post: (events: AccessEvent[]) => void) {
    this.#post = post;
  }

  /** False when the decision is dropped, which never happens to the first use of a card. `uptime` in seconds. */
  add(event: AccessEvent, uptime: number): boolean {
    this.#room = Math.min(BURST, this.#room + (uptime - this.#at) * PER_SECOND);
    this.#at = uptime;
    if (this.#room < 1 && !event.isCardUse) return false;
    this.#room = Math.max(0, this.#room - 1);
    this.#waiting.push(event);
    if (this.#waiting.length === BATCH) this.flush();
    else this.#flushing ??= setTimeout(() => this.flush(), FLUSH_EVERY);
    return true;
  }

  flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (this.#waiting.length === 0) return;
    this.#post(this.#waiting);
    this.#waiting = [];
  }
}
