import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { type deliveryStates, webhookDeliveries } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { accepts } from "../../core/events/event-filter.ts";
import { everything } from "../../core/actor/operator.ts";
import { announceOther } from "../../core/events/announce.ts";
import type { EventType } from "../../core/events/types.ts";
import { type Actor, ownIsp, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { bringForward } from "./due.ts";
import { endpointById } from "./endpoints.ts";

export type DeliveryState = (typeof deliveryStates)[number];

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
  FROM webhook_deliveries d CROSS JOIN events e ON e.id = d.event_id CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id`;

export interface DeliveryFilters {
  readonly type?: string | null | undefined;
  /** When the event happened. */
  readonly from?: Seconds | null | undefined;
  readonly to?: Seconds | null | undefined;
  readonly endpointId?: number | null | undefined;
  readonly state?: DeliveryState | null | undefined;
}

export function listDeliveries(
  db: Db,
  by: Actor,
  { endpointId, state, type, from, to }: DeliveryFilters,
  { before, limit }: { before: number; limit: number },
): Delivery[] {
  permit(by, "listDeliveries");
  requireWholeIsp(by, "webhooks");
  const { text, values } = all(
    { text: "d.id < ?", values: [before] },
    equal("d.endpoint_id", endpointId),
    equal("d.state", state),
    equal("e.type", type),
    from ? { text: "e.at >= ?", values: [from] } : undefined,
    to ? { text: "e.at <= ?", values: [to] } : undefined,
    equal("w.isp_id", by.scope.ispId),
  );
  return db.$client
    .query<Delivery, Value[]>(`${select} WHERE ${text} ORDER BY d.id DESC LIMIT ? + 0`)
    .all(...values, limit);
}

/** Throws `not_found`. */
export function deliveryById(
  db: Db,
  by: Actor,
  { id }: { id: number },
): { delivery: Delivery; attempts: Attempt[]; data: string } {
  permit(by, "deliveryById");
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

/** Sends again with the same id. Throws `not_found`, `refused` for a disabled endpoint. */
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
    const endpoint = endpointById(tx, by, { id: endpointId });
    if (endpoint.disabledAt !== null)
      throw new DomainError("refused", phrase`the webhook is off; switch it on first`, {
        code: "webhook_off",
      });
    if (state === "waiting") bringForward(tx, id, now);
    // later events do not wait again
    else update(tx, webhookDeliveries, { state: "waiting", attempts: 0, nextAt: now }, { id });
    audit(tx, by, now, {
      action: "webhook.replay",
      entity: "webhook",
      entityId: endpointId,
      ispId: endpoint.ispId,
      after: { delivery: id, type },
    });
    return find(tx, by.scope, id);
  });
}

/** Events of a press, whose deliveries are made in one transaction. */
const MOST_RESENT = 20_000;

/**
 * Sends again what was not delivered of the endpoint's types since a time, whatever was planned of it then: the oldest first, under the same
 * ids. Returns how many; more than MOST_RESENT go by another press. Throws `not_found`, `refused` for a disabled endpoint.
 */
export function resendEvents(
  db: Db,
  by: Actor,
  { id, from }: { id: number; from: Seconds },
  { now }: { now: Seconds },
): { sent: number; isAll: boolean } {
  permit(by, "resendEvents");
  requireWholeIsp(by, "webhooks");
  return write(db, (tx) => {
    const endpoint = endpointById(tx, by, { id });
    if (endpoint.disabledAt !== null)
      throw new DomainError("refused", phrase`the webhook is off; switch it on first`, {
        code: "webhook_off",
      });
    const only = ownIsp(tx, everything); // what is the appliance's is its only ISP's too
    const events = tx.$client
      .query<Missed, [number, Seconds, number | null]>(
        `SELECT e.id, e.type, e.subscriber_id AS subscriberId FROM events e INDEXED BY events_written
           LEFT JOIN webhook_deliveries d ON d.endpoint_id = ?1 AND d.event_id = e.id
         WHERE e.written_at >= ?2 AND ifnull(d.state, 'failed') IN ('failed', 'cancelled') AND e.type <> 'webhook.test'
           AND (SELECT isp_id IS NULL OR isp_id = ifnull(e.isp_id, ?3) FROM webhook_endpoints WHERE id = ?1)
         ORDER BY e.id`,
      )
      .iterate(id, from, only);
    const missed: Missed[] = [];
    for (const event of events) {
      if (accepts(endpoint, event.type)) missed.push(event);
      if (missed.length > MOST_RESENT) break;
    }
    const again = tx.$client.query<unknown, [number, number, number | null, Seconds]>(
      `INSERT INTO webhook_deliveries (endpoint_id, event_id, subscriber_id, next_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (endpoint_id, event_id) DO UPDATE SET state = 'waiting', attempts = 0, next_at = excluded.next_at, ended_at = NULL`,
    );
    const chosen = missed.slice(0, MOST_RESENT);
    for (const { id: eventId, subscriberId } of chosen) again.run(id, eventId, subscriberId, now);
    audit(tx, by, now, {
      action: "webhook.resend",
      entity: "webhook",
      entityId: id,
      ispId: endpoint.ispId,
      after: { from, events: chosen.length },
    });
    return { sent: chosen.length, isAll: chosen.length === missed.length };
  });
}

interface Missed {
  readonly id: number;
  readonly type: EventType;
  readonly subscriberId: number | null;
}

/** Throws `not_found`, `refused` when disabled. */
export function testEndpoint(db: Db, by: Actor, { id }: { id: number }, { now }: { now: Seconds }): Delivery {
  permit(by, "testEndpoint");
  return write(db, (tx) => {
    const { ispId, disabledAt } = endpointById(tx, by, { id });
    if (disabledAt !== null)
      throw new DomainError("refused", phrase`the webhook is off; switch it on first`, {
        code: "webhook_off",
      });
    const eventId = announceOther(tx, now, { type: "webhook.test", ispId, data: { webhook_id: id } });
    const delivery = insert(tx, webhookDeliveries, { endpointId: id, eventId: eventId ?? 0, nextAt: now });
    audit(tx, by, now, { action: "webhook.test", entity: "webhook", entityId: id, ispId });
    return find(tx, by.scope, delivery);
  });
}

function find({ $client }: Pick<Db, "$client">, { ispId }: Scope, id: number): Delivery {
  const { text, values } = all(equal("d.id", id), equal("w.isp_id", ispId));
  return known(
    $client.query<Delivery, Value[]>(`${select} WHERE ${text}`).get(...values),
    phrase`there is no delivery ${id}`,
  );
}
