import { type Db, write } from "../../../../db/open.ts";
import { timestamp } from "../../core/events/announce.ts";
import type { EventType } from "../../core/events/types.ts";
import type { Seconds } from "../../core/time/time.ts";
import { signingSecrets } from "./endpoints.ts";
import { signedHeaders } from "../../core/signatures/signature.ts";

/** Then later events overtake. */
const OVERTAKEN = 5;
/** Deliveries scanned. */
const WINDOW = 500;

export interface DueDelivery {
  readonly id: number;
  readonly endpointId: number;
  readonly subscriberId: number | null;
  readonly url: string;
  readonly allowLocal: number;
  readonly uid: string;
  readonly type: EventType;
  readonly at: Seconds;
  readonly data: string;
}

export function endpointsDue({ $client }: Pick<Db, "$client">, now: Seconds): number[] {
  return $client
    .query<{ id: number }, [Seconds]>(
      `SELECT w.id FROM webhook_endpoints w WHERE w.disabled_at IS NULL AND ifnull(w.slow_until, 0) <= ?1
         AND EXISTS (SELECT 1 FROM webhook_deliveries d INDEXED BY webhook_deliveries_due
           WHERE d.endpoint_id = w.id AND d.state = 'waiting' AND d.next_at <= ?1)
       ORDER BY w.id`,
    )
    .all(now)
    .map(({ id }) => id);
}

/** An earlier one of its subscriber; manual repeats do not count. */
const firstBefore = `SELECT b.id FROM webhook_deliveries b INDEXED BY webhook_deliveries_order
  WHERE d.ended_at IS NULL AND b.endpoint_id = d.endpoint_id AND b.subscriber_id = d.subscriber_id
    AND b.event_id < d.event_id AND b.state = 'waiting' AND b.attempts < ${OVERTAKEN} AND b.ended_at IS NULL
  ORDER BY b.event_id LIMIT 1`;

interface Waiting {
  readonly id: number;
  readonly subscriberId: number | null;
  /** The one that it waits for. */
  readonly behind: number | null;
  /** When that is tried next. */
  readonly behindUntil: Seconds | null;
}

/** In order by subscriber, at most `limit`, without `busy` ones. Those behind a retry are due with it. */
export function dueDeliveries(
  db: Db,
  {
    endpointId,
    limit,
    busy,
  }: {
    endpointId: number;
    limit: number;
    busy: { ids: ReadonlySet<number>; subscribers: ReadonlySet<number> };
  },
  now: Seconds,
): DueDelivery[] {
  const window = db.$client
    .query<Waiting, [number, Seconds]>(
      `SELECT due.id, due.subscriber_id AS subscriberId, due.behind, b.next_at AS behindUntil
       FROM (SELECT d.id, d.subscriber_id, d.next_at, (${firstBefore}) AS behind
             FROM webhook_deliveries d INDEXED BY webhook_deliveries_due
             WHERE d.endpoint_id = ? AND d.state = 'waiting' AND d.next_at <= ?
             ORDER BY d.next_at, d.id LIMIT ${WINDOW}) due
         LEFT JOIN webhook_deliveries b ON b.id = due.behind
       ORDER BY due.next_at, due.id`,
    )
    .all(endpointId, now);
  postpone(
    db,
    window.filter(({ behindUntil }) => behindUntil !== null && behindUntil > now),
  );
  const taken = new Set(busy.subscribers);
  const due: DueDelivery[] = [];
  for (const { id, subscriberId, behind } of window) {
    if (due.length >= limit) break;
    if (behind !== null || busy.ids.has(id) || (subscriberId !== null && taken.has(subscriberId))) continue;
    if (subscriberId !== null) taken.add(subscriberId);
    due.push(readDue(db, id));
  }
  return due;
}

function postpone(db: Db, held: readonly Waiting[]): void {
  if (held.length === 0) return;
  write(db, ({ $client }) => {
    const later = $client.query<unknown, [Seconds | null, number]>(
      "UPDATE webhook_deliveries SET next_at = ? WHERE id = ?",
    );
    for (const { id, behindUntil } of held) later.run(behindUntil, id);
  });
}

function readDue({ $client }: Pick<Db, "$client">, id: number): DueDelivery {
  const due = $client
    .query<DueDelivery, [number]>(
      `SELECT d.id, d.endpoint_id AS endpointId, d.subscriber_id AS subscriberId, w.url, w.allow_local AS allowLocal,
         e.uid, e.type, e.at, e.data
       FROM webhook_deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id JOIN events e ON e.id = d.event_id
       WHERE d.id = ?`,
    )
    .get(id);
  if (!due) throw new Error(`the delivery ${id} that was due is not there`);
  return due;
}

/** The body and the headers of an attempt that is made now. */
export function signedAttempt(
  db: Db,
  { endpointId, uid, type, at, data }: DueDelivery,
  now: Seconds,
): { body: string; headers: Record<string, string> } {
  const body = `{"type":${JSON.stringify(type)},"timestamp":"${timestamp(at)}","data":${data}}`;
  const headers = signedHeaders(signingSecrets(db, endpointId, now), { uid, at: now, body });
  return { body, headers: { "Content-Type": "application/json", "User-Agent": "Gatehouse", ...headers } };
}
