import type { Logger } from "pino";
import {
  checkpoint,
  type Db,
  leaveCheckpoints,
  openStore,
  requireStore,
  setBusyTimeout,
} from "../../db/open.ts";
import { claimServing } from "../../db/serving.ts";
import type { Config } from "../config/config.ts";
import { formatListen } from "../config/listen.ts";
import { forgetJournal, Journal } from "../domain/machine/access-boxes/journal.ts";
import { WaitingDecisions } from "../domain/machine/access-boxes/waiting-decisions.ts";
import { closeOwnLost } from "../domain/machine/access-boxes/hearing.ts";
import { accessState, leaveReferences, ownBox } from "../domain/machine/access-boxes/state.ts";
import { ownStanding, ownWords } from "../domain/machine/access-boxes/own-standing.ts";
import { makeBoxReport } from "../domain/machine/access-boxes/report.ts";
import { packDecisions } from "../domain/machine/access-boxes/apply-other.ts";
import { trimAuthLog } from "../domain/service/access/trim-auth-log.ts";
import { recordDecisions } from "../domain/service/access/auth-log.ts";
import { recordFirstUses } from "../domain/service/cards/first-use.ts";
import { answerPrimary } from "../domain/service/control/answer-primary.ts";
import { Enforcer } from "../domain/service/enforcement/enforce.ts";
import { latchMessageAuthenticator } from "../domain/goods/nas/sources.ts";
import { forgetOldRows } from "../domain/machine/retention/forget.ts";
import type { QuotaCrossed } from "../domain/service/accounting/accounting.ts";
import { operator } from "../domain/core/actor/operator.ts";
import { systemClock } from "../domain/core/time/time.ts";
import { buildBoxApp } from "../http/box/app.tsx";
import { listen } from "../http/server.ts";
import { fairJobs, logEnforced } from "../jobs/jobs.ts";
import { type Job, Jobs } from "../jobs/repeat.ts";
import type { NodeLinkState } from "../domain/machine/access-boxes/link-state.ts";
import { followZone, ZONE_EVERY } from "./follow-zone.ts";
import { LAG_EVERY } from "../metrics/event-loop-lag.ts";
import { Metrics } from "../metrics/metrics.ts";
import { LinkThread } from "../nats/link-thread.ts";
import { machineClock } from "../os/machine.ts";
import { notifyServiceManager } from "../os/service-manager.ts";
import type { AccessEvent } from "../radius/auth/access.ts";
import { keepTime } from "../radius/server/box-time.ts";
import { type RadiusServer, startRadius } from "../radius/server/server.ts";
import { accessThreads } from "./access-threads.ts";
import { DeferredWrites } from "./deferred-writes.ts";
import { openRouters } from "./routers.ts";
import { commit, version } from "./version.ts";

const BUSY_TIMEOUT = 100;
/** Milliseconds in which replicated changes end sessions. */
const ENFORCED_WITHIN = 500;
/** Milliseconds that requests under way have to finish at the end. */
const STOP_TIMEOUT = 5000;
/** Seconds without a sign of life of a RADIUS thread after which the service manager gets none either. */
const LONGEST_SILENCE = 10;
/** Rows of the journal that are forgotten at once. */
const STEP = 2000;

export interface RunningBox extends AsyncDisposable {
  readonly addresses: { http: string; radius_auth: string; radius_acct: string };
}

/**
 * An access box: RADIUS, enforcement at its routers, and the link to the primary. It serves from its own store, connected or
 * not. Throws the failure of the part that cannot be opened.
 */
