import { type Db, type Tx, write } from "../../../db/open.ts";
import { markOf, setMark } from "../events/marks.ts";
import type { EventType } from "../events/types.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { type Endpoint, hears } from "./endpoints.ts";

/** Events that one transaction goes through. */
const STEP = 500;
const MARK = "webhooks";

interface Event {
  readonly id: number;
  readonly type: EventType;
  readonly ispId: number | null;
  readonly subscriberId: number | null;
  readonly writtenAt: Seconds;
}

/** Gives every new event to the endpoints that hear of it, once, whatever ends in between. Returns how many deliveries wait now that did not. */
export function planDeliveries(db: Db, by: Actor, { now }: { now: Seconds }): number {
  permit(by, "planDeliveries");
  let planned = 0;
  for (;;) {
    const step = planSome(db, now);
    planned += step.planned;
    if (step.events < STEP) return planned;
  }
}

function planSome(db: Db, now: Seconds): { events: number; planned: number } {
  // most runs find nothing, and must not take the write lock for it
  if (eventsAfter(db, markOf(db, MARK) ?? 0).length === 0) return { events: 0, planned: 0 };
  return write(db, (tx) => {
    const events = eventsAfter(tx, markOf(tx, MARK) ?? 0);
    const endpoints = tx.$client
      .query<Pick<Endpoint, "id" | "ispId" | "types" | "createdAt">, []>(
        "SELECT id, isp_id AS ispId, types, created_at AS createdAt FROM webhook_endpoints WHERE disabled_at IS NULL",
      )
      .all();
    const add = tx.$client.query<unknown, [number, number, number | null, Seconds]>(
      "INSERT OR IGNORE INTO webhook_deliveries (endpoint_id, event_id, subscriber_id, next_at) VALUES (?, ?, ?, ?)",
    );
    const only = onlyIsp(tx);
    let planned = 0;
    for (const event of events)
      for (const endpoint of endpoints) {
        if (!isOf(endpoint, event.ispId ?? only)) continue;
        if (event.writtenAt < endpoint.createdAt || !hears(endpoint, event.type)) continue;
        add.run(endpoint.id, event.id, event.subscriberId, now);
        planned++;
      }
    const last = events.at(-1);
    if (last) setMark(tx, MARK, last.id);
    return { events: events.length, planned };
  });
}

/** What is the appliance's is its only ISP's too. */
function onlyIsp({ $client }: Tx): number | null {
  const [first, ...others] = $client.query<{ id: number }, []>("SELECT id FROM isps LIMIT 2").all();
  return first && others.length === 0 ? first.id : null;
}

function isOf({ ispId }: Pick<Endpoint, "ispId">, of: number | null): boolean {
  return ispId === null || ispId === of;
}

function eventsAfter({ $client }: Pick<Db, "$client">, id: number): Event[] {
  return $client
    .query<Event, [number]>(
      `SELECT id, type, isp_id AS ispId, subscriber_id AS subscriberId, written_at AS writtenAt
       FROM events WHERE id > ? ORDER BY id LIMIT ${STEP}`,
    )
    .all(id);
}
