import { setPriority } from "node:os";
import type { Logger } from "pino";
import {
  type Db,
  leaveCheckpoints,
  openStore,
  refuseWrites,
  requireStore,
  setBusyTimeout,
} from "../../db/open.ts";
import { shareTurns } from "../../db/turns.ts";
import { claimServing } from "../../db/serving.ts";
import type { Config } from "../config/config.ts";
import { formatListen } from "../config/listen.ts";
import { forgetOutcome } from "../domain/machine/backup/folder.ts";
import { AutoRenewer } from "../domain/service/control/auto-renewer.ts";
import { ApplyLater } from "../domain/service/control/apply-later.ts";
import { Enforcer } from "../domain/service/enforcement/enforce.ts";
import { type AskNode, routersThrough } from "../domain/service/control/routers-of-boxes.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { verbatim } from "../domain/core/errors/phrase.ts";
import { LiveFeed } from "../domain/service/live/feed.ts";
import { Arrivals } from "../domain/goods/nas/arrivals.ts";
import { findNas } from "../domain/goods/nas/find.ts";
import { CarriedTally } from "../domain/money/sums/carried.ts";
import { keepCarried } from "../domain/money/sums/minutes.ts";
import { MovingRuns } from "../domain/machine/imports/runs/runs.ts";
import { hasServerKeys } from "../domain/goods/radsec/keys.ts";
import { operator } from "../domain/core/actor/operator.ts";
import { type Clock, systemClock } from "../domain/core/time/time.ts";
import { LiveStreams } from "../http/console/live/streams.ts";
import { takeOwnWords } from "../http/words/own.ts";
import { listJobs, logEnforced } from "../jobs/jobs.ts";
import { movingProcesses } from "../jobs/import-process.ts";
import { Jobs } from "../jobs/repeat.ts";
import { nasTools } from "./nas-tools.ts";
import { LinkThread } from "../nats/link-thread.ts";
import { MessageSender } from "../outgoing/message-sender.ts";
import { WebhookSender } from "../outgoing/webhook-sender.ts";
import { notifyServiceManager } from "../os/service-manager.ts";
import { FeedSender } from "../radius/client/feed-sender.ts";
import { type RadiusServer, startRadius } from "../radius/server/server.ts";
import { accessThreads } from "./access-threads.ts";
import { DeferredWrites } from "./deferred-writes.ts";
import { followZone } from "./follow-zone.ts";
import type { Listeners } from "./listeners.ts";
import { radiusRecorders } from "./radius-recorders.ts";
import { readRouterConfig } from "./read-config.ts";
import { openRouter } from "./open-router.ts";
import { openRouters } from "./routers.ts";
import { logFindings, statusLine } from "./server-findings.ts";
import { program, version } from "./version.ts";

/** Milliseconds that main waits for a write lock, serving nobody meanwhile; then a request gets 503 and a job waits for its next turn. */
const BUSY_TIMEOUT = 100;
/** The nice value of this thread and those it starts later. */
const NICE = 10;
/** Seconds without a sign of life of a RADIUS thread after which the service manager gets none either. */
const LONGEST_SILENCE = 10;

export interface RunningServer extends AsyncDisposable {
  /** Nothing commits after this call; `words` say why. */
  readonly refuseWrites: (words: string) => void;
  readonly addresses: {
    http: string;
    public: string | null;
    radius_auth: string;
    radius_acct: string;
    walled?: string;
  };
}

