import { all, equal, type Value } from "../../../db/condition.ts";
import { insert } from "../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../db/open.ts";
import { type deliveryStates, webhookAttempts, webhookDeliveries } from "../../../db/schema.ts";
import { update } from "../../../db/update.ts";
import { audit } from "../audit.ts";
import { DomainError } from "../errors.ts";
import { announceOther, timestamp } from "../events/announce.ts";
import type { EventType } from "../events/types.ts";
import { type Actor, requireWholeIsp, type Scope } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { disableEndpoint, endpointOfId, signingSecrets } from "./endpoints.ts";
import { signedHeaders } from "./signature.ts";

const MINUTE = 60;
const HOUR = 3600;
/** Seconds after each attempt that failed until the next, of the Standard Webhooks; after the last the delivery has failed. */
export const PAUSES = [
  ...[5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
] as const;
/** Attempts after which later events of the same subscriber no longer wait for one. */
export const OVERTAKEN = 5;
/** A pause is longer by up to this share, so that what failed together does not come again together. */
const JITTER = 0.2;
/** Seconds that an endpoint is left alone that says it has too much to do. */
const SLOW = MINUTE;
/** The longest that a receiver may ask us to wait. */
const LONGEST_WAIT = 24 * HOUR;
/** Characters of an answer that are kept. */
const ANSWER_KEPT = 1000;

export type DeliveryState = (typeof deliveryStates)[number];

/** One that is due, with what its next attempt needs. */
export interface DueDelivery {
  readonly id: number;
  readonly endpointId: number;
  readonly subscriberId: number | null;
  readonly attempts: number;
  readonly url: string;
  readonly allowLocal: number;
  readonly uid: string;
  readonly type: EventType;
  readonly at: Seconds;
  readonly data: string;
}

/** The endpoints that have something to send now. */
export function endpointsDue({ $client }: Pick<Db, "$client">, now: Seconds): number[] {
  return $client
    .query<{ id: number }, [Seconds]>(
      `SELECT w.id FROM webhook_endpoints w WHERE w.disabled_at IS NULL AND ifnull(w.slow_until, 0) <= ?1
         AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.state = 'waiting' AND d.next_at <= ?1)
       ORDER BY w.id`,
    )
    .all(now)
    .map(({ id }) => id);
}

/** What is due at an endpoint, in the order of the events of each subscriber; at most `limit`. */
export function dueDeliveries(
  { $client }: Pick<Db, "$client">,
  { endpointId, limit }: { endpointId: number; limit: number },
  now: Seconds,
): DueDelivery[] {
  return $client
    .query<DueDelivery, [number, Seconds, number]>(
      `SELECT d.id, d.endpoint_id AS endpointId, d.subscriber_id AS subscriberId, d.attempts, w.url,
         w.allow_local AS allowLocal, e.uid, e.type, e.at, e.data
       FROM webhook_deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id JOIN events e ON e.id = d.event_id
       WHERE d.endpoint_id = ? AND d.state = 'waiting' AND d.next_at <= ?
         AND w.disabled_at IS NULL AND ifnull(w.slow_until, 0) <= ?2
         AND NOT EXISTS (
           SELECT 1 FROM webhook_deliveries b WHERE b.endpoint_id = d.endpoint_id AND b.subscriber_id = d.subscriber_id
             AND b.event_id < d.event_id AND b.state = 'waiting' AND b.attempts < ${OVERTAKEN})
       ORDER BY d.next_at, d.event_id LIMIT ? + 0`,
    )
    .all(endpointId, now, limit);
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

/** What came of an attempt: an answer, or none, for a reason. */
export interface Came {
  readonly milliseconds: number;
  readonly status?: number | undefined;
  readonly answer?: string | undefined;
  readonly error?: string | undefined;
  /** Seconds that the receiver asks us to wait. */
  readonly retryAfter?: number | undefined;
}

/**
 * Writes what came of an attempt, and when the next is. 2xx is delivered; 410 ends the endpoint; 429, 502 and 504 leave it alone for a while.
 * `random` is between 0 and 1.
 */
export function bookAttempt(
  db: Db,
  { id, endpointId, attempts }: Pick<DueDelivery, "id" | "endpointId" | "attempts">,
  came: Came,
  { now, random }: { now: Seconds; random: number },
): void {
  write(db, (tx) => {
    // one that was deleted meanwhile has no attempts
    if (!tx.$client.query("SELECT 1 FROM webhook_deliveries WHERE id = ?").get(id)) return;
    insert(tx, webhookAttempts, {
      deliveryId: id,
      at: now,
      milliseconds: came.milliseconds,
      status: came.status ?? null,
      error: came.error ?? null,
      answer: came.answer?.slice(0, ANSWER_KEPT) ?? null,
    });
    const { status } = came;
    const made = attempts + 1;
    if (status !== undefined && status >= 200 && status < 300) {
      update(tx, webhookDeliveries, { state: "delivered", attempts: made, endedAt: now }, { id });
      return;
    }
    if (status === 410) {
      update(tx, webhookDeliveries, { state: "failed", attempts: made, endedAt: now }, { id });
      disableEndpoint(tx, { id: endpointId, reason: "it answered 410 Gone" }, now);
      return;
    }
    const wait = Math.min(came.retryAfter ?? 0, LONGEST_WAIT);
    if (status === 429 || status === 502 || status === 504) slow(tx, endpointId, now + Math.max(SLOW, wait));
    const pause = PAUSES[attempts];
    const next = pause === undefined ? undefined : Math.max(wait, Math.ceil(pause * (1 + JITTER * random)));
    update(
      tx,
      webhookDeliveries,
      {
        attempts: made,
        ...(next === undefined ? { state: "failed" as const, endedAt: now } : { nextAt: now + next }),
      },
      { id },
    );
  });
}

function slow({ $client }: Tx, endpointId: number, until: Seconds): void {
  $client
    .query<unknown, [Seconds, number]>(
      "UPDATE webhook_endpoints SET slow_until = max(ifnull(slow_until, 0), ?) WHERE id = ?",
    )
    .run(until, endpointId);
}

/** A delivery as lists show it. */
export interface Delivery {
  readonly id: number;
  readonly endpointId: number;
  readonly eventId: number;
  readonly uid: string;
  readonly type: EventType;
  readonly at: Seconds;
  readonly subscriberId: number | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAt: Seconds;
  readonly endedAt: Seconds | null;
}

export interface Attempt {
  readonly id: number;
  readonly at: Seconds;
  readonly milliseconds: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

const select = `SELECT d.id, d.endpoint_id AS endpointId, d.event_id AS eventId, e.uid, e.type, e.at,
    d.subscriber_id AS subscriberId, d.state, d.attempts, d.next_at AS nextAt, d.ended_at AS endedAt
  FROM webhook_deliveries d JOIN events e ON e.id = d.event_id JOIN webhook_endpoints w ON w.id = d.endpoint_id`;

export interface DeliveryFilters {
  readonly endpointId?: number | null | undefined;
  readonly state?: DeliveryState | null | undefined;
}

/** The deliveries of the actor's endpoints, the newest first. */
export function listDeliveries(
  db: Db,
  by: Actor,
  { endpointId, state }: DeliveryFilters,
  { before, limit }: { before: number; limit: number },
): Delivery[] {
  permit(by, "listDeliveries");
  requireWholeIsp(by, "webhooks");
  const { text, values } = all(
    { text: "d.id < ?", values: [before] },
    equal("d.endpoint_id", endpointId),
    equal("d.state", state),
    equal("w.isp_id", by.scope.ispId),
  );
  return db.$client
    .query<Delivery, Value[]>(`${select} WHERE ${text} ORDER BY d.id DESC LIMIT ? + 0`)
    .all(...values, limit);
}

/** A delivery with its attempts, the oldest first, and what is sent. Throws `not_found`. */
export function deliveryOfId(
  db: Db,
  by: Actor,
  { id }: { id: number },
): { delivery: Delivery; attempts: Attempt[]; data: string } {
  permit(by, "deliveryOfId");
  requireWholeIsp(by, "webhooks");
  const delivery = find(db, by.scope, id);
  const attempts = db.$client
    .query<Attempt, [number]>(
      "SELECT id, at, milliseconds, status, error, answer FROM webhook_attempts WHERE delivery_id = ? ORDER BY id",
    )
    .all(id);
  const event = db.$client
    .query<{ data: string }, [number]>("SELECT data FROM events WHERE id = ?")
    .get(delivery.eventId);
  return { delivery, attempts, data: event?.data ?? "" };
}

/** Sends a delivery once more under the same id, from the first pause on. Throws `not_found`, `refused` for an endpoint that is off. */
export function replayDelivery(
  db: Db,
  by: Actor,
  { id }: { id: number },
  { now }: { now: Seconds },
): Delivery {
  permit(by, "replayDelivery");
  requireWholeIsp(by, "webhooks");
  return write(db, (tx) => {
    const { state, endpointId, type } = find(tx, by.scope, id);
    const endpoint = endpointOfId(tx, by, { id: endpointId });
    if (endpoint.disabledAt !== null)
      throw new DomainError("refused", "the webhook is off; switch it on first");
    if (state === "waiting") update(tx, webhookDeliveries, { nextAt: now }, { id });
    else update(tx, webhookDeliveries, { state: "waiting", attempts: 0, nextAt: now, endedAt: null }, { id });
    audit(tx, by, now, {
      ...{ action: "webhook.replay", entity: "webhook", entityId: endpointId, ispId: endpoint.ispId },
      after: { delivery: id, type },
    });
    return find(tx, by.scope, id);
  });
}

/** Calls an endpoint with an event of its own. Throws `not_found`, `refused` for one that is off. */
export function testEndpoint(db: Db, by: Actor, { id }: { id: number }, { now }: { now: Seconds }): Delivery {
  permit(by, "testEndpoint");
  return write(db, (tx) => {
    const { ispId, disabledAt } = endpointOfId(tx, by, { id });
    if (disabledAt !== null) throw new DomainError("refused", "the webhook is off; switch it on first");
    const eventId = announceOther(tx, now, { type: "webhook.test", ispId, data: { webhook_id: id } });
    const delivery = insert(tx, webhookDeliveries, { endpointId: id, eventId: eventId ?? 0, nextAt: now });
    return find(tx, by.scope, delivery);
  });
}

function find({ $client }: Pick<Db, "$client">, { ispId }: Scope, id: number): Delivery {
  const { text, values } = all(equal("d.id", id), equal("w.isp_id", ispId));
  const row = $client.query<Delivery, Value[]>(`${select} WHERE ${text}`).get(...values);
  if (!row) throw new DomainError("not_found", `there is no delivery ${id}`);
  return row;
}
