import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import type { Config } from "../config/config.ts";
import { forgetOutcome } from "../domain/backup/folder.ts";
import { checkSetup } from "../domain/check/check.ts";
import { type Finding, error, ok } from "../domain/check/finding.ts";
import { checkScrapes, recordRefusedScrape } from "../domain/check/scrapes.ts";
import { checkUpkeep } from "../domain/check/upkeep.ts";
import { operator } from "../domain/staff/actor.ts";
import type { Clock } from "../domain/time.ts";
import type { HttpNeeds } from "../http/app.ts";
import { startUpkeep } from "../jobs/upkeep.ts";
import { Metrics } from "../metrics/metrics.ts";
import type { RadiusServer } from "../radius/server/server.ts";
import { checkCertificate } from "./certificate.ts";
import type { Listeners } from "./listeners.ts";
import type { DeferredWrites } from "./deferred-writes.ts";
import { ServiceNotifier } from "../os/service-manager.ts";
import { CertificateWatch } from "./tls-watch.ts";
import { commit, program, version } from "./version.ts";

/** Seconds without a sign of life of a RADIUS thread after which the watchdog gets none either. */
const LONGEST_SILENCE = 10;
/** Milliseconds between two words to the service manager about how it goes. */
const STATUS_EVERY = 30_000;
/** Seconds. */
const DAY = 86_400;

interface Needs {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly radius: RadiusServer;
  readonly deferred: DeferredWrites;
}

/** What looks after a server at work: metrics, findings, backups, retention, certificates, the service manager. */
export class Attendance {
  readonly #needs: Needs;
  readonly #metrics: Metrics;
  readonly #notifier: ServiceNotifier;
  #stopUpkeep = async () => {};
  #listeners: Listeners | undefined;
  #watch: CertificateWatch | undefined;
  #telling: Timer | undefined;
  #scrapeNotedAt = 0;

  constructor(needs: Needs) {
    const { config, db, clock, radius } = needs;
    this.#needs = needs;
    const isCertificateUsable = () => this.#watch?.isUsable;
    this.#metrics = new Metrics({
      ...{ db, clock, radius, version, commit, isCertificateUsable },
      folder: config.dataDir,
    });
    this.#notifier = new ServiceNotifier(config.serviceManager);
  }

  /** What HTTP tells of it. */
  get http(): Required<
    Pick<HttpNeeds, "findings" | "metrics" | "metricsToken" | "scrapeRefused" | "served" | "hstsDays">
  > {
    const { hstsDays, metricsToken, tls } = this.#needs.config;
    return {
      metricsToken,
      scrapeRefused: (source) => this.#noteRefusedScrape(source),
      findings: () => this.findings(),
      metrics: () => this.#metrics.text(),
      served: (served) => this.#metrics.served(served),
      hstsDays: { lan: tls?.lan ? hstsDays : 0, public: tls ? hstsDays : 0 },
    };
  }

  /** The part of `gatehouse check` that costs a server at work next to nothing. */
  findings(): readonly Finding[] {
    const { config, db, clock, radius } = this.#needs;
    const now = clock();
    const by = operator("gatehouse", "system");
    return [
      radius.isListening()
        ? ok("RADIUS", "both ports listen")
        : error("RADIUS", "a port does not listen; the log says why"),
      ...checkSetup(db, by, { now }),
      ...checkUpkeep(db, by, config.dataDir, { now }),
      ...checkCertificate(config, now),
      ...(this.#listeners?.findings() ?? []),
      ...checkScrapes(db, by, { hasToken: config.metricsToken !== null }, { now }),
    ];
  }

  /** From here on everything listens. */
  begin(listeners: Listeners): void {
    const { config, db, clock, log, radius } = this.#needs;
    this.#listeners = listeners;
    forgetOutcome(config.dataDir);
    for (const { severity, subject, message } of this.findings())
      log[severity === "ok" ? "debug" : severity === "warning" ? "warn" : "error"]({ subject }, message);
    const isService = config.serviceManager !== null;
    this.#stopUpkeep = startUpkeep({ db, clock, log, folder: config.dataDir, program, isService });
    if (config.tls)
      this.#watch = new CertificateWatch({
        files: config.tls,
        first: listeners.pair,
        takeUp: (pair) => listeners.takeUp(pair),
        log,
      });
    this.#notifier.notify("READY=1");
    this.#notifier.watch(() => radius.silence() < LONGEST_SILENCE);
    this.#tell();
    this.#telling = setInterval(() => this.#tell(), STATUS_EVERY);
  }

  async stop(): Promise<void> {
    clearInterval(this.#telling);
    this.#notifier.stop();
    this.#watch?.[Symbol.dispose]();
    this.#metrics[Symbol.dispose]();
    await this.#stopUpkeep();
  }

  /** Once a day, so that a Prometheus that asks every few seconds fills neither the log nor the store. */
  #noteRefusedScrape(source: string): void {
    const { db, clock, log, deferred } = this.#needs;
    const now = clock();
    if (now - this.#scrapeNotedAt < DAY) return;
    this.#scrapeNotedAt = now;
    log.warn({ source }, "refused /metrics: GATEHOUSE_METRICS_TOKEN is not set");
    deferred.add("a refused scrape", () => recordRefusedScrape(db, { source, now }));
  }

  /** One line for `systemctl status`. */
  #tell(): void {
    const faults = this.findings().filter(({ severity }) => severity !== "ok").length;
    const state = faults === 0 ? "all is well" : `${faults} findings, see: gatehouse check`;
    this.#notifier.notify(`STATUS=gatehouse ${version} serves; ${state}`);
  }
}
