import { type Db, type Tx, write } from "../../../../db/open.ts";
import { findMark, setMark } from "../../core/events/marks.ts";
import type { EventType } from "../../core/events/types.ts";
import { type Actor, ownIsp } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { accepts } from "../../core/events/event-filter.ts";

/** Events of a transaction. */
const STEP = 500;
/** Steps of a run. */
const STEPS = 10;
const MARK = "webhooks";

interface Event {
  readonly id: number;
  readonly type: EventType;
  readonly ispId: number | null;
  readonly subscriberId: number | null;
}

interface Hook {
  readonly id: number;
  readonly ispId: number | null;
  readonly types: string;
}

/** Makes deliveries of events, each once, and the rest at the next call. Returns how many are new. */
export function planDeliveries(db: Db, by: Actor, { now }: { now: Seconds }): number {
  permit(by, "planDeliveries");
  let planned = 0;
  for (let steps = 0; steps < STEPS; steps++) {
    // most runs find nothing, and need no lock
    if (eventsAfter(db, findMark(db, MARK) ?? 0).length === 0) return planned;
    const step = write(db, (tx) => planSome(tx, now));
    planned += step.planned;
    if (step.events < STEP) return planned;
  }
  return planned;
}

/** Plans for the present endpoints before they change. */
export function planNew(tx: Tx, now: Seconds): void {
  while (planSome(tx, now).events === STEP);
}

function planSome(tx: Tx, now: Seconds): { events: number; planned: number } {
  const events = eventsAfter(tx, findMark(tx, MARK) ?? 0);
  const last = events.at(-1);
  if (!last) return { events: 0, planned: 0 };
  const endpoints = tx.$client
    .query<Hook, []>("SELECT id, isp_id AS ispId, types FROM webhook_endpoints WHERE disabled_at IS NULL")
    .all();
  const add = tx.$client.query<unknown, [number, number, number | null, Seconds]>(
    "INSERT OR IGNORE INTO webhook_deliveries (endpoint_id, event_id, subscriber_id, next_at) VALUES (?, ?, ?, ?)",
  );
  const only = ownIsp(tx, everything); // what is the appliance's is its only ISP's too
  let planned = 0;
  for (const event of events) {
    if (event.type === "webhook.test") continue; // whoever tries a webhook has given it to that one
    for (const endpoint of endpoints) {
      if (!isFor(endpoint, event.ispId ?? only) || !accepts(endpoint, event.type)) continue;
      add.run(endpoint.id, event.id, event.subscriberId, now);
      planned++;
    }
  }
  setMark(tx, MARK, last.id);
  return { events: events.length, planned };
}

function isFor({ ispId }: Hook, of: number | null): boolean {
  return ispId === null || ispId === of;
}

function eventsAfter({ $client }: Pick<Db, "$client">, id: number): Event[] {
  return $client
    .query<Event, [number]>(
      `SELECT id, type, isp_id AS ispId, subscriber_id AS subscriberId
       FROM events WHERE id > ? ORDER BY id LIMIT ${STEP}`,
    )
    .all(id);
}
