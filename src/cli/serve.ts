import { setPriority } from "node:os";
import type { Logger } from "pino";
import { type Db, leaveCheckpoints, openStore, requireStore, setPatience } from "../../db/open.ts";
import { claimServing } from "../../db/serving.ts";
import type { Config } from "../config/config.ts";
import { formatListen } from "../config/listen.ts";
import { recordDecisions } from "../domain/access/auth-log.ts";
import { ApplyLater } from "../domain/control/apply-later.ts";
import { latchMessageAuthenticator, recordUnauthenticated } from "../domain/nas/sources.ts";
import { Enforcer } from "../domain/control/enforce.ts";
import { systemClock } from "../domain/time.ts";
import { buildApps, type HttpNeeds } from "../http/app.ts";
import { logEnforced, startJobs } from "../jobs/jobs.ts";
import { createLog } from "../log.ts";
import { type RadiusServer, startRadius } from "../radius/server/server.ts";
import { DeferredWrites } from "./deferred-writes.ts";
import { Attendance } from "./attendance.ts";
import type { Io } from "./io.ts";
import { Listeners } from "./listeners.ts";
import { openRouters } from "./routers.ts";

/** Milliseconds that requests under way have to finish at the end. */
const PATIENCE = 5000;
/** Milliseconds that main stands still for another process's write lock; what waits longer gets a 503 or another turn. */
const LOCK_PATIENCE = 100;

/** The nice value of this thread and of those that it starts from then on. */
const BEHIND_RADIUS = 10;

/** The API, the portal and RADIUS, until SIGTERM or SIGINT. */
export async function serve(config: Config, io: Io): Promise<void> {
  const log = createLog(config.logLevel, io.stdout);
  // a bug in one request or job must not take everybody offline
  process.on("uncaughtException", (error) => log.error({ err: error }, "unexpected error"));
  process.on("unhandledRejection", (reason) => log.error({ err: reason }, "unexpected rejection"));

  const end = endOfProgram();
  try {
    const running = await start(config, log);
    io.stdout.write(`${JSON.stringify({ event: "ready", ...running.addresses })}\n`);
    log.info({ signal: await end.signal }, "stopping");
    await running.stop();
    log.info("stopped");
  } finally {
    end.ignore();
  }
}

interface Running {
  readonly addresses: {
    http: string;
    public: string | null;
    radius_auth: string;
    radius_acct: string;
    walled?: string;
  };
  readonly stop: () => Promise<void>;
}

async function start(config: Config, log: Logger): Promise<Running> {
  const clock = systemClock;
  requireStore(config.dataDir);
  const claim = claimServing(config.dataDir); // before a newer program changes what an older one serves
  const db = openStore(config.dataDir, { now: clock() });
  setPatience(db, LOCK_PATIENCE);
  leaveCheckpoints(db);
  const deferred = new DeferredWrites(log);
  const connections = openRouters(db);
  const enforcer = new Enforcer(db, { clock, routers: connections.routers });
  const applyLater = new ApplyLater(db, {
    clock,
    routers: connections.routers,
    failed: (reason) => log.warn({ reason }, "a renewal from the portal waits for the next login"),
  });
  let listeners: Listeners | undefined;
  let radius: RadiusServer | undefined;
  let stopJobs = async () => {};
  let attendance: Attendance | undefined;

  const stop = async () => {
    const jobsStopped = Promise.all([stopJobs(), enforcer.stop(), applyLater.stop(), attendance?.stop()]);
    await listeners?.stop(PATIENCE);
    connections.close(); // gives up what a job still waits for a router to say
    await jobsStopped;
    await radius?.stop();
    deferred.close();
    db.$client.close();
    claim[Symbol.dispose]();
  };
  try {
    radius = await startRadius({
      folder: config.dataDir,
      auth: config.radiusAuthListen,
      acct: config.radiusAcctListen,
      log,
      ...recorders(db, { log, enforcer, deferred }),
    });
    stepBehindRadius(log);
    attendance = new Attendance({ config, db, clock, log, radius, deferred });
    const needs: HttpNeeds = {
      ...attendance.http,
      db,
      clock,
      log,
      staffTokenDays: config.staffTokenDays,
      subscriberTokenDays: config.subscriberTokenDays,
      routers: connections.routers,
      renewed: (subscriber) => applyLater.add(subscriber),
      trustedProxies: config.trustedProxies,
      health: () => ({ radius: radius?.isListening() ?? false }),
    };
    listeners = new Listeners({ config, apps: buildApps(needs), log, now: clock() });
    stopJobs = startJobs({ db, clock, log, enforcer });
    attendance.begin(listeners);
    const { http, public: publicHttp, walled } = listeners.addresses;
    return {
      addresses: {
        http,
        public: publicHttp,
        radius_auth: formatListen(radius.auth),
        radius_acct: formatListen(radius.acct),
        ...(walled !== undefined && { walled }),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where processors are short, a page of the API waits for a login and not the other way round. */
function stepBehindRadius(log: Logger): void {
  try {
    setPriority(BEHIND_RADIUS);
  } catch (error) {
    log.warn(
      { err: error },
      "the system refuses to give the API a lower priority than RADIUS; allow setpriority(2) in the unit's SystemCallFilter",
    );
  }
}

type Source = Parameters<typeof latchMessageAuthenticator>[1];

/** What RADIUS has to write, done here, so that its threads never wait for it. */
function recorders(
  db: Db,
  { log, enforcer, deferred }: { log: Logger; enforcer: Enforcer; deferred: DeferredWrites },
) {
  return {
    decided: (events: Parameters<typeof recordDecisions>[1]) =>
      deferred.add("login decisions", () => recordDecisions(db, events)),
    authenticatorSeen: (source: Source) =>
      deferred.add("a router's first Message-Authenticator", () =>
        latchMessageAuthenticator(db, source, systemClock()),
      ),
    unauthenticated: (source: Source) =>
      deferred.add("requests without Message-Authenticator", () =>
        recordUnauthenticated(db, source, systemClock()),
      ),
    quotaCrossed: ({ subscriberId }: { subscriberId: number }) => {
      log.info({ subscriber: subscriberId }, "a subscriber has used up its data volume");
      enforcer.enforceOne(subscriberId).then(
        (enforced) => logEnforced(log, enforced),
        (error: unknown) => log.error({ err: error }, "could not act on a used-up data volume"),
      );
    },
  };
}

/**
 * A second signal must not cut the end short, which takes PATIENCE at the most; a handler that stays keeps Bun running. To look
 * at the certificate again (SIGHUP) ends nothing, also where there is none.
 */
function endOfProgram(): { signal: Promise<string>; ignore: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const signals = ["SIGTERM", "SIGINT"] as const;
  const goOn = () => {};
  for (const signal of signals) process.on(signal, resolve);
  process.on("SIGHUP", goOn);
  return {
    signal: promise,
    ignore: () => {
      for (const signal of signals) process.off(signal, resolve);
      process.off("SIGHUP", goOn);
    },
  };
}