/**
 * Opens part after part, each with its closer on a stack, so that the end and a failed start close in reverse order. Throws the
 * failure of the part that cannot be opened.
 */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  await using opened = new AsyncDisposableStack();
  const clock = systemClock;
  const { dataDir: folder, serviceManager: manager } = config;
  const db = openDatabase(folder, clock, opened);
  followZone(db); // before a thread begins a day
  const deferred = opened.adopt(new DeferredWrites(db, { log, busyTimeout: BUSY_TIMEOUT }), (writes) =>
    writes.close(),
  );
  const carried = keepAtEnd({ db, clock, deferred }, opened);
  const live = opened.adopt(new LiveFeed(db), (feed) => feed.stop());
  const arrivals = new Arrivals();
  const boxes: Boxes = { link: undefined };
  const turns = shareTurns(db);
  const work = openWork({ db, clock, log, live, boxes: config.nats && boxes }, opened);
  const [threads, { openHttp }] = await Promise.all([
    startRadius({
      folder,
      turns,
      log,
      auth: config.radiusAuthListen,
      acct: config.radiusAcctListen,
      accessThreads: accessThreads(config),
      radsec: config.radsecListen
        ? {
            listen: config.radsecListen,
            isWanted: () => hasServerKeys(db),
            findName: (nasId) => findNas(db, nasId)?.name,
          }
        : undefined,
      ...radiusRecorders({ db, log, deferred, carried, live, arrivals, enforcer: work.enforcer }),
    }),
    import("./open-http.ts"),
    takeOwnWords(folder),
  ]);
  const radius = opened.adopt(threads, (server) => server.stop());
  lowerPriority(log);
  boxes.link = linkToBoxes({ config, turns, log, carried, enforcer: work.enforcer }, opened);
  const streams = new LiveStreams(live);
  const moving = opened.adopt(movingRuns({ config, db, clock, log }), (runs) => runs.close());
  const { listeners, certificate, metrics, findings, backups } = openHttp(
    { config, db, clock, log, radius, deferred, work, streams, arrivals, moving },
    opened,
  );
  opened.defer(() => streams.close()); // first of all, for no request under way ends later
  forgetOutcome(folder);
  opened.defer(() => {
    void work.stop(); // begins nothing more; what is under way is waited for when HTTP has finished
  });
  work.jobs.start(
    listJobs({
      db,
      clock,
      log,
      folder,
      program,
      carried,
      moving,
      backups,
      isService: manager !== null,
      enforcer: work.enforcer,
      arrivals,
      nasTools: nasTools(db, { config, clock }),
      backupStore: boxes.link,
      autoRenewer: work.autoRenewer,
      webhooks: work.webhooks,
      messages: work.messages,
      feeds: work.feeds,
      lookAtCertificate: certificate && (() => certificate.look()),
      tellStatus: () => notifyServiceManager(manager, `STATUS=${statusLine(findings())}`),
      watchdogSeconds: manager?.watchdog ?? null,
      feedWatchdog: () => {
        if (radius.silence() < LONGEST_SILENCE) notifyServiceManager(manager, "WATCHDOG=1");
      },
      measureLag: () => metrics.measureLag(),
      followZone: () => followZone(db),
      readConfig: (router) => readRouterConfig(db, router),
      openRouter,
    }),
  );
  opened.defer(() => notifyServiceManager(manager, "STOPPING=1"));
  notifyServiceManager(manager, "READY=1");
  const found = setTimeout(() => logFindings(log, findings())); // nobody waits for them
  opened.defer(() => clearTimeout(found));
  const closers = opened.move();
  return {
    addresses: listAddresses(listeners, radius),
    refuseWrites: (words) => {
      refuseWrites(db, () => {
        throw new DomainError("overloaded", verbatim(words));
      });
      db.$client.run("PRAGMA query_only = ON"); // what is written beside `write` too
    },
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  };
}

function openDatabase(folder: string, clock: Clock, opened: AsyncDisposableStack): Db {
  requireStore(folder);
  opened.use(claimServing(folder)); // before a newer program changes what an older one serves
  const db = opened.adopt(openStore(folder, { now: clock() }), ({ $client }) => $client.close());
  setBusyTimeout(db, BUSY_TIMEOUT);
  leaveCheckpoints(db);
  return db;
}

/** Keeps the byte counts of the current minute after the RADIUS threads have ended. */
function keepAtEnd(
  { db, clock, deferred }: { db: Db; clock: Clock; deferred: DeferredWrites },
  opened: AsyncDisposableStack,
): CarriedTally {
  const carried = new CarriedTally();
  const by = operator("gatehouse", "system");
  opened.defer(() => {
    const sums = carried.take();
    deferred.add("the bytes of the last minute", () =>
      keepCarried(db, by, { carried: sums, unwritten: carried.unwritten }, { now: clock() }),
    );
  });
  return carried;
}

