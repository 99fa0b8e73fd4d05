import type { Db } from "../../db/open.ts";
import { createChannel } from "../../src/domain/around/messages/channels.ts";
import { createRule } from "../../src/domain/around/messages/rules.ts";
import { saveTemplate } from "../../src/domain/around/messages/templates.ts";
import type { Seconds } from "../../src/domain/core/time/time.ts";
import { createEndpoint } from "../../src/domain/around/webhooks/endpoints.ts";
import { by, DAY } from "./isp.ts";
import { mailChannel, webChannel } from "./messages.ts";

/** The first channel, rule and endpoint has nearly all rows, the last next to none. */
export const BUSY = 1;
export const QUIET = 3;

interface Many {
  /** Number of messages (of half a year), of events (of a month), and of the busy endpoint's deliveries. */
  readonly rows: number;
  readonly waitingDeliveries: number;
  readonly incoming: number;
  readonly subscribers: number;
  readonly now: Seconds;
}

/**
 * Writes the messages, events, deliveries and arrived payments of a large ISP: 97 of a hundred messages are sent, the newest
 * deliveries wait. Channels, rules, texts and endpoints 1 to 3 of ISP 1.
 */
export function fillManyMessages(db: Db, many: Many): void {
  const { now } = many;
  const begun = { now: now - 181 * DAY };
  createChannel(db, by, { ...webChannel, per_minute: 6000 }, begun);
  createChannel(db, by, mailChannel, begun);
  createChannel(db, by, { ...webChannel, name: "Group", address: "none", is_sms: 0 }, begun);
  const body = "{{isp}}: {{name}}, your line ends on {{date}}. Pay {{amount}}.";
  saveTemplate(db, by, { isp_id: 1, name: "ends", language: "en", subject: "Your line", body }, begun);
  for (const [channel_id, offset] of [
    [1, -3 * DAY],
    [2, 0],
    [3, DAY],
  ] as const)
    createRule(
      db,
      by,
      {
        isp_id: 1,
        name: `Ends ${channel_id}`,
        on: "expiry",
        offset,
        audience: "subscriber",
        channel_id,
        template: "ends",
        late_by: 7 * DAY,
      },
      begun,
    );
  for (const types of ["*", "payment.received", "backup.failed"])
    createEndpoint(db, by, { isp_id: 1, url: "https://hooks.example/in", types }, begun);
  db.$client.transaction(() => {
    addEvents(db, many);
    addDeliveries(db, many);
    addMessages(db, many);
    addIncoming(db, many);
  })();
}

const numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $rows)";

function addEvents({ $client }: Db, { rows, subscribers, now }: Many): void {
  const about = JSON.stringify({ seq: 1, subscriber: { username: "user", package: "x".repeat(250) } });
  $client
    .query(
      `${numbers} INSERT INTO events (uid, type, isp_id, subscriber_id, seq, at, written_at, data)
       SELECT 'evt_' || lower(hex(randomblob(16))), 'payment.received', 1, 1 + i % $subscribers, 1 + i / $subscribers,
         CAST($from + i * ${29.9 * DAY} / $rows AS INTEGER), CAST($from + i * ${29.9 * DAY} / $rows AS INTEGER), $about FROM n`,
    )
    .run({ rows, subscribers, about, from: now - 29.9 * DAY });
  $client.run("INSERT INTO event_counts SELECT subscriber_id, max(seq) FROM events GROUP BY subscriber_id");
  $client.run(
    "INSERT OR REPLACE INTO marks SELECT name, (SELECT max(id) FROM events) FROM (SELECT 'webhooks' AS name UNION SELECT 'messages')",
  );
}

/** The quiet endpoint has ten old ones; of the busy one's a hundredth failed and the newest wait. */
function addDeliveries({ $client }: Db, { rows, waitingDeliveries, now }: Many): void {
  $client
    .query(
      `INSERT INTO webhook_deliveries (endpoint_id, event_id, subscriber_id, state, attempts, next_at, ended_at)
       SELECT ${BUSY}, id, subscriber_id, iif(id > $rows - $waiting, 'waiting', iif(id % 100 = 0, 'failed', 'delivered')), id <= $rows - $waiting,
         iif(id > $rows - $waiting, $now, at), iif(id > $rows - $waiting, NULL, at) FROM events`,
    )
    .run({ rows, waiting: waitingDeliveries, now });
  $client.run(
    `INSERT INTO webhook_deliveries (endpoint_id, event_id, subscriber_id, state, attempts, next_at, ended_at)
     SELECT ${QUIET}, id, subscriber_id, 'delivered', 1, at, at FROM events ORDER BY id LIMIT 10`,
  );
  $client.run(
    "INSERT INTO webhook_attempts (delivery_id, at, milliseconds, status, answer) SELECT id, next_at, 40, 200, 'ok' FROM webhook_deliveries WHERE state <> 'waiting'",
  );
}

function addMessages({ $client }: Db, { rows, subscribers, now }: Many): void {
  $client
    .query(
      `${numbers} INSERT INTO messages (uid, isp_id, rule_id, channel_id, subscriber_id, period, state, attempts, due_at, next_at, created_at,
         ended_at, template, address, language, subject, body_sealed)
       SELECT 'msg_' || lower(hex(randomblob(16))), 1, which, which, 1 + i % $subscribers, 'expiry ' || i, state, 1, at, at, at, at, 'ends',
         '+44 7700 900000', 'en', '', randomblob(120)
       FROM (SELECT i, CAST($from + i * ${180.0 * DAY} / $rows AS INTEGER) AS at,
           iif(i % 100000 = 7, ${QUIET}, iif(i % 10 = 0, 2, ${BUSY})) AS which,
           iif(i % 100 = 1, 'failed', iif(i % 100 = 2, 'skipped', iif(i % 100 = 3, 'cancelled', 'sent'))) AS state FROM n)`,
    )
    .run({ rows, subscribers, from: now - 180 * DAY });
}

/** A year of them: nine of ten by one provider, ten by a bank; one of a thousand is unmatched; bodies are kept for 90 days. */
function addIncoming({ $client }: Db, { incoming, subscribers, now }: Many): void {
  $client
    .query(
      `${numbers} INSERT INTO incoming_payments (isp_id, provider, external_id, state, amount, currency, subscriber_id, body_hash, raw_sealed, raw_until,
         received_at, ended_at)
       SELECT 1, iif(i < 10, 'Bank', iif(i % 10 = 0, 'Stripe', 'M-Pesa')), 'X' || i, iif(i % 1000 = 0, 'unmatched', 'booked'), 1500, 'USD',
         1 + i % $subscribers, randomblob(32), iif(at > $now - ${90 * DAY}, randomblob(900), NULL),
         iif(at > $now - ${90 * DAY}, at + ${90 * DAY}, NULL), at, iif(i % 1000 = 0, NULL, at)
       FROM (SELECT i, CAST($now - ${365 * DAY} + i * ${365.0 * DAY} / $rows AS INTEGER) AS at FROM n)`,
    )
    .run({ rows: incoming, subscribers, now });
}
