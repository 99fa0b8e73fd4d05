import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { trimAuthLog } from "../domain/access/trim-auth-log.ts";
import { closeLostSessions } from "../domain/sessions/sweep.ts";
import { setting } from "../domain/settings/settings.ts";
import type { Clock } from "../domain/time.ts";
import { repeat } from "./repeat.ts";

/** Seconds between two sweeps for lost sessions at the most; a shorter interim interval is swept at every one (radius.md). */
const SWEEP_AT_LEAST_EVERY = 15;
const TRIM_EVERY = 600;

/** Starts what the clock does. A job that fails is logged and tried again at its next turn. Returns how to stop. */
export function startJobs({ db, clock, log }: { db: Db; clock: Clock; log: Logger }): () => Promise<void> {
  const since = clock();
  const jobs = [
    repeat("sweep lost sessions", log, async () => {
      const closed = await closeLostSessions(db, { now: clock(), since });
      if (closed > 0) log.info({ sessions: closed }, "closed sessions that the routers no longer report");
      return Math.min(setting(db, "acct_interim_interval"), SWEEP_AT_LEAST_EVERY);
    }),
    repeat("trim the log of login decisions", log, async () => {
      await trimAuthLog(db, clock());
      return TRIM_EVERY;
    }),
  ];
  return async () => {
    await Promise.all(jobs.map((stop) => stop()));
  };
}
