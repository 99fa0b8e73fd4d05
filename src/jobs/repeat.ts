import type { Logger } from "pino";
import { isLocked } from "../../db/sqlite-error.ts";

/** Seconds until a job that failed is tried again. */
const AFTER_FAILURE = 15;
/** Seconds until a job that found the write lock with another thread is tried again: that is no failure until it goes on. */
const AFTER_LOCK = 1;
/** Times in a row that a job may miss the lock before it is said. */
const LOCKED_TIMES = 30;

export interface Job {
  /** As it follows "could not" in the log. */
  readonly what: string;
  /** Seconds from the end of a run to the next one. */
  readonly every: number | (() => number);
  /** `signal` is aborted when the server stops: what takes long breaks off. */
  readonly run: (signal: AbortSignal) => void | Promise<void>;
  /** Whether the first run comes one pause after the start, and not at once. */
  readonly isFirstLater?: boolean;
}

/** Runs a job again and again, never twice at the same time. Returns how to stop: a run under way is waited for. */
function repeat(job: Job, log: Logger, signal: AbortSignal): () => Promise<void> {
  let timer: Timer | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  let lockedTimes = 0;
  const pauseOf = () => (typeof job.every === "number" ? job.every : job.every());
  const run = async () => {
    let pause: number;
    try {
      await job.run(signal);
      lockedTimes = 0;
      pause = pauseOf();
    } catch (error) {
      lockedTimes = isLocked(error) ? lockedTimes + 1 : 0;
      const comesAgain = lockedTimes % LOCKED_TIMES !== 0;
      pause = comesAgain ? AFTER_LOCK : AFTER_FAILURE;
      if (!comesAgain) log.error({ err: error }, `could not ${job.what}; trying again in ${pause} s`);
    }
    if (!isStopped) timer = setTimeout(turn, pause * 1000);
  };
  const turn = () => {
    running = run();
  };
  timer = setTimeout(turn, job.isFirstLater ? pauseOf() * 1000 : 0);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}

/** Jobs that are started together and stopped together. */
export class Jobs {
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #stops: readonly (() => Promise<void>)[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  start(jobs: readonly Job[]): void {
    this.#stops = jobs.map((job) => repeat(job, this.#log, this.#stopping.signal));
  }

  /** Begins no run from now on, and resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#stops.map((stop) => stop()));
  }
}
