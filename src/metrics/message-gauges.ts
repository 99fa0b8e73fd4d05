import { Gauge, type Registry } from "prom-client";
import type { Db } from "../../db/open.ts";
import { downChannels, waitingMessages } from "../domain/around/messages/figures.ts";

/** Messages to subscribers and staff: waiting per channel, uncertain deliveries, and channels that are down. */
export function messageGauges(registry: Registry, { db }: { db: Db }): void {
  const gauge = (name: string, help: string, rows: () => { channel: string; value: number }[]) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ["channel"],
        registers: [],
        collect() {
          this.reset();
          for (const { channel, value } of rows()) this.inc({ channel }, value); // names are of an ISP each
        },
      }),
    );
  gauge("gatehouse_messages_waiting", "Messages to people that wait to be sent, or to be sent again", () =>
    waitingMessages(db).map(({ channel, waiting: value }) => ({ channel, value })),
  );
  gauge(
    "gatehouse_channel_down",
    "1 while a channel sends nothing to anybody, and is tried by one message",
    () => downChannels(db).map(({ channel, down: value }) => ({ channel, value })),
  );
}
