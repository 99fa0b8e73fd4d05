import type { Logger } from "pino";
import { isLocked } from "../../db/sqlite-error.ts";

/** Seconds until a failed job is retried. */
const AFTER_FAILURE = 15;
/** Seconds until a job that could not get the write lock is retried; a few misses are no failure. */
const AFTER_LOCK = 1;
/** Misses of the lock in a row before a line is logged. */
const LOCKED_TIMES = 30;

export interface Job {
  /** Completes "could not …" in the log. */
  readonly what: string;
  /** Seconds between the end of a run and the next. */
  readonly every: number | (() => number);
  /** `signal` is aborted at shutdown, so that long runs stop. */
  readonly run: (signal: AbortSignal) => void | Promise<void>;
  /** Waits one interval before the first run instead of running at once. */
  readonly isFirstLater?: boolean;
}

/** Runs a job periodically, never twice at once. Returns a function that stops it and waits for a run under way. */
function repeat(job: Job, log: Logger, signal: AbortSignal): () => Promise<void> {
  let timer: Timer | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  let lockedTimes = 0;
  const nextPause = () => (typeof job.every === "number" ? job.every : job.every());
  const run = async () => {
    let pause: number;
    try {
      await job.run(signal);
      lockedTimes = 0;
      pause = nextPause();
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
  timer = setTimeout(turn, job.isFirstLater ? nextPause() * 1000 : 0);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}

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

  /** Starts no more runs, and resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#stops.map((stop) => stop()));
  }
}
