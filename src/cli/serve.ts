import { setPriority } from "node:os";
import type { Logger } from "pino";
import { type Db, leaveCheckpoints, openStore, requireStore, setPatience } from "../../db/open.ts";
import { claimServing } from "../../db/serving.ts";
import type { Config } from "../config/config.ts";
import { formatListen } from "../config/listen.ts";
import { latchMessageAuthenticator, recordDecisions } from "../domain/access/auth-log.ts";
import { Enforcer } from "../domain/sessions/enforce.ts";
import { systemClock } from "../domain/time.ts";
import { type Apps, buildApps, type HttpNeeds } from "../http/app.ts";
import { type Listener, listen, type ListenOptions } from "../http/server.ts";
import { logEnforced, startJobs } from "../jobs/jobs.ts";
import { createLog } from "../log.ts";
import { type RadiusServer, startRadius } from "../radius/server.ts";
import { DeferredWrites } from "./deferred-writes.ts";
import { Attendance } from "./attendance.ts";
import { readPair } from "./certificate.ts";
import type { Io } from "./io.ts";
import { openRouters } from "./routers.ts";

/** Milliseconds that requests under way have to finish at the end. */
const PATIENCE = 5000;
/** Milliseconds that main stands still for another process's write lock; what waits longer gets a 503 or another turn. */
const LOCK_PATIENCE = 100;

/** The nice value of this thread and of those that it starts from then on. */
const BEHIND_RADIUS = 10;

/** The API, the portal and RADIUS, until SIGTERM or SIGINT (appliance.md, Configuration). */
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
  const listeners: Listener[] = [];
  let radius: RadiusServer | undefined;
  let stopJobs = async () => {};
  let attendance: Attendance | undefined;

  const stop = async () => {
    const jobsStopped = Promise.all([stopJobs(), enforcer.stop(), attendance?.stop()]);
    await Promise.all(listeners.map((listener) => listener.stop(PATIENCE)));
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
    // where processors are short, a page of the API waits for a login and not the other way round
    setPriority(BEHIND_RADIUS);
    attendance = new Attendance({ config, db, clock, log, radius });
    const needs: HttpNeeds = {
      ...attendance.http,
      db,
      clock,
      log,
      staffTokenDays: config.staffTokenDays,
      subscriberTokenDays: config.subscriberTokenDays,
      routers: connections.routers,
      trustedProxies: config.trustedProxies,
      health: () => ({ radius: radius?.isListening() ?? false }),
    };
    const tls = config.tls && readPair(config.tls);
    const secured: Listener[] = [];
    const open = (
      app: Apps["lan"],
      { host, port }: { host: string; port: number },
      secure: ListenOptions["tls"] | null,
    ) => {
      const listener = listen(app, { hostname: host, port, ...(secure && { tls: secure }) });
      listeners.push(listener);
      if (secure) secured.push(listener);
      return listener.address;
    };
    const apps = buildApps(needs);
    const http = open(apps.lan, config.httpListen, config.tls?.lan ? tls : null);
    const publicHttp = config.publicListen && open(apps.public, config.publicListen, tls);
    const walled = config.walledListen && open(apps.walled, config.walledListen, null);
    stopJobs = startJobs({ db, clock, log, enforcer });
    attendance.begin(secured, tls);
    return {
      addresses: {
        http,
        public: publicHttp,
        radius_auth: formatListen(radius.auth),
        radius_acct: formatListen(radius.acct),
        ...(walled !== null && { walled }),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What RADIUS has to write, done here, so that its threads never wait for it. */
function recorders(
  db: Db,
  { log, enforcer, deferred }: { log: Logger; enforcer: Enforcer; deferred: DeferredWrites },
) {
  return {
    decided: (events: Parameters<typeof recordDecisions>[1]) =>
      deferred.add("login decisions", () => recordDecisions(db, events)),
    authenticatorSeen: (nasId: number) =>
      deferred.add("a NAS's first Message-Authenticator", () => latchMessageAuthenticator(db, nasId)),
    quotaCrossed: ({ subscriberId }: { subscriberId: number }) => {
      log.info({ subscriber: subscriberId }, "a subscriber has used up its data volume");
      enforcer.enforceOne(subscriberId).then(
        (enforced) => logEnforced(log, enforced),
        (error: unknown) => log.error({ err: error }, "could not act on a used-up data volume"),
      );
    },
  };
}

/** A second signal must not cut the end short, which takes PATIENCE at the most; a handler that stays keeps Bun running. */
function endOfProgram(): { signal: Promise<string>; ignore: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const signals = ["SIGTERM", "SIGINT"] as const;
  for (const signal of signals) process.on(signal, resolve);
  return {
    signal: promise,
    ignore: () => {
      for (const signal of signals) process.off(signal, resolve);
    },
  };
}
