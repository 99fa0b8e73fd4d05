import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type ReadSubscriber, subscriberIn } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { MessageState } from "../../around/messages/outbox.ts";

export interface MessageTo {
  readonly id: number;
  readonly at: Seconds;
  readonly state: MessageState;
  readonly rule: string | null;
  readonly template: string;
  readonly subject: string | null;
  readonly channel: string;
  readonly reason: string | null;
  readonly nextAt: Seconds;
}

/** The time of a message: its end, else its writing. */
const at = "ifnull(m.ended_at, m.created_at)";
const selectTo = `SELECT m.id, ${at} AS at, m.state, r.name AS rule, m.template, m.subject, c.name AS channel, m.reason,
    m.next_at AS nextAt
  FROM messages m INDEXED BY messages_about JOIN channels c ON c.id = m.channel_id LEFT JOIN message_rules r ON r.id = m.rule_id
  WHERE m.subscriber_id = ?`;

export function messagesTo(
  db: Db,
  by: Actor,
  { subscriber, limit }: { subscriber: number | ReadSubscriber; limit: number },
): MessageTo[] {
  permit(by, "messagesTo");
  const { id } = subscriberIn(db, by.scope, subscriber);
  return db.$client
    .query<MessageTo, [number, number]>(`${selectTo} ORDER BY m.id DESC LIMIT ? + 0`)
    .all(id, limit);
}

export function messagesUntil(
  { $client }: Pick<Db, "$client">,
  { subscriberId, until, count }: { subscriberId: number; until: Seconds; count: number },
): MessageTo[] {
  return $client
    .query<MessageTo, [number, Seconds, number]>(
      `${selectTo} AND ${at} <= ? ORDER BY ${at} DESC, m.id DESC LIMIT ? + 0`,
    )
    .all(subscriberId, until, count);
}
