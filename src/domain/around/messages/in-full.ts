import type { Db } from "../../../../db/open.ts";
import type { EventType } from "../../core/events/types.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Message, messageById } from "./outbox.ts";
import { type AsItIs, asItIs } from "./sending.ts";
import type { Calls } from "./values.ts";

/** The event or moment of a rule. */
export type MessageCause =
  | { readonly kind: "event"; readonly type: EventType; readonly at: Seconds; readonly data: unknown }
  | { readonly kind: "expiry"; readonly at: Seconds }
  | { readonly kind: "invoice"; readonly id: number; readonly number: string | null; readonly at: Seconds };

export interface MessageChannel {
  readonly disabledAt: Seconds | null;
  readonly downSince: Seconds | null;
  readonly downReason: string | null;
  readonly tryAt: Seconds | null;
}

export interface MessageInFull {
  readonly message: Message;
  readonly body: string | null;
  /** As it would be now; undefined where sealed. */
  readonly asItIs: AsItIs | undefined;
  /** undefined: no rule, or deleted. */
  readonly cause: MessageCause | undefined;
  readonly channel: MessageChannel;
}

/** Throws `not_found`. */
export function messageInFull(
  db: Db,
  by: Actor,
  { id, opens }: { id: number; /** Whether what is sealed is opened. */ opens: boolean },
  { now, brand }: { now: Seconds; brand?: Calls },
): MessageInFull {
  permit(by, "messageInFull");
  requireWholeIsp(by, "messages");
  const { message, body } = messageById(db, by, { id, opens });
  const wasSent = message.language !== null;
  return {
    message,
    body,
    cause: findCause(db, id),
    channel: findChannel(db, message),
    asItIs: wasSent || !opens ? undefined : asItIs(db, { id, brand }, now),
  };
}

interface Row {
  readonly period: string;
  readonly type: EventType | null;
  readonly at: Seconds;
  readonly data: string | null;
}

function findCause({ $client }: Db, id: number): MessageCause | undefined {
  const row = $client
    .query<Row, [number]>(
      `SELECT m.period, e.type, ifnull(e.at, m.due_at) AS at, e.data FROM messages m LEFT JOIN events e ON e.id = m.event_id
       WHERE m.id = ?`,
    )
    .get(id);
  if (!row) return undefined;
  if (row.type !== null && row.data !== null) {
    const data: unknown = JSON.parse(row.data);
    return { kind: "event", type: row.type, at: row.at, data };
  }
  const [, end] = /^expiry (\d+)$/.exec(row.period) ?? [];
  if (end !== undefined) return { kind: "expiry", at: Number(end) };
  const [, invoiceId, due] = /^invoice (\d+) (\d+)$/.exec(row.period) ?? [];
  if (invoiceId === undefined) return undefined;
  const invoice = $client
    .query<{ number: string | null }, [number]>("SELECT number FROM invoices WHERE id = ?")
    .get(Number(invoiceId));
  return { kind: "invoice", id: Number(invoiceId), number: invoice?.number ?? null, at: Number(due) };
}

function findChannel({ $client }: Db, { channelId }: Message): MessageChannel {
  const row = $client
    .query<MessageChannel, [number]>(
      `SELECT disabled_at AS disabledAt, down_since AS downSince, down_reason AS downReason, try_at AS tryAt
       FROM channels WHERE id = ?`,
    )
    .get(channelId);
  if (!row) throw new Error(`there is no channel ${channelId}`);
  return row;
}
