import type { Logger } from "pino";
import { type Db, setBusyTimeout } from "../../db/open.ts";
import { isLocked } from "../../db/sqlite-error.ts";

/** Milliseconds between two tries, and how long each waits for the lock. */
const RETRY = 200;
const RETRY_LOCKED = 20;
/** Milliseconds for which a lock of others is waited for before it is logged. */
const PATIENCE = 1000;
const LONG = 10_000;
/** Waiting writes at the most; beyond it the oldest is dropped. */
const MAX_WAITING = 1000;

/**
 * Writes that nobody waits for, in order, behind accounting and people, and again once the disk has room: main must neither
 * wait for them nor lose them.
 */
export class DeferredWrites {
  readonly #db: Db;
  readonly #busyTimeout: number;
  readonly #log: Logger;
  #waiting: { what: string; write: () => void }[] = [];
  #timer: Timer | undefined;
  /** Since when nothing could be written, in performance.now() milliseconds. */
  #failingSince: number | undefined;
  #isLogged = false;

  constructor(db: Db, { log, busyTimeout }: { log: Logger; busyTimeout: number }) {
    this.#db = db;
    this.#log = log;
    this.#busyTimeout = busyTimeout;
  }

  add(what: string, write: () => void): void {
    this.#waiting.push({ what, write });
    if (this.#waiting.length > MAX_WAITING) {
      const next = this.#waiting.shift();
      this.#log.error(`gave up recording ${next?.what}: the database has refused writes for too long`);
    }
    if (this.#timer === undefined) this.flush();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const isPatient = this.#failingFor() > PATIENCE;
    if (!isPatient) setBusyTimeout(this.#db, 0);
    try {
      for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
        next.write();
        this.#failingSince = undefined;
        this.#isLogged = false;
        this.#waiting.shift();
      }
    } catch (error) {
      this.#tryAgain(error);
    } finally {
      if (!isPatient) setBusyTimeout(this.#db, this.#busyTimeout);
    }
  }

  #failingFor(): number {
    return this.#failingSince === undefined ? 0 : performance.now() - this.#failingSince;
  }

  #tryAgain(error: unknown): void {
    this.#failingSince ??= performance.now();
    const isBehind = isLocked(error);
    // a lock that others hold for a moment is nothing to tell, and all else once, not at every try
    if (!this.#isLogged && (!isBehind || this.#failingFor() > LONG)) {
      this.#log.warn({ err: error }, `could not record ${this.#waiting[0]?.what}; trying again`);
      this.#isLogged = true;
    }
    this.#timer = setTimeout(() => this.flush(), isBehind ? RETRY_LOCKED : RETRY);
  }

  close(): void {
    this.#failingSince ??= -Infinity; // it waits for the lock
    this.flush();
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0)
      this.#log.error({ writes: this.#waiting.length }, "could not record everything");
  }
}
