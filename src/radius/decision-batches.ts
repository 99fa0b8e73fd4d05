import type { AccessEvent } from "./access.ts";

/** Milliseconds that a decision waits for others to be posted with. */
const FLUSH_EVERY = 50;
/** Few enough that neither posting them nor storing them, under main's write lock, takes a millisecond or two. */
const BATCH = 200;
/** Decisions of one second that are kept; a storm of every subscriber fits, a flood does not. */
const MAX_PER_SECOND = 20_000;

/** Gathers decisions for auth_log, so that posting and storing them costs little, and a flood of logins cannot fill memory. */
export class DecisionBatches {
  readonly #post: (events: AccessEvent[]) => void;
  #waiting: AccessEvent[] = [];
  #flushing: Timer | undefined;
  #second = 0;
  #kept = 0;

  constructor(post: (events: AccessEvent[]) => void) {
    this.#post = post;
  }

  /** False when the decision is left out. `uptime` in seconds. */
  add(event: AccessEvent, uptime: number): boolean {
    const second = Math.floor(uptime);
    if (second !== this.#second) {
      this.#second = second;
      this.#kept = 0;
    }
    if (this.#kept === MAX_PER_SECOND) return false;
    this.#kept++;
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
