import type { Logger } from "pino";

/** Seconds until a job that failed is tried again. */
const AFTER_FAILURE = 15;

/**
 * Runs a job at once and again the number of seconds later that it returns, never twice at the same time. Returns how to
 * stop: a run under way is waited for.
 */
export function repeat(what: string, log: Logger, job: () => Promise<number>): () => Promise<void> {
  let timer: Timer | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  const run = async () => {
    let pause = AFTER_FAILURE;
    try {
      pause = await job();
    } catch (error) {
      log.error({ err: error }, `could not ${what}; trying again in ${AFTER_FAILURE} s`);
    }
    if (!isStopped) timer = setTimeout(turn, pause * 1000);
  };
  const turn = () => {
    running = run();
  };
  timer = setTimeout(turn, 0);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}
