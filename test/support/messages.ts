import { lateWords } from "../../src/domain/around/messages/planned.ts";
import type { Db } from "../../db/open.ts";
import { createChannel } from "../../src/domain/around/messages/channels.ts";
import { createRule } from "../../src/domain/around/messages/rules.ts";
import { saveTemplate } from "../../src/domain/around/messages/templates.ts";
import { by } from "./isp.ts";

export const webChannel = {
  isp_id: 1,
  name: "Gateway",
  kind: "http",
  address: "mobile",
  is_sms: 1,
  method: "POST",
  url: "https://gateway.example/send",
  body_kind: "json",
  body: '{"to": "{{digits}}", "text": "{{body}}", "id": "{{id}}"}',
};

export const mailChannel = {
  isp_id: 1,
  name: "Mail",
  kind: "smtp",
  address: "email",
  host: "mail.example",
  from: "Northlink <office@isp.example>",
};

/**
 * Channel 1, text 1, a rule on payments, and a waiting message of subscriber 1, of ISP 1; channel 2 and text 2 are unused.
 * Subscriber 1 has an e-mail address.
 */
export function addMessages(db: Db, now: number): void {
  createChannel(db, by, webChannel, { now });
  saveTemplate(db, by, { isp_id: 1, name: "thanks", language: "en", body: "Thank you, {{name}}" }, { now });
  createRule(
    db,
    by,
    {
      isp_id: 1,
      name: "Receipts",
      on: "event",
      event_type: "payment.received",
      audience: "subscriber",
      channel_id: 1,
      template: "thanks",
    },
    { now },
  );
  insertMessage(db, now);
  db.$client.run("UPDATE subscribers SET email = 'one@x.example' WHERE id = 1");
  // which nothing has
  createChannel(db, by, mailChannel, { now });
  saveTemplate(db, by, { isp_id: 1, name: "unused", language: "en", body: "{{isp}}" }, { now });
}

/** A waiting message of subscriber 1, or one that ended now in another state. */
export function insertMessage({ $client }: Db, now: number, state = "waiting"): number {
  const ended = state === "waiting" || state === "sending" ? null : now;
  const reason = state === "skipped" ? lateWords(now - 86_400).toString() : null;
  return Number(
    $client
      .query(
        `INSERT INTO messages (uid, isp_id, rule_id, channel_id, subscriber_id, period, state, due_at, next_at, created_at, ended_at, reason, template)
         VALUES ('msg_' || hex(randomblob(8)), 1, 1, 1, 1, hex(randomblob(8)), ?, ?, ?, ?, ?, ?, 'thanks')`,
      )
      .run(state, now, now, now, ended, reason).lastInsertRowid,
  );
}
