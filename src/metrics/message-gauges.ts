import { Gauge, type Registry } from "prom-client";
import type { Db } from "../../db/open.ts";

/** Of messages to people: what waits in each channel, what may have left twice or never, and which channels are down. */
export function messageGauges(registry: Registry, { db }: { db: Db }): void {
  const { $client } = db;
  const waiting = $client.query<{ channel: string; waiting: number }, []>(
    `SELECT c.name AS channel, (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.state = 'waiting') AS waiting
     FROM channels c`,
  );
  const down = $client.query<{ channel: string; down: number }, []>(
    "SELECT name AS channel, down_since IS NOT NULL AS down FROM channels WHERE disabled_at IS NULL",
  );
  const gauge = (name: string, help: string, rows: () => { channel: string; value: number }[]) =>
    registry.registerMetric(
      new Gauge({
        ...{ name, help, labelNames: ["channel"], registers: [] },
        collect() {
          this.reset();
          for (const { channel, value } of rows()) this.inc({ channel }, value); // names are of an ISP each
        },
      }),
    );
  gauge("gatehouse_messages_waiting", "Messages to people that wait to be sent, or to be sent again", () =>
    waiting.all().map(({ channel, waiting: value }) => ({ channel, value })),
  );
  gauge(
    "gatehouse_channel_down",
    "1 while a channel sends nothing to anybody, and is tried by one message",
    () => down.all().map(({ channel, down: value }) => ({ channel, value })),
  );
}
