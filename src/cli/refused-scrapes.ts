import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { recordRefusedScrape } from "../domain/machine/check/scrapes.ts";
import type { Clock } from "../domain/core/time/time.ts";
import type { DeferredWrites } from "./deferred-writes.ts";

const DAY = 86_400;

interface Needs {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly deferred: DeferredWrites;
}

/** Logs a refused scrape of /metrics once a day and source, for Prometheus tries every few seconds. */
export function refusedScrapes({ db, clock, log, deferred }: Needs): (source: string) => void {
  let notedAt = 0;
  return (source) => {
    const now = clock();
    if (now - notedAt < DAY) return;
    notedAt = now;
    log.warn({ source }, "refused /metrics: GATEHOUSE_METRICS_TOKEN is not set");
    deferred.add("a refused scrape", () => recordRefusedScrape(db, { source, now }));
  };
}
