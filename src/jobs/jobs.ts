import type { Logger } from "pino";
import { checkpoint, type Db } from "../../db/open.ts";
import { trimAuthLog } from "../domain/access/trim-auth-log.ts";
import type { Enforced, Enforcer } from "../domain/control/enforce.ts";
import { closeLostSessions } from "../domain/sessions/sweep.ts";
import { setting } from "../domain/settings/settings.ts";
import { operator } from "../domain/staff/actor.ts";
import { clockLeap, type Clock, formatTime } from "../domain/time.ts";
import { repeat } from "./repeat.ts";

/** Seconds between two sweeps for lost sessions at the most; a shorter interim interval is swept at every one. */
const SWEEP_AT_LEAST_EVERY = 15;
const TRIM_EVERY = 600;
const LOOK_AT_CLOCK_EVERY = 60;
/** A subscriber that expires while online is offline, or in the walled garden, within a minute. */
const ENFORCE_EVERY = 10;
const CHECKPOINT_EVERY = 1;
/** Failures of one run that are logged in words. */
const LOGGED_FAILURES = 5;

/** Starts what the clock does. A job that fails is logged and tried again at its next turn. Returns how to stop. */
export function startJobs({
  db,
  clock,
  log,
  enforcer,
}: {
  db: Db;
  clock: Clock;
  log: Logger;
  enforcer: Enforcer;
}): () => Promise<void> {
  const since = clock();
  const by = operator("gatehouse", "system");
  const jobs = [
    repeat("sweep lost sessions", log, async () => {
      const closed = await closeLostSessions(db, by, { since }, { now: clock() });
      if (closed > 0) log.info({ sessions: closed }, "closed sessions that the routers no longer report");
      return Math.min(setting(db, "acct_interim_interval"), SWEEP_AT_LEAST_EVERY);
    }),
    repeat("trim the log of login decisions", log, async () => {
      await trimAuthLog(db, by, { now: clock() });
      return TRIM_EVERY;
    }),
    repeat("move the write-ahead log into the database", log, async () => {
      checkpoint(db);
      return CHECKPOINT_EVERY;
    }),
    repeat("look at the clock", log, async () => {
      logLeap(log, clock);
      return LOOK_AT_CLOCK_EVERY;
    }),
    repeat("end sessions that are due", log, async () => {
      logEnforced(log, await enforcer.run());
      return ENFORCE_EVERY;
    }),
  ];
  return async () => {
    await Promise.all(jobs.map((stop) => stop()));
  };
}

function logLeap(log: Logger, clock: Clock): void {
  const leap = clockLeap();
  if (leap === 0) return;
  const [ours, theirs] = [formatTime(clock()), formatTime(clock() + leap)];
  log.error(
    { leap },
    `the system's clock leapt and says ${theirs}; here time goes on from ${ours} until that has stood for an hour: set the clock (timedatectl set-ntp true), or restart gatehouse if it is right`,
  );
}

/** What was done to sessions that have run out or whose subscriber is disabled, and what could not be done. */
export function logEnforced(log: Logger, { ended, changed, failures }: Enforced): void {
  if (ended + changed > 0)
    log.info({ ended, changed }, "ended or slowed down sessions that may not go on as they were");
  for (const failure of failures.slice(0, LOGGED_FAILURES))
    log.warn({ reason: failure }, "a session that has run out, or whose subscriber is disabled, goes on");
  if (failures.length > LOGGED_FAILURES)
    log.warn(
      { sessions: failures.length },
      "sessions that have run out, or whose subscriber is disabled, go on",
    );
}
