import type { AccessEvent } from "../auth/access.ts";

/** Milliseconds that a decision waits to be posted together with others. */
const FLUSH_EVERY = 50;
/** Few enough that posting or storing them, under main's write lock, takes only a millisecond or two. */
const BATCH = 200;
/** Most decisions kept at once: a storm of every subscriber fits. */
const BURST = 20_000;
/** Decisions a second kept of a longer flood; all of them would fill the disk and keep main busy. */
const PER_SECOND = 2000;
/** Words of the room: decisions that it has left, and when that was so, in milliseconds. */
const LEFT = 0;
const AT = 1;

/** Room for decisions of all threads. */
export function roomForDecisions(): SharedArrayBuffer {
  const room = new SharedArrayBuffer(8);
  new Int32Array(room)[LEFT] = BURST;
  return room;
}

/** Batches decisions for auth_log, so that they are cheap and a flood of logins cannot fill memory. */
export class DecisionBatches {
  readonly #post: (events: AccessEvent[]) => void;
  #waiting: AccessEvent[] = [];
  #flushing: Timer | undefined;
  readonly #room: Int32Array;

  constructor(post: (events: AccessEvent[]) => void, room = roomForDecisions()) {
    this.#post = post;
    this.#room = new Int32Array(room);
  }

  /** False when the decision is dropped, which never happens to the first use of a card. `milliseconds` of a clock that all threads have. */
  add(event: AccessEvent, milliseconds: number): boolean {
    if (!this.#take(milliseconds | 0) && !event.isCardUse) return false;
    this.#waiting.push(event);
    if (this.#waiting.length === BATCH) this.flush();
    else this.#flushing ??= setTimeout(() => this.flush(), FLUSH_EVERY);
    return true;
  }

  /** Whether there was room. */
  #take(now: number): boolean {
    const room = this.#room;
    const at = Atomics.load(room, AT);
    const passed = (now - at) | 0;
    if (passed !== 0 && Atomics.compareExchange(room, AT, at, now) === at && passed > 0) {
      const more = Math.min(BURST, (passed * PER_SECOND) / 1000);
      if (Atomics.add(room, LEFT, more) + more > BURST) Atomics.store(room, LEFT, BURST);
    }
    if (Atomics.sub(room, LEFT, 1) > 0) return true;
    Atomics.add(room, LEFT, 1);
    return false;
  }

  flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (this.#waiting.length === 0) return;
    this.#post(this.#waiting);
    this.#waiting = [];
  }
}
