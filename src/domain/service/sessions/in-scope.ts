import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Scope, scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import { type Session, sessionColumns } from "./advance.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";

/** SQL: batches `b` in scope: the ISP's, branch's, or those a reseller holds. */
export function batchInScope({ ispId, branchId, salespersonId }: Scope): Condition {
  return all(equal("b.isp_id", ispId), equal("b.branch_id", branchId), equal("b.reseller_id", salespersonId));
}

export function cardSessionInScope(scope: Scope): Condition {
  const { text, values } = batchInScope(scope);
  return {
    // limited to sessions without subscriber: no index of open sessions has the card first
    text: `(o.subscriber_id IS NULL AND o.card_id IS NOT NULL AND (SELECT ${text} FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = o.card_id))`,
    values,
  };
}

/**
 * SQL: sessions `o` in scope, with subscribers `s` and routers `nas`: those of its subscribers, including former ones, as
 * address queries come late, and of its cards. Unknown names belong to their router's ISP, and are visible with the whole ISP.
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
  /** null when the router is outside the scope. */
  nasName: string | null;
  /** null when the router is outside the scope. */
  nasIspId: number | null;
  subscriberName: string | null;
}

const select = `
  SELECT ${sessionColumns("o")}, nas.name AS nasName, nas.isp_id AS nasIspId, s.name AS subscriberName
  FROM sessions o LEFT JOIN subscribers s ON s.id = o.subscriber_id
    LEFT JOIN nas ON nas.id = o.nas_id AND nas.isp_id = coalesce(?, nas.isp_id)`;

const orders = { id: "o.id", oldest: "o.started_at, o.id", newest: "o.started_at DESC, o.id DESC" } as const;

/** SQLite's. */
const NO_LIMIT = -1;

/** Matching sessions in scope, in order, up to `limit`. */
export function sessionsInScope(
  { $client }: Db,
  scope: Scope,
  matching: Condition,
  { order, limit = null }: { order: keyof typeof orders; limit?: number | null },
): SessionInScope[] {
  const { text, values } = all(matching, sessionInScope(scope));
  return $client
    .query<Row, Value[]>(
      // an expression, so that SQLite prepares one statement for every limit
      `${select} WHERE ${text} ORDER BY ${orders[order]} LIMIT ? + 0`,
    )
    .all(scope.ispId, ...values, limit ?? NO_LIMIT)
    .map(withRelations);
}

/** Sessions by id, newest first; `known` ones are not read again. */
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

/** Updates after which one is missing: a single late one is not. */
const MISSED = 2;

/** Seconds without an update after which a session is stale. */
export function staleAfter(db: Db): Seconds {
  return MISSED * setting(db, "acct_interim_interval");
}
