import type { Config } from "../config/config.ts";
import { BackupDesk } from "../domain/machine/backup/desk.ts";
import type { Arrivals } from "../domain/goods/nas/arrivals.ts";
import type { MovingRuns } from "../domain/machine/imports/runs/runs.ts";
import { operator } from "../domain/core/actor/operator.ts";
import { recordKeyCalls } from "../domain/people/api-keys/calls.ts";
import { buildApps } from "../http/app.ts";
import { KeyCalls } from "../http/key-calls.ts";
import type { LiveStreams } from "../http/console/live/streams.ts";
import { backupThreads } from "../jobs/backup-thread.ts";
import type { TlsPair } from "../http/server.ts";
import { Metrics } from "../metrics/metrics.ts";
import type { RadiusServer } from "../radius/server/server.ts";
import { applianceProcess } from "./appliance-process.ts";
import type { DeferredWrites } from "./deferred-writes.ts";
import { Listeners } from "./listeners.ts";
import { ownPortals } from "./own-portal.ts";
import { nasTools } from "./nas-tools.ts";
import { natsTools } from "./nats-tools.ts";
import { serverFindings } from "./server-findings.ts";
import { CertificateWatch } from "./certificate-watch.ts";
import { commit, program, version } from "./version.ts";
import type { Work, WorkNeeds } from "./start-server.ts";
import type { Db } from "../../db/open.ts";
import { newestDecision } from "../domain/service/access/auth-log.ts";
import type { AskLogin } from "../domain/service/access/try-login.ts";
import type { Endpoint } from "../os/client-socket.ts";
import { testLogin } from "../radius/client/test-login.ts";
import { ownSecret } from "../radius/server/clients.ts";
import { loopbackFor, loginAttributes, reasonSince, replyAttributes } from "./login-request.ts";
import type { Logger } from "pino";
import { recordRefusedScrape } from "../domain/machine/check/scrapes.ts";
import type { Clock } from "../domain/core/time/time.ts";

/** Milliseconds that requests under way have to finish at the end. */
const STOP_TIMEOUT = 5000;

const gatehouse = operator("gatehouse", "system");

interface HttpParts extends WorkNeeds {
  readonly config: Config;
  readonly radius: RadiusServer;
  readonly deferred: DeferredWrites;
  readonly work: Work;
  readonly streams: LiveStreams;
  readonly arrivals: Arrivals;
  readonly moving: MovingRuns;
}

/** The listeners and what they serve beside the API: findings and metrics. */
export function openHttp(parts: HttpParts, opened: AsyncDisposableStack) {
  const { config, db, clock, log, radius, deferred, work, streams, arrivals, moving } = parts;
  const { dataDir: folder, tls, hstsDays } = config;
  // called when a request comes, and then the listeners and the certificate below are there
  const findings = () => serverFindings({ config, db, radius, listeners }, clock());
  const isCertificateUsable = () => certificate?.isUsable;
  const startedAt = clock();
  const metrics = new Metrics({ db, clock, folder, radius, version, commit, isCertificateUsable });
  const backups = backupDesk(parts, opened);
  const keyCalls = opened.adopt(
    new KeyCalls((calls) => deferred.add("calls of API keys", () => recordKeyCalls(db, gatehouse, calls))),
    (calls) => calls.flush(),
  );
  const apps = buildApps({
    db,
    clock,
    log,
    findings,
    routers: work.routers,
    nasTools: nasTools(db, { config, clock }),
    nats: natsTools(db),
    staffTokenDays: config.staffTokenDays,
    subscriberTokenDays: config.subscriberTokenDays,
    trustedProxies: config.trustedProxies,
    metricsToken: config.metricsToken,
    showParts: commit === "unknown", // from its source, not as an executable
    hstsDays: { lan: tls?.lan ? hstsDays : 0, public: tls ? hstsDays : 0 },
    health: () => ({ radius: radius.isListening() }),
    backups,
    appliance: () => applianceProcess({ config, radius, listeners, startedAt }),
    streams,
    arrivals,
    moving,
    askLogin: loginAsker(db, radius.auth),
    renewed: (subscriber) => work.applyLater.add(subscriber),
    ownPortal: ownPortals(config),
    metrics: () => metrics.text(),
    served: (served) => metrics.served(served),
    keyCalls,
    scrapeRefused: refusedScrapes({ db, clock, log, deferred }),
  });
  const listeners = opened.adopt(new Listeners({ config, apps, log, now: clock() }), (open) =>
    open.stop(STOP_TIMEOUT),
  );
  const takeUp = (pair: TlsPair) => listeners.takeUp(pair);
  const certificate = tls
    ? opened.use(new CertificateWatch({ files: tls, first: listeners.pair, takeUp, log }))
    : undefined;
  return { listeners, certificate, metrics, findings, backups };
}

/** Makes and tries backups for the console; the end of the program aborts them. */
function backupDesk({ config, db, clock, log }: HttpParts, opened: AsyncDisposableStack): BackupDesk {
  const end = new AbortController();
  const desk = new BackupDesk({
    db,
    clock,
    program,
    isService: config.serviceManager !== null,
    threads: backupThreads(end.signal),
    failed: (error) => log.error({ err: error }, "a backup, or the trial of one, failed"),
  });
  opened.defer(() => {
    end.abort();
    return desk.ended;
  });
  return desk;
}

function loginAsker(db: Db, server: Endpoint): AskLogin {
  return async ({ username, password, method, kind, mac }) => {
    const before = newestDecision(db, gatehouse, username)?.id ?? 0;
    const answer = await testLogin({
      server: loopbackFor(server),
      secret: ownSecret(db.vault),
      username,
      password,
      method,
      attributes: loginAttributes({ kind, mac }),
    });
    return (
      answer && {
        accepted: answer.code === "Access-Accept",
        isProven: answer.isProven,
        reason: (await reasonSince(db, gatehouse, username, before)) ?? null,
        attributes: replyAttributes(answer),
      }
    );
  };
}

const DAY = 86_400;

interface Needs {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly deferred: DeferredWrites;
}

/** Logs a refused scrape of /metrics once a day and source, for Prometheus tries every few seconds. */
function refusedScrapes({ db, clock, log, deferred }: Needs): (source: string) => void {
  let notedAt = 0;
  return (source) => {
    const now = clock();
    if (now - notedAt < DAY) return;
    notedAt = now;
    log.warn({ source }, "refused /metrics: GATEHOUSE_METRICS_TOKEN is not set");
    deferred.add("a refused scrape", () => recordRefusedScrape(db, { source, now }));
  };
}