export async function startAccessBox(config: Config, log: Logger): Promise<RunningBox> {
  await using opened = new AsyncDisposableStack();
  const { dataDir: folder, serviceManager: manager, nats } = config;
  if (nats === null)
    throw new Error("GATEHOUSE_NATS_URL is empty: an access box needs the nats-server of its books");
  const db = openBoxStore(folder, opened);
  followZone(db);
  const { name } = ownBox(db);
  const deferred = opened.adopt(new DeferredWrites(db, { log, busyTimeout: BUSY_TIMEOUT }), (writes) =>
    writes.close(),
  );
  const { routers, close } = openRouters(db);
  const enforcer = new Enforcer(db, { clock: systemClock, routers });
  const jobs = new Jobs(log);
  opened.defer(async () => void (await Promise.all([jobs.stop(), enforcer.stop()])));
  opened.defer(close);
  const enforce = (crossed?: QuotaCrossed) => {
    const run = crossed ? enforcer.enforceOne(crossed) : enforcer.run();
    run.then(
      (enforced) => logEnforced(log, enforced),
      (error: unknown) => log.error({ err: error }, "could not look after the sessions of this box"),
    );
  };
  const journal = new Journal(db, { elapsed: machineClock(), clock: systemClock });
  const waiting = new WaitingDecisions(db, journal);
  const radius = opened.adopt(
    await startRadius({
      folder,
      log,
      auth: config.radiusAuthListen,
      acct: config.radiusAcctListen,
      accessThreads: accessThreads(config),
      ...recorders(db, { deferred, journal, waiting, enforce }),
    }),
    (server) => server.stop(),
  );
  // what is told comes in many pieces, and a look at everybody takes its time
  let soon: Timer | undefined;
  const enforceSoon = () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      enforce();
    }, ENFORCED_WITHIN);
  };
  opened.defer(() => clearTimeout(soon));
  let state: NodeLinkState | undefined;
  const link = new LinkThread({
    folder,
    version,
    options: { ...nats, name: `gatehouse ${name}` },
    notice: (notice) => {
      if (notice.kind === "failed") log.warn({ error: notice.error }, notice.what);
      if (notice.kind === "changed") enforceSoon();
      if (notice.kind === "state" && "isComplete" in notice.state) state = notice.state;
    },
    onRequest: (request) => answerPrimary(db, routers, request),
    died: (error) => log.error({ error }, "the thread that talks to the books died and is started again"),
  });
  opened.defer(() => link.stop());
  const { http, tellStatus, measureLag } = serveState(
    { config, db, log, radius, link: () => state, dropped: () => waiting.dropped },
    opened,
  );
  const { watchdog = null } = manager ?? {};
  jobs.start([
    ...boxJobs({ db, log, enforcer }),
    { what: "follow the time zone of the books", every: ZONE_EVERY, run: () => followZone(db) },
    { what: "tell the service manager how this box is", every: 10, run: tellStatus },
    { what: "measure how late the event loop is", every: LAG_EVERY, run: measureLag },
    ...(watchdog === null
      ? []
      : [
          {
            what: "feed the watchdog",
            every: watchdog / 3,
            run: () => {
              if (radius.silence() < LONGEST_SILENCE) notifyServiceManager(manager, "WATCHDOG=1");
            },
          },
        ]),
  ]);
  opened.defer(() => notifyServiceManager(manager, "STOPPING=1"));
  notifyServiceManager(manager, "READY=1");
  const closers = opened.move();
  return {
    addresses: {
      http,
      radius_auth: formatListen(radius.auth),
      radius_acct: formatListen(radius.acct),
    },
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  };
}

