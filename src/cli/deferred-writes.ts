import type { Logger } from "pino";

/** Milliseconds until what could not be written is tried again. */
const RETRY = 200;
/** Writes that wait at the most; beyond, the oldest is given up. */
const MAX_WAITING = 1000;

/**
 * Writes that nobody waits for: done at once and in order, or a moment later while another process holds the lock or the
 * disk is full. Main must not wait for them, and they must not be lost.
 */
export class DeferredWrites {
  readonly #log: Logger;
  #waiting: { what: string; write: () => void }[] = [];
  #timer: Timer | undefined;
  #isFailing = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(what: string, write: () => void): void {
    this.#waiting.push({ what, write });
    if (this.#waiting.length > MAX_WAITING) {
      const given = this.#waiting.shift();
      this.#log.error(`gave up recording ${given?.what}: the database has refused writes for too long`);
    }
    if (this.#timer === undefined) this.flush();
  }

  /** Tries everything that waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      try {
        next.write();
        this.#isFailing = false;
      } catch (error) {
        // logged once, not at every try
        if (!this.#isFailing) this.#log.warn({ err: error }, `could not record ${next.what}; trying again`);
        this.#isFailing = true;
        this.#timer = setTimeout(() => this.flush(), RETRY);
        return;
      }
      this.#waiting.shift();
    }
  }

  /** The last try. */
  close(): void {
    this.flush();
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0)
      this.#log.error({ writes: this.#waiting.length }, "could not record everything");
  }
}
