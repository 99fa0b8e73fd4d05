import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import { randomBytes } from "node:crypto";
import type { Tx } from "../../../../db/open.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import type { Recipient } from "./people.ts";
import { afterQuiet } from "./quiet.ts";
import type { Rule } from "./rules.ts";

export interface Occasion {
  readonly eventId: number | null;
  /** Unique for a rule and person. */
  readonly period: string;
  readonly dueAt: Seconds;
}

/** The time at which a message is too late to be sent; the rule's quiet hours do not count. */
export function deadline(rule: Pick<Rule, "quietFrom" | "quietTo" | "lateBy">, dueAt: Seconds): Seconds {
  return afterQuiet(rule, dueAt) + rule.lateBy;
}

/** Why a late message is not sent. */
export function lateWords(dueAt: Seconds): Phrase {
  return phrase`it was due at ${formatTime(dueAt)}, and late by more than its rule allows`;
}

/** Puts a message into the outbox, skipped where it is too late. False: it is there already. */
export function planMessage(
  { $client }: Tx,
  rule: Rule,
  { eventId, period, dueAt }: Occasion,
  { subscriberId, staffId, aboutId }: Recipient,
  now: Seconds,
): boolean {
  // no index covers NULL subscribers
  if (staffId !== null && aboutId === null && isKnown($client, rule.id, staffId, period)) return false;
  const isLate = now > deadline(rule, dueAt);
  const { changes } = $client
    .query<unknown, (string | number | null)[]>(
      `INSERT OR IGNORE INTO messages (uid, isp_id, rule_id, event_id, channel_id, subscriber_id, staff_id, about_id, period,
         state, due_at, next_at, created_at, ended_at, template, reason)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      `msg_${randomBytes(16).toString("hex")}`,
      ...[rule.ispId, rule.id, eventId, rule.channelId, subscriberId, staffId, aboutId, period],
      isLate ? "skipped" : "waiting",
      ...[dueAt, afterQuiet(rule, Math.max(dueAt, now)), now, isLate ? now : null, rule.template],
      isLate ? lateWords(dueAt).toString() : null,
    );
  return changes > 0;
}

function isKnown($client: Tx["$client"], ruleId: number, staffId: number, period: string): boolean {
  return (
    $client
      .query(
        "SELECT 1 FROM messages WHERE rule_id = ? AND staff_id = ? AND about_id IS NULL AND period = ? AND staff_id IS NOT NULL",
      )
      .get(ruleId, staffId, period) !== null
  );
}
