import type { Db } from "../../../../db/open.ts";

export function unplannedEvents({ $client }: Db): number {
  const row = $client
    .query<{ events: number }, []>(
      `SELECT count(*) AS events FROM events
       WHERE id > ifnull((SELECT value FROM marks WHERE name = 'webhooks'), 0)`,
    )
    .get();
  return row?.events ?? 0;
}

export function waitingDeliveries({ $client }: Db): readonly { id: number; waiting: number }[] {
  return $client
    .query<{ id: number; waiting: number }, []>(
      `SELECT w.id, (SELECT count(*) FROM webhook_deliveries d INDEXED BY webhook_deliveries_due
         WHERE d.endpoint_id = w.id AND d.state = 'waiting') AS waiting FROM webhook_endpoints w`,
    )
    .all();
}

export function webhooksOff({ $client }: Db): number {
  const row = $client
    .query<{ off: number }, []>("SELECT count(*) AS off FROM webhook_endpoints WHERE disabled_at IS NOT NULL")
    .get();
  return row?.off ?? 0;
}

export function newestAttempt({ $client }: Db): number {
  const row = $client
    .query<{ id: number }, []>("SELECT ifnull(max(id), 0) AS id FROM webhook_attempts")
    .get();
  return row?.id ?? 0;
}

export function attemptsSince({ $client }: Db, id: number): Iterable<{ id: number; outcome: string }> {
  return $client
    .query<{ id: number; outcome: string }, [number]>(
      `SELECT id, CASE WHEN status BETWEEN 200 AND 299 THEN 'delivered' WHEN status IS NULL THEN 'no answer' ELSE 'refused' END AS outcome
       FROM webhook_attempts WHERE id > ? ORDER BY id`,
    )
    .iterate(id);
}
