import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { listIspIds } from "./isps.ts";
import type { MessageState } from "./outbox.ts";

/** The count at which counting stops. */
export const MOST_COUNTED = 10_000;
/** Newest failures scanned. */
const LOOKED_AT = 2000;
const LATELY = 7 * 86_400;

/** A channel that is enabled but failing, or disabled with waiting messages. */
export interface StuckChannel {
  readonly id: number;
  readonly name: string;
  readonly disabledAt: Seconds | null;
  readonly downSince: Seconds | null;
  readonly downReason: string | null;
  readonly tryAt: Seconds | null;
  readonly waiting: number;
}

export interface OutboxState {
  readonly waiting: number;
  readonly sending: number;
  /** Of the last seven days, among the newest 2,000. */
  readonly failed: number;
  readonly perhaps: number;
  readonly hasAny: boolean;
  /** Down, or off with waiting messages. */
  readonly stuck: readonly StuckChannel[];
}

export function outboxState(db: Db, by: Actor, { now }: { now: Seconds }): OutboxState {
  permit(by, "outboxState");
  requireWholeIsp(by, "messages");
  const isps = listIspIds(db, by.scope);
  const sum = (count: (ispId: number) => number) => isps.reduce((total, ispId) => total + count(ispId), 0);
  return {
    waiting: sum((ispId) => countMessages(db, ispId, "waiting")),
    sending: sum((ispId) => countMessages(db, ispId, "sending")),
    failed: sum((ispId) => lately(db, { ispId, state: "failed" }, now)),
    perhaps: sum((ispId) => lately(db, { ispId, state: "perhaps" }, now)),
    hasAny: isps.some((ispId) => hasAny(db, ispId)),
    stuck: stuckChannels(db, by.scope),
  };
}

function countMessages({ $client }: Pick<Db, "$client">, ispId: number, state: MessageState): number {
  const row = $client
    .query<{ count: number }, [number, string]>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM messages INDEXED BY messages_state
         WHERE isp_id = ? AND state = ? LIMIT ${MOST_COUNTED})`,
    )
    .get(ispId, state);
  return row?.count ?? 0;
}

function lately(
  { $client }: Pick<Db, "$client">,
  { ispId, state }: { ispId: number; state: MessageState },
  now: Seconds,
): number {
  const row = $client
    .query<{ count: number }, [number, string, Seconds]>(
      `SELECT count(*) AS count FROM (SELECT ended_at AS endedAt FROM messages INDEXED BY messages_state
         WHERE isp_id = ? AND state = ? ORDER BY id DESC LIMIT ${LOOKED_AT}) WHERE endedAt > ?`,
    )
    .get(ispId, state, now - LATELY);
  return row?.count ?? 0;
}

function hasAny({ $client }: Pick<Db, "$client">, ispId: number): boolean {
  return $client.query("SELECT 1 FROM messages WHERE isp_id = ? LIMIT 1").get(ispId) !== null;
}

function stuckChannels({ $client }: Pick<Db, "$client">, { ispId }: Scope): StuckChannel[] {
  const { text, values } = all(
    ispId === null ? undefined : { text: "(c.isp_id = ? OR c.isp_id IS NULL)", values: [ispId] },
    { text: "(c.down_since IS NOT NULL OR c.disabled_at IS NOT NULL)", values: [] },
  );
  const found = $client
    .query<Omit<StuckChannel, "waiting">, Value[]>(
      `SELECT c.id, c.name, c.disabled_at AS disabledAt, c.down_since AS downSince, c.down_reason AS downReason, c.try_at AS tryAt
       FROM channels c WHERE ${text} ORDER BY c.id`,
    )
    .all(...values);
  const { text: waits, values: whose } = all(
    { text: "m.channel_id = ? AND m.state = 'waiting'", values: [] },
    equal("m.isp_id", ispId),
  );
  const waiting = $client.query<{ count: number }, Value[]>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM messages m INDEXED BY messages_due WHERE ${waits} LIMIT ${MOST_COUNTED})`,
  );
  return found
    .map((channel) => Object.assign(channel, { waiting: waiting.get(channel.id, ...whose)?.count ?? 0 }))
    .filter((channel) => channel.waiting > 0 || channel.disabledAt === null);
}
