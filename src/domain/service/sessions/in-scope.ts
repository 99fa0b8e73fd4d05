import { columnsOf } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { sessions } from "../../../../db/schema.ts";
import { type Scope, scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import type { Session } from "./advance.ts";

/** The batches `b` of cards that a scope sees: its ISP's, its branch's, those that the reseller holds. */
export function batchInScope({ ispId, branchId, salespersonId }: Scope): Condition {
  return all(equal("b.isp_id", ispId), equal("b.branch_id", branchId), equal("b.reseller_id", salespersonId));
}

/** The sessions `o` of cards that a scope sees. */
export function cardSessionInScope(scope: Scope): Condition {
  const { text, values } = batchInScope(scope);
  return {
    // of the few without a subscriber alone: no index of open sessions has the card beside what is asked for most
    text: `(o.subscriber_id IS NULL AND o.card_id IS NOT NULL AND (SELECT ${text} FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = o.card_id))`,
    values,
  };
}

/**
 * The sessions that a scope sees, where a query calls them `o`, their subscribers `s` and their routers `nas`: those of its
 * subscribers, also of those who left, because who had an address is asked long after, and of its cards. A name that is neither's
 * belongs to the ISP of its router, and is seen by who sees that as a whole.
 */
export function sessionInScope(scope: Scope): Condition | undefined {
  const { ispId } = scope;
  if (seesWholeIsp(scope) && ispId === null) return undefined;
  const theirs = all({ text: "o.subscriber_id IS NOT NULL", values: [] }, scopeEver(scope));
  const ofCards = cardSessionInScope(scope);
  const known = {
    text: `((${theirs.text}) OR ${ofCards.text}`,
    values: [...theirs.values, ...ofCards.values],
  };
  if (!seesWholeIsp(scope) || ispId === null) return { ...known, text: `${known.text})` };
  return {
    text: `${known.text} OR (o.subscriber_id IS NULL AND o.card_id IS NULL AND nas.isp_id = ?))`,
    values: [...known.values, ispId],
  };
}

export interface SessionInScope {
  session: Session;
  /** Of its router, null where the scope does not see that. */
  nasName: string | null;
  /** The same. */
  nasIspId: number | null;
  subscriberName: string | null;
}

const select = `
  SELECT ${columnsOf(sessions, "o")}, nas.name AS nasName, nas.isp_id AS nasIspId, s.name AS subscriberName
  FROM sessions o LEFT JOIN subscribers s ON s.id = o.subscriber_id
    LEFT JOIN nas ON nas.id = o.nas_id AND nas.isp_id = coalesce(?, nas.isp_id)`;

const orders = { id: "o.id", oldest: "o.started_at, o.id", newest: "o.started_at DESC, o.id DESC" } as const;

/** As SQLite has it. */
const NO_LIMIT = -1;

/** The sessions of a scope that match, in this order, and no more than `limit` of them. */
export function sessionsInScope(
  { $client }: Db,
  scope: Scope,
  matching: Condition,
  { order, limit = null }: { order: keyof typeof orders; limit?: number | null },
): SessionInScope[] {
  const { text, values } = all(matching, sessionInScope(scope));
  return $client
    .query<Row, Value[]>(
      // a sum, as in the list of subscribers: one statement whatever the limit is
      `${select} WHERE ${text} ORDER BY ${orders[order]} LIMIT ? + 0`,
    )
    .all(scope.ispId, ...values, limit ?? NO_LIMIT)
    .map(withRelations);
}

/** The sessions of ids that were found in the scope, the newest first; those that are `known` are not read again. */
export function sessionsById(
  { $client }: Db,
  { ispId }: Scope,
  ids: readonly number[],
  known: readonly SessionInScope[] = [],
): SessionInScope[] {
  const kept = known.filter(({ session }) => ids.includes(session.id));
  const others = ids.filter((id) => !kept.some(({ session }) => session.id === id));
  if (others.length === 0) return kept.toSorted(newestFirst);
  const read = $client
    .query<Row, [number | null, string]>(
      `${select} WHERE o.id IN (SELECT value FROM json_each(?)) ORDER BY ${orders.newest}`,
    )
    .all(ispId, JSON.stringify(others))
    .map(withRelations);
  return kept.length === 0 ? read : [...kept, ...read].toSorted(newestFirst);
}

const newestFirst = ({ session: one }: SessionInScope, { session: other }: SessionInScope) =>
  other.startedAt - one.startedAt || other.id - one.id;

type Row = Session & Omit<SessionInScope, "session">;

function withRelations({ nasName, nasIspId, subscriberName, ...session }: Row): SessionInScope {
  session.class &&= Buffer.from(session.class);
  return { session, nasName, nasIspId, subscriberName };
}
