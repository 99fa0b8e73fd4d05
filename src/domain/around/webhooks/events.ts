import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, may, ownIsp, scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { everything } from "../../core/actor/operator.ts";
import { type Position, readOn } from "../../core/changes/changes.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { EventType } from "../../core/events/types.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface ToldEvent {
  readonly uid: string;
  readonly type: EventType;
  readonly at: Seconds;
  /** JSON. */
  readonly data: string;
}

interface Row extends ToldEvent {
  readonly id: number;
  readonly isMine: number;
}

/** What one has to be permitted to see, by what the type begins with; of the rest of the appliance hears who may set up webhooks. */
const flags: Readonly<Record<string, string>> = {
  subscriber: "subscriber_view",
  balance: "subscriber_view",
  quota: "subscriber_view",
  tier: "subscriber_view",
  payment: "payment_view",
  invoice: "invoice_view",
  card: "card_view",
  session: "session_view",
  router: "nas_view",
};

/**
 * The events after one, oldest first, as webhooks tell them: those of the scope that the flags allow. A page may have fewer than `limit`:
 * `hasMore` says whether to go on. Throws `invalid` for an event that is not kept.
 */
export function listEvents(
  db: Db,
  by: Actor,
  { after, limit }: Position,
): { events: ToldEvent[]; cursor: string; hasMore: boolean } {
  permit(by, "listEvents");
  const { text, values } = theirs(db, by);
  const next = db.$client.query<Row, Value[]>(
    `SELECT e.id, e.uid, e.type, e.at, e.data, ${text} AS isMine
     FROM events e LEFT JOIN subscribers s ON s.id = e.subscriber_id WHERE e.id > ? ORDER BY e.id LIMIT ? + 0`,
  );
  const first: Pick<Row, "id" | "uid"> = { id: after ? findEventId(db, after) : 0, uid: after ?? "" };
  const { records, last, hasMore } = readOn(first, limit, {
    next: ({ id }, most) => next.all(...values, id, most),
    visible: (rows) => rows.filter(({ isMine, type }) => isMine === 1 && maySee(by, type)),
  });
  return { events: records, cursor: last.uid, hasMore };
}

function maySee(by: Actor, type: EventType): boolean {
  const [beginning = ""] = type.split(".");
  return may(by, flags[beginning] ?? "webhook_manage");
}

/** What is the appliance's is its only ISP's too. */
function theirs(db: Db, by: Actor): { text: string; values: Value[] } {
  const { ispId } = by.scope;
  if (seesWholeIsp(by.scope) && ispId === null) return { text: "TRUE", values: [] };
  if (seesWholeIsp(by.scope))
    return { text: "ifnull(e.isp_id, ?) = ?", values: [ownIsp(db, everything) ?? 0, ispId] };
  const { text, values } = scopeEver(by.scope);
  return { text: `(e.subscriber_id IS NOT NULL AND ${text})`, values: [...values] };
}

function findEventId({ $client }: Db, uid: string): number {
  const known = $client.query<{ id: number }, [string]>("SELECT id FROM events WHERE uid = ?").get(uid);
  if (known) return known.id;
  throw new DomainError("invalid", phrase`there is no such event any more`, {
    code: "cursor_unknown",
    fields: { after: [phrase`is no event of the last 30 days; begin without it`] },
  });
}
