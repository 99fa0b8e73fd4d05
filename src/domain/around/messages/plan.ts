import { type Db, type Tx, write } from "../../../../db/open.ts";
import { findMark, setMark } from "../../core/events/marks.ts";
import type { EventType } from "../../core/events/types.ts";
import { type Actor, ownIsp } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { listRecipients } from "./people.ts";
import { planMessage } from "./planned.ts";
import { planMoments } from "./plan-moments.ts";
import { type Rule, selectRules } from "./rules.ts";

const STEP = 100;
const MARK = "messages";

interface Event {
  readonly id: number;
  readonly uid: string;
  readonly type: EventType;
  readonly dueKey: string | null;
  readonly ispId: number | null;
  readonly subscriberId: number | null;
  readonly at: Seconds;
  readonly writtenAt: Seconds;
}

/** Puts messages into the outbox, each once for a rule and person, until `signal`. Returns how many. */
export async function planMessages(
  db: Db,
  by: Actor,
  { now, signal }: { now: Seconds; signal?: AbortSignal | undefined },
): Promise<number> {
  permit(by, "planMessages");
  let planned = 0;
  for (;;) {
    const step = planEvents(db, now);
    planned += step.planned;
    if (step.events < STEP || signal?.aborted) break;
    await Bun.sleep(0);
  }
  const due = enabledRules(db).filter(({ on }) => on !== "event");
  for (const rule of due) planned += await planMoments(db, rule, { now, signal });
  return planned;
}

function planEvents(db: Db, now: Seconds): { events: number; planned: number } {
  // most runs find nothing, and need no lock
  if (eventsAfter(db, findMark(db, MARK) ?? 0).length === 0) return { events: 0, planned: 0 };
  return write(db, (tx) => {
    const events = eventsAfter(tx, findMark(tx, MARK) ?? 0);
    const rules = Map.groupBy(enabledRules(tx), ({ eventType }) => eventType);
    const only = ownIsp(tx, everything);
    let planned = 0;
    for (const event of events)
      for (const rule of rules.get(event.type) ?? [])
        if (isSeen(rule, event, only)) planned += planOne(tx, rule, event, now);
    const last = events.at(-1);
    if (last) setMark(tx, MARK, last.id);
    return { events: events.length, planned };
  });
}

/** Events after its beginning, of its ISP, or the box's with a single ISP. */
function isSeen(rule: Rule, { ispId, writtenAt }: Event, only: number | null): boolean {
  return rule.ispId === (ispId ?? only) && writtenAt >= rule.plannedTo;
}

/** Bursts: announced to people once a day. */
const onceADay: ReadonlySet<EventType> = new Set(["router.drifted", "router.mended"]);

/** What a rule speaks of once. */
function eventPeriod({ type, uid, dueKey, at }: Event): string {
  if (onceADay.has(type)) return `${type} ${formatTime(at).slice(0, 10)}`;
  return dueKey === null ? `event ${uid}` : `${type} ${dueKey}`;
}

function planOne(tx: Tx, rule: Rule, event: Event, now: Seconds): number {
  const period = eventPeriod(event);
  const occasion = { eventId: event.id, period, dueAt: event.at };
  return listRecipients(tx, rule, event.subscriberId).filter((one) =>
    planMessage(tx, rule, occasion, one, now),
  ).length;
}

function enabledRules({ $client }: Pick<Db, "$client">): Rule[] {
  return $client.query<Rule, []>(`${selectRules} WHERE r.is_enabled = 1 ORDER BY r.id`).all();
}

function eventsAfter({ $client }: Pick<Db, "$client">, id: number): Event[] {
  return $client
    .query<Event, [number]>(
      `SELECT id, uid, type, due_key AS dueKey, isp_id AS ispId, subscriber_id AS subscriberId, at, written_at AS writtenAt
       FROM events WHERE id > ? ORDER BY id LIMIT ${STEP}`,
    )
    .all(id);
}
