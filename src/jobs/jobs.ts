import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { closeLostSessions } from "../domain/sessions/sweep.ts";
import type { Clock } from "../domain/time.ts";

/** Milliseconds between two sweeps for lost sessions (radius.md: at most every 15 s). */
const SWEEP_EVERY = 15_000;

/** Starts what the clock does. A job that fails is logged and tried again at its next turn. Returns how to stop. */
export function startJobs({ db, clock, log }: { db: Db; clock: Clock; log: Logger }): () => void {
  const sweep = () => {
    try {
      const closed = closeLostSessions(db, clock());
      if (closed > 0) log.info({ sessions: closed }, "closed sessions that the routers no longer report");
    } catch (error) {
      log.error({ err: error }, "could not sweep lost sessions; trying again in 15 s");
    }
  };
  const timer = setInterval(sweep, SWEEP_EVERY);
  return () => clearInterval(timer);
}
