import { readFileSync } from "node:fs";
import type { Logger } from "pino";
import { type Db, openStore } from "../../db/open.ts";
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
import type { Io } from "./io.ts";
import { openRouters } from "./routers.ts";

/** Milliseconds that requests under way have to finish at the end. */
const PATIENCE = 5000;

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
  readonly addresses: { http: string; public: string | null; radius_auth: string; radius_acct: string };
  readonly stop: () => Promise<void>;
}

async function start(config: Config, log: Logger): Promise<Running> {
  const clock = systemClock;
  const db = openStore(config.dataDir, { now: clock() });
  const connections = openRouters(db);
  const enforcer = new Enforcer(db, { clock, routers: connections.routers });
  const listeners: Listener[] = [];
  let radius: RadiusServer | undefined;
  let stopJobs = async () => {};

  const stop = async () => {
    const jobsStopped = Promise.all([stopJobs(), enforcer.stop()]);
    await Promise.all(listeners.map((listener) => listener.stop(PATIENCE)));
    connections.close(); // gives up what a job still waits for a router to say
    await jobsStopped;
    await radius?.stop();
    db.$client.close();
  };
  try {
    radius = await startRadius({
      folder: config.dataDir,
      auth: config.radiusAuthListen,
      acct: config.radiusAcctListen,
      log,
      ...recorders(db, log, enforcer),
    });
    const needs: HttpNeeds = {
      db,
      clock,
      log,
      staffTokenDays: config.staffTokenDays,
      subscriberTokenDays: config.subscriberTokenDays,
      routers: connections.routers,
      trustedProxies: config.trustedProxies,
      health: () => ({ radius: radius?.isListening() ?? false }),
    };
    const tls = config.tls && {
      cert: readFileSync(config.tls.certFile, "utf8"),
      key: readFileSync(config.tls.keyFile, "utf8"),
    };
    const open = (
      app: Apps["lan"],
      { host, port }: { host: string; port: number },
      secure: ListenOptions["tls"] | null,
    ) => {
      const listener = listen(app, { hostname: host, port, ...(secure && { tls: secure }) });
      listeners.push(listener);
      return listener.address;
    };
    const apps = buildApps(needs);
    const http = open(apps.lan, config.httpListen, config.tls?.lan ? tls : null);
    const publicHttp = config.publicListen && open(apps.public, config.publicListen, tls);
    stopJobs = startJobs({ db, clock, log, enforcer });
    return {
      addresses: {
        http,
        public: publicHttp,
        radius_auth: formatListen(radius.auth),
        radius_acct: formatListen(radius.acct),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What RADIUS has to write, done here, so that its threads never wait for it. A failure costs a log line, not a login. */
function recorders(db: Db, log: Logger, enforcer: Enforcer) {
  const recorded = (what: string, write: () => void) => {
    try {
      write();
    } catch (error) {
      log.error({ err: error }, `could not record ${what}`);
    }
  };
  return {
    decided: (events: Parameters<typeof recordDecisions>[1]) =>
      recorded("login decisions", () => recordDecisions(db, events)),
    authenticatorSeen: (nasId: number) =>
      recorded("a NAS's first Message-Authenticator", () => latchMessageAuthenticator(db, nasId)),
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
