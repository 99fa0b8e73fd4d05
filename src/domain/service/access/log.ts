import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, type Scope, scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type ReadSubscriber, subscriberIn } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { reasonWords } from "./outcomes.ts";

export interface LoginFilter {
  readonly username?: string | null | undefined;
  readonly subscriberId?: number | null | undefined;
  readonly nasId?: number | null | undefined;
  readonly mac?: string | null | undefined;
  readonly reason?: string | null | undefined;
  readonly accepted?: 0 | 1 | null | undefined;
  readonly from?: Seconds | null | undefined;
  readonly to?: Seconds | null | undefined;
}

export interface LoginPage {
  readonly limit: number;
  readonly before: number;
}

export interface Login {
  readonly id: number;
  readonly at: Seconds;
  readonly username: string;
  readonly subscriberId: number | null;
  readonly subscriberName: string | null;
  readonly accepted: 0 | 1;
  readonly reason: string;
  /** The reason for staff, with what to do. */
  readonly words: string;
  readonly method: string | null;
  readonly mac: string | null;
  readonly nasId: number | null;
  readonly nasName: string | null;
  readonly nasAddress: string;
}

/** Subscribers above whose number all decisions are scanned instead of looking up each one's. */
const FEW = 1000;
/** Seconds by which decisions may be stored out of order. */
const LATE = 3600;

export function loginLog(db: Db, by: Actor, filter: LoginFilter, page: LoginPage): Login[] {
  permit(by, "loginLog");
  return readPage(db, by.scope, filter, page);
}

/** The same for one subscriber. Throws `not_found`. */
export function listSubscriberLogins(
  db: Db,
  by: Actor,
  { subscriber, ...filter }: Omit<LoginFilter, "subscriberId"> & { subscriber: number | ReadSubscriber },
  page: LoginPage,
): Login[] {
  permit(by, "listSubscriberLogins");
  const { id: subscriberId } = subscriberIn(db, by.scope, subscriber);
  return readPage(db, by.scope, { ...filter, subscriberId }, page);
}

function readPage({ $client }: Db, scope: Scope, filter: LoginFilter, { limit, before }: LoginPage): Login[] {
  const { username, subscriberId, nasId, mac, reason, accepted, from, to } = filter;
  const { text, values } = all(
    to
      ? // one bound, for SQLite begins at one only
        {
          text: `a.id <= min(? - 1, ${nearest("<=", "DESC")}) AND +a.at <= ?`,
          values: [before, to + LATE, to],
        }
      : { text: "a.id < ?", values: [before] },
    equal("a.subscriber_id", subscriberId),
    equal(subscriberId ? "+a.username" : "a.username", username),
    equal("a.nas_id", nasId),
    equal("a.mac", mac),
    equal("a.reason", reason),
    equal("a.accepted", accepted),
    from
      ? { text: `+a.at >= ? AND a.id >= ${nearest(">=", "ASC")}`, values: [from, from - LATE] }
      : undefined,
    decisionInScope(scope),
    subscriberId || username ? undefined : ofFew($client, scope),
  );
  return $client
    .query<Omit<Login, "words">, Value[]>(
      `SELECT a.id, a.at, a.username, a.subscriber_id AS subscriberId, s.name AS subscriberName, a.accepted, a.reason, a.method,
         a.mac, a.nas_id AS nasId, nas.name AS nasName, a.nas_address AS nasAddress
       FROM auth_log a LEFT JOIN subscribers s ON s.id = a.subscriber_id
         LEFT JOIN nas ON nas.id = a.nas_id AND nas.isp_id = coalesce(?, nas.isp_id)
       WHERE ${text} ORDER BY a.id DESC LIMIT ? + 0`,
    )
    .all(scope.ispId, ...values, limit)
    .map((row) => Object.assign(row, { words: reasonWords(row.reason) }));
}

/** Id of the first or last decision by time, if any. */
const nearest = (comparison: ">=" | "<=", order: "ASC" | "DESC") =>
  `ifnull((SELECT id FROM auth_log WHERE at ${comparison} ? ORDER BY at ${order} LIMIT 1), -1)`;

/** Decisions about subscribers in the scope; of unknown names those at routers of an ISP that is wholly in it. */
export function decisionInScope(scope: Scope): Condition | undefined {
  const { ispId } = scope;
  if (seesWholeIsp(scope) && ispId === null) return undefined;
  const { text, values } = scopeEver(scope);
  // scalar subqueries, so that SQLite cannot start the join with them
  const theirs = `(SELECT ${text} FROM subscribers s WHERE s.id = a.subscriber_id)`;
  if (!seesWholeIsp(scope)) return { text: theirs, values };
  const ofNobody = "a.subscriber_id IS NULL AND (SELECT nas.isp_id = ? FROM nas WHERE nas.id = a.nas_id)";
  return { text: `(${theirs} OR (${ofNobody}))`, values: [...values, ispId] };
}

/** A condition by subscribers, for a branch or reseller with few of them, whose decisions are sparse among all. */
export function ofFew($client: Db["$client"], scope: Scope): Condition | undefined {
  if (seesWholeIsp(scope)) return undefined;
  const { text, values } = scopeEver(scope);
  const seen = `SELECT s.id FROM subscribers s WHERE ${text}`;
  const count = $client
    .query<{ n: number }, Value[]>(`SELECT count(*) AS n FROM (${seen} LIMIT ${FEW + 1})`)
    .get(...values);
  return (count?.n ?? 0) > FEW ? undefined : { text: `a.subscriber_id IN (${seen})`, values };
}
