import { Counter, Gauge, type Registry } from "prom-client";
import type { Db } from "../../db/open.ts";

/** Of what is told to others: what waits, and what came of calls since the start. */
export function webhookGauges(registry: Registry, { db }: { db: Db }): void {
  const { $client } = db;
  const unplanned = $client.query<{ events: number }, []>(
    `SELECT count(*) AS events FROM events
     WHERE id > ifnull((SELECT value FROM marks WHERE name = 'webhooks'), 0)`,
  );
  const waiting = $client.query<{ id: number; waiting: number }, []>(
    `SELECT w.id, (SELECT count(*) FROM webhook_deliveries d INDEXED BY webhook_deliveries_due
       WHERE d.endpoint_id = w.id AND d.state = 'waiting') AS waiting FROM webhook_endpoints w`,
  );
  const off = $client.query<{ off: number }, []>(
    "SELECT count(*) AS off FROM webhook_endpoints WHERE disabled_at IS NOT NULL",
  );
  const newest = $client.query<{ id: number }, []>("SELECT ifnull(max(id), 0) AS id FROM webhook_attempts");
  const since = $client.query<{ id: number; outcome: string }, [number]>(
    `SELECT id, CASE WHEN status BETWEEN 200 AND 299 THEN 'delivered' WHEN status IS NULL THEN 'no answer' ELSE 'refused' END AS outcome
     FROM webhook_attempts WHERE id > ? ORDER BY id`,
  );

  registry.registerMetric(
    new Gauge({
      name: "gatehouse_events_waiting",
      help: "Events that no webhook was given yet",
      registers: [],
      collect() {
        this.set(unplanned.get()?.events ?? 0);
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
        for (const row of waiting.all()) this.set({ webhook: row.id }, row.waiting);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: "gatehouse_webhooks_off",
      help: "Webhooks that are switched off, by staff or because they answered 410",
      registers: [],
      collect() {
        this.set(off.get()?.off ?? 0);
      },
    }),
  );
  let seen = newest.get()?.id ?? 0;
  registry.registerMetric(
    new Counter({
      name: "gatehouse_webhook_attempts_total",
      help: "Calls of webhooks since the start, by what came of them",
      labelNames: ["outcome"],
      registers: [],
      collect() {
        for (const { id, outcome } of since.iterate(seen)) {
          this.inc({ outcome });
          seen = id;
        }
      },
    }),
  );
}
