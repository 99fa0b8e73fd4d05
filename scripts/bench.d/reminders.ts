import { Database } from "bun:sqlite";
import { join } from "node:path";
import { openWriter } from "../../db/open.ts";
import { createChannel } from "../../src/domain/around/messages/channels.ts";
import { createRule } from "../../src/domain/around/messages/rules.ts";
import { saveTemplate } from "../../src/domain/around/messages/templates.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { by, DAY } from "../../test/support/isp.ts";
import { webChannel } from "../../test/support/messages.ts";
import type { ApiPlan } from "./api.ts";
import { startGatehouse } from "./gatehouse.ts";

const SUBSCRIBERS = 50_000;
/** The fastest that a channel may be. */
const PER_MINUTE = 6000;
/** Logins a second meanwhile. */
const LOGINS = 1000;

/** What logins notice while everybody is reminded, by a gateway that answers at once. */
export interface ReminderFigures {
  readonly subscribers: number;
  /** p50 and p99 of logins in milliseconds: while nothing is sent, while it is planned, and while it is sent. */
  readonly quiet: readonly [number, number];
  readonly planning: readonly [number, number];
  readonly sending: readonly [number, number];
  /** Logins without an answer in all of it. */
  readonly lost: number;
  /** Messages a second that the gateway got, and how many it got twice. */
  readonly rate: number;
  readonly twice: number;
}

/** All end on one day, three days from now, and are told so, beside logins. */
export async function measureReminders(
  { templates, load, seconds }: Pick<ApiPlan, "templates" | "load" | "seconds">,
  log: (line: string) => void,
): Promise<ReminderFigures> {
  log(`reminders of ${SUBSCRIBERS} subscribers beside ${LOGINS} logins a second`);
  const got = new Map<string, number>();
  const gateway = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { id }: { id: string } = JSON.parse(await request.text());
      got.set(id, (got.get(id) ?? 0) + 1);
      return new Response("ok");
    },
  });
  const now = Math.floor(Date.now() / 1000);
  const ends = { current_expiration_date: formatTime(now + 3 * DAY + 15) };
  const url = `http://127.0.0.1:${gateway.port}/send`;
  const product = await startGatehouse(SUBSCRIBERS, (folder) => remind(folder, { url, now }), ends);
  try {
    const logins = (duration: number) =>
      load({
        port: product.port,
        templates,
        seconds: duration,
        warmup: 0.3,
        drive: { rate: LOGINS },
        first: 0,
      });
    const quiet = await logins(seconds);
    await Bun.sleep(Math.max(0, (now + 14) * 1000 - Date.now()));
    const planning = await logins(12);
    await untilPlanned(product.folder);
    const before = got.size;
    const began = performance.now();
    const sending = await logins(3 * seconds);
    const rate = (got.size - before) / ((performance.now() - began) / 1000);
    const both = ({ p50, p99 }: { p50: number; p99: number }) => [p50 / 1000, p99 / 1000] as const;
    return {
      subscribers: SUBSCRIBERS,
      rate,
      lost: quiet.lost + planning.lost + sending.lost,
      quiet: both(quiet),
      planning: both(planning),
      sending: both(sending),
      twice: [...got.values()].filter((times) => times > 1).length,
    };
  } finally {
    await product.stop();
    await gateway.stop(true);
  }
}

async function untilPlanned(folder: string): Promise<void> {
  const client = new Database(join(folder, "gatehouse.db"), { readonly: true });
  const planned = client.query<{ planned: number }, []>("SELECT count(*) AS planned FROM messages");
  while ((planned.get()?.planned ?? 0) < SUBSCRIBERS) await Bun.sleep(200);
  client.close();
}

/** A rule that speaks three days before, by a gateway. */
function remind(folder: string, { url, now }: { url: string; now: number }): void {
  const db = openWriter(folder, { busyTimeout: 5000 });
  const channel = { ...webChannel, url, allow_local: 1, per_minute: PER_MINUTE, address: "none", is_sms: 0 };
  createChannel(db, by, channel, { now });
  saveTemplate(db, by, { isp_id: 1, name: "ends", language: "en", body: "{{name}}: {{date}}" }, { now });
  createRule(
    db,
    by,
    {
      isp_id: 1,
      name: "Soon",
      on: "expiry",
      offset: -3 * DAY,
      audience: "subscriber",
      channel_id: 1,
      template: "ends",
      late_by: DAY,
    },
    { now },
  );
  db.$client.close();
}