function linkToBoxes(
  {
    config,
    turns,
    log,
    carried,
    enforcer,
  }: { config: Config; turns: SharedArrayBuffer; log: Logger; carried: CarriedTally; enforcer: Enforcer },
  opened: AsyncDisposableStack,
): LinkThread | undefined {
  if (config.nats === null) return undefined;
  const link = new LinkThread({
    folder: config.dataDir,
    version,
    options: { ...config.nats, name: "gatehouse books" },
    turns,
    notice: (notice) => {
      if (notice.kind === "failed") log.warn({ error: notice.error }, notice.what);
      if (notice.kind === "carried") for (const sum of notice.sums) carried.add(sum);
      if (notice.kind === "crossed")
        for (const crossed of notice.crossed)
          enforcer.enforceOne(crossed).then(
            (enforced) => logEnforced(log, enforced),
            (error: unknown) => log.error({ err: error }, "could not act on a used-up data volume"),
          );
    },
    died: (error) => log.error({ error }, "the thread that talks to the boxes died and is started again"),
  });
  opened.defer(() => link.stop());
  return link;
}

/** The link is opened after what asks through it. */
interface Boxes {
  link: LinkThread | undefined;
}

function openAllRouters(db: Db, boxes: Boxes | null): ReturnType<typeof openRouters> {
  const { routers, close } = openRouters(db);
  if (boxes === null) return { routers, close };
  const ask: AskNode = async (box, request) => {
    if (!boxes.link) throw new Error("the link to the boxes is not open");
    return boxes.link.ask(box, request);
  };
  return { routers: routersThrough(db, routers, ask), close };
}

export interface WorkNeeds {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
}

export type Work = ReturnType<typeof openWork>;

function openWork(
  { db, clock, log, live, boxes }: WorkNeeds & { readonly live: LiveFeed; readonly boxes: Boxes | null },
  opened: AsyncDisposableStack,
) {
  const { routers, close } = openAllRouters(db, boxes);
  const jobs = new Jobs(log);
  const enforcer = new Enforcer(db, { clock, routers });
  const applyLater = new ApplyLater(db, {
    clock,
    routers,
    failed: (reason) => log.warn({ reason }, "a renewal from the portal waits for the next login"),
  });
  const autoRenewer = new AutoRenewer(db, {
    clock,
    routers,
    failed: (reason) => log.warn({ reason }, "a renewal by itself waits for the next login"),
  });
  const outgoing = { db, by: operator("gatehouse", "system"), clock };
  const webhooks = new WebhookSender({
    ...outgoing,
    failed: (error) => log.error({ err: error }, "what came of a webhook could not be written; trying again"),
  });
  const feeds = new FeedSender({
    ...outgoing,
    failed: (error) => log.error({ err: error }, "a shaper could not be told of a session; trying again"),
  });
  const messages = new MessageSender({ ...outgoing, ended: (message) => live.sent(message) });
  const stop = async () => {
    const renewers = [applyLater.stop(), autoRenewer.stop()];
    await Promise.all([
      jobs.stop(),
      enforcer.stop(),
      ...renewers,
      webhooks.stop(),
      messages.stop(),
      feeds.stop(),
    ]);
  };
  opened.defer(stop);
  opened.defer(close); // gives up the requests that a router has not answered yet
  return { routers, jobs, enforcer, applyLater, autoRenewer, webhooks, messages, feeds, stop };
}

function movingRuns({ config, db, clock, log }: WorkNeeds & { config: Config }): MovingRuns {
  return new MovingRuns({
    db,
    clock,
    folder: config.dataDir,
    spawn: movingProcesses(),
    limit: config.uploadLimit * 1e6,
    failed: (message) => log.error({ error: message }, "bringing in from another system failed"),
  });
}

function listAddresses(listeners: Listeners, radius: RadiusServer): RunningServer["addresses"] {
  const { http, public: publicHttp, walled } = listeners.addresses;
  return {
    http,
    public: publicHttp,
    radius_auth: formatListen(radius.auth),
    radius_acct: formatListen(radius.acct),
    ...(walled !== undefined && { walled }),
  };
}

/** Lowers the priority of the API, so that it waits for logins where processors are short, and not the other way round. */
function lowerPriority(log: Logger): void {
  try {
    setPriority(NICE);
  } catch (error) {
    log.warn(
      { err: error },
      "the system refuses to give the API a lower priority than RADIUS; allow setpriority(2) in the unit's SystemCallFilter",
    );
  }
}
