import { Counter, Gauge, type Registry } from "prom-client";
import type { Db } from "../../db/open.ts";
import {
  attemptsSince,
  newestAttempt,
  unplannedEvents,
  waitingDeliveries,
  webhooksOff,
} from "../domain/around/webhooks/figures.ts";

/** Webhooks: deliveries waiting, and outcomes since the start. */
export function webhookGauges(registry: Registry, { db }: { db: Db }): void {
  registry.registerMetric(
    new Gauge({
      name: "gatehouse_events_waiting",
      help: "Events that no webhook was given yet",
      registers: [],
      collect() {
        this.set(unplannedEvents(db));
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: "gatehouse_webhook_deliveries_waiting",
      help: "Events that wait to be sent, or to be sent again",
      labelNames: ["webhook"],
      registers: [],
      collect() {
        this.reset();
        for (const row of waitingDeliveries(db)) this.set({ webhook: row.id }, row.waiting);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: "gatehouse_webhooks_off",
      help: "Webhooks that are switched off, by staff or because they answered 410",
      registers: [],
      collect() {
        this.set(webhooksOff(db));
      },
    }),
  );
  let seen = newestAttempt(db);
  registry.registerMetric(
    new Counter({
      name: "gatehouse_webhook_attempts_total",
      help: "Calls of webhooks since the start, by what came of them",
      labelNames: ["outcome"],
      registers: [],
      collect() {
        for (const { id, outcome } of attemptsSince(db, seen)) {
          this.inc({ outcome });
          seen = id;
        }
      },
    }),
  );
}
