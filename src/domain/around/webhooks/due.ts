import { type Db, type Tx, write } from "../../../../db/open.ts";
import { timestamp } from "../../core/events/announce.ts";
import type { EventType } from "../../core/events/types.ts";
import type { Seconds } from "../../core/time/time.ts";
import { signingSecrets } from "./endpoints.ts";
import { signedHeaders } from "../../core/signatures/signature.ts";

/** Attempts of a delivery after which later events overtake it. */
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

/** Deliveries in order by subscriber, at most `limit`, without `busy` ones. Those behind a retry are due with it. */
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

/** Nobody took it: no answer, or that of a gateway. Any other answer is about the event. */
export const isUnanswered = ({ status }: { readonly status?: number | undefined }): boolean =>
  status === undefined || status === 502 || status === 503 || status === 504;

/** One that nobody took when it was last tried, and is to be tried later. */
const unanswered = `d.state = 'waiting' AND d.next_at > ?2 AND d.attempts > 0
  AND (SELECT a.status IS NULL OR a.status IN (502, 503, 504) FROM webhook_attempts a
    WHERE a.delivery_id = d.id ORDER BY a.id DESC LIMIT 1)`;

/** Endpoints of which something waits, all of it for later. */
export function endpointsWaiting({ $client }: Pick<Db, "$client">, now: Seconds): number[] {
  return $client
    .query<{ id: number }, [Seconds]>(
      `SELECT w.id FROM webhook_endpoints w WHERE w.disabled_at IS NULL AND ifnull(w.slow_until, 0) <= ?1
         AND (SELECT d.next_at FROM webhook_deliveries d INDEXED BY webhook_deliveries_due
           WHERE d.endpoint_id = w.id AND d.state = 'waiting' ORDER BY d.next_at LIMIT 1) > ?1
       ORDER BY w.id`,
    )
    .all(now)
    .map(({ id }) => id);
}

/** The first of those that nobody took: to try it shows whether somebody is there again. */
export function firstUnanswered(
  db: Pick<Db, "$client">,
  { endpointId }: { endpointId: number },
  now: Seconds,
): DueDelivery | undefined {
  const first = db.$client
    .query<{ id: number }, [number, Seconds]>(
      `SELECT d.id FROM webhook_deliveries d INDEXED BY webhook_deliveries_due
       WHERE d.endpoint_id = ?1 AND ${unanswered} AND (${firstBefore}) IS NULL ORDER BY d.next_at, d.id LIMIT 1`,
    )
    .get(endpointId, now);
  return first ? readDue(db, first.id) : undefined;
}

/** Deliveries of one transaction. */
const BROUGHT = 200;

/**
 * For an endpoint that answers again: what nobody had taken is due at once, with what waits behind it; what was tried often keeps its pauses,
 * since it may be what brings the receiver down. Returns whether there may be more.
 */
export function bringUnanswered(db: Db, { endpointId }: { endpointId: number }, now: Seconds): boolean {
  const found = db.$client
    .query<{ id: number }, [number, Seconds]>(
      `SELECT d.id FROM webhook_deliveries d INDEXED BY webhook_deliveries_due
       WHERE d.endpoint_id = ?1 AND ${unanswered} AND d.attempts < ${OVERTAKEN} ORDER BY d.next_at, d.id LIMIT ${BROUGHT}`,
    )
    .all(endpointId, now);
  if (found.length > 0) write(db, (tx) => found.forEach(({ id }) => bringForward(tx, id, now)));
  return found.length === BROUGHT;
}

/** Makes a delivery due, and those of its subscriber that wait behind it. */
export function bringForward({ $client }: Tx, id: number, now: Seconds): void {
  $client
    .query<unknown, [Seconds, number]>(
      `UPDATE webhook_deliveries SET next_at = ?1 WHERE id IN (
         SELECT l.id FROM webhook_deliveries d JOIN webhook_deliveries l ON l.endpoint_id = d.endpoint_id
           AND (l.id = d.id OR (l.subscriber_id = d.subscriber_id AND l.event_id > d.event_id AND l.attempts = 0))
         WHERE d.id = ?2 AND l.state = 'waiting' AND l.next_at > ?1)`,
    )
    .run(now, id);
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