function serveState(
  {
    config,
    db,
    log,
    radius,
    link,
    dropped,
  }: {
    config: Config;
    db: Db;
    log: Logger;
    radius: RadiusServer;
    link: () => NodeLinkState | undefined;
    dropped: () => number;
  },
  opened: AsyncDisposableStack,
): { http: string; tellStatus: () => void; measureLag: () => void } {
  const { dataDir: folder, httpListen, metricsToken, trustedProxies, serviceManager } = config;
  const elapsed = machineClock();
  const about = { folder, version, clock: systemClock, elapsed, begun: elapsed.uptime() };
  const standing = () =>
    ownStanding(db, {
      link: link(),
      report: makeBoxReport(db, about),
      dropped: dropped(),
      now: systemClock(),
    });
  const metrics = new Metrics({
    db,
    clock: systemClock,
    folder,
    radius,
    version,
    commit,
    ownBox: standing,
  });
  const app = buildBoxApp({
    db,
    log,
    standing,
    metricsToken,
    trustedProxies,
    clock: systemClock,
    isListening: () => radius.isListening(),
    metrics: () => metrics.text(),
    served: (served) => metrics.served(served),
  });
  const { host: hostname, port } = httpListen;
  const listener = opened.adopt(listen(app, { hostname, port }), (open) => open.stop(STOP_TIMEOUT));
  return {
    http: listener.address,
    tellStatus: () => {
      const own = standing();
      notifyServiceManager(
        serviceManager,
        `STATUS=access box ${own.name} ${version}: ${ownWords(own, systemClock())}`,
      );
    },
    measureLag: () => metrics.measureLag(),
  };
}

function openBoxStore(folder: string, opened: AsyncDisposableStack): Db {
  requireStore(folder);
  opened.use(claimServing(folder));
  const db = opened.adopt(openStore(folder, { now: systemClock() }), ({ $client }) => $client.close());
  if (accessState(db).role !== "access")
    throw new Error(`${folder} holds the books of an ISP; GATEHOUSE_ROLE=access is for a box of its own`);
  setBusyTimeout(db, BUSY_TIMEOUT);
  leaveReferences(db);
  const following = keepTime(db);
  opened.defer(() => clearInterval(following));
  leaveCheckpoints(db);
  return db;
}

function recorders(
  db: Db,
  {
    deferred,
    journal,
    waiting,
    enforce,
  }: {
    deferred: DeferredWrites;
    journal: Journal;
    waiting: WaitingDecisions;
    enforce: (crossed: QuotaCrossed) => void;
  },
) {
  const ignored = () => {};
  return {
    decided: (events: readonly AccessEvent[]) => {
      const areCardUses = events.some(({ isCardUse }) => isCardUse);
      deferred.add("login decisions", () => {
        const tell = db.$client.transaction(() => {
          if (areCardUses) recordFirstUses(db, events);
          recordDecisions(db, events);
          return journal.add("decided", packDecisions(events));
        });
        const number = tell.immediate();
        if (!areCardUses) waiting.note({ number, decisions: events.length });
      });
      if (waiting.isTooMany) deferred.add("that old login decisions are dropped", () => waiting.trim());
    },
    authenticatorSeen: (source: { nasId: number; address: string }) =>
      deferred.add("a router's first Message-Authenticator", () => {
        const tell = db.$client.transaction(() => {
          latchMessageAuthenticator(db, source, systemClock());
          journal.add("seen", source);
        });
        tell.immediate();
      }),
    unauthenticated: ignored,
    carried: ignored,
    reported: ignored,
    arrived: ignored,
    quotaCrossed: enforce,
  };
}

function boxJobs({ db, log, enforcer }: { db: Db; log: Logger; enforcer: Enforcer }): Job[] {
  const by = operator("gatehouse", "system");
  const clock = systemClock;
  const since = clock();
  return [
    {
      what: "end sessions that are due",
      every: 10,
      run: async () => logEnforced(log, await enforcer.run()),
    },
    ...fairJobs({ db, clock, log, enforcer }),
    {
      what: "close sessions of this box that are lost",
      every: 15,
      run: () => {
        closeOwnLost(db, { since, now: clock() });
      },
    },
    { what: "move the write-ahead log into the database", every: 1, run: () => checkpoint(db) },
    { what: "trim the log of login decisions", every: 600, run: () => trimAuthLog(db, by, { now: clock() }) },
    {
      what: "forget old rows",
      every: 3600,
      run: async (signal) => {
        await forgetOldRows(db, by, { now: clock(), signal });
        while (
          !signal.aborted &&
          forgetJournal(db, { home: accessState(db).home, now: clock(), limit: STEP }) === STEP
        )
          await Bun.sleep(20);
      },
    },
  ];
}
