import { all, among, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Changed, changedRecords, type Position } from "../../core/changes/changes.ts";
import { nasById } from "../../goods/nas/find.ts";
import { type Actor, type Scope, scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type ReadSubscriber, subscriberIn } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { heldAddress } from "./address-holders.ts";
import {
  batchInScope,
  cardSessionInScope,
  type SessionInScope,
  sessionsById,
  sessionsInScope,
} from "./in-scope.ts";
import { BY_ROUTER, ROUTERS } from "./by-router.ts";

export interface SessionLogFilter {
  /** 1: open; 0: ended. */
  readonly open?: 0 | 1 | null | undefined;
  readonly subscriberId?: number | null | undefined;
  readonly cardId?: number | null | undefined;
  readonly nasId?: number | null | undefined;
  /** Of services that have this package now, and its cards. */
  readonly packageId?: number | null | undefined;
  /** IPv4, or IPv6 within an assigned prefix. */
  readonly address?: string | null | undefined;
  readonly mac?: string | null | undefined;
  /** Range of start times. */
  readonly from?: Seconds | null | undefined;
  readonly to?: Seconds | null | undefined;
}

export interface LogPage {
  readonly limit: number;
  readonly before: number;
}

/** Subscribers above whose number the newest sessions are scanned instead of looking up each one's. */
const FEW = 2000;

export function sessionLog(
  db: Db,
  by: Actor,
  filter: SessionLogFilter,
  page: LogPage,
): readonly SessionInScope[] {
  permit(by, "sessionLog");
  return readPage(db, by.scope, filter, page);
}

/** Sessions that have ended; a late report may change one again, or open it. */
export function changedSessions(db: Db, by: Actor, position: Position): Changed<SessionInScope> {
  permit(by, "changedSessions");
  return changedRecords(db, "session", position, {
    visible: (ids) => sessionsInScope(db, by.scope, among("o.id", ids), { order: "id" }),
    idOf: ({ session }) => session.id,
  });
}

/** The same for one subscriber. Throws `not_found`. */
export function listSubscriberSessions(
  db: Db,
  by: Actor,
  {
    subscriber,
    known,
    ...filter
  }: Omit<SessionLogFilter, "subscriberId"> & {
    subscriber: number | ReadSubscriber;
    known?: readonly SessionInScope[];
  },
  page: LogPage,
): readonly SessionInScope[] {
  permit(by, "listSubscriberSessions");
  const { id: subscriberId } = subscriberIn(db, by.scope, subscriber);
  return readPage(db, by.scope, { ...filter, subscriberId }, page, known);
}

function readPage(
  db: Db,
  scope: Scope,
  filter: SessionLogFilter,
  page: LogPage,
  known?: readonly SessionInScope[],
): SessionInScope[] {
  const found = newest(db, scope, { filter, page, narrow: all(...narrowed(db, scope, filter)) });
  return sessionsById(
    db,
    scope,
    found.map(({ id }) => id),
    known,
  );
}

interface Found {
  readonly id: number;
  readonly started_at: Seconds;
}

interface Wanted {
  readonly filter: SessionLogFilter;
  readonly page: LogPage;
  /** But for its start. */
  readonly narrow: Condition;
}

function newest(db: Db, scope: Scope, wanted: Wanted): Found[] {
  const { filter, page, narrow } = wanted;
  const before = page.before === Number.MAX_SAFE_INTEGER ? undefined : findStart(db, page.before);
  // deleted meanwhile, so everything older is too
  if (before === null) return [];
  const isFew = !hasOwnIndex(filter) && countWho(db, scope, filter) <= FEW;
  const index = indexFor(filter);
  if (!isFew && index === undefined) return throughRouters(db, scope, wanted, before);
  const matching = all(begun(filter, page, before), narrow);
  if (isFew) return read(db, ofFew(scope, filter, matching, page), page.limit);
  const { text, values } = all(matching, inScope(scope));
  return read(
    db,
    { text: `SELECT o.id, o.started_at FROM sessions o ${index} WHERE ${text}`, values },
    page.limit,
  );
}

const read = ({ $client }: Db, { text, values }: Condition, limit: number): Found[] =>
  $client
    .query<Found, Value[]>(`${text} ORDER BY started_at DESC, id DESC LIMIT ? + 0`)
    .all(...values, limit);

/** Seconds of start times that are looked through first. */
const SPAN = 60;

/**
 * Through all sessions by start, in spans of time backwards, of each router by its index: one of all by start would cost every Start. A span
 * is as long as what is missing took in the one before, and twice as long as that at the most.
 */
function throughRouters(
  db: Db,
  scope: Scope,
  { filter: { from, to }, page, narrow }: Wanted,
  before: Seconds | undefined,
): Found[] {
  const { first, last } = findBounds(db);
  const bottom = Math.max(first, from || first);
  const { text, values } = all(
    before === undefined
      ? undefined
      : { text: "NOT (o.started_at = ? AND o.id >= ?)", values: [before, page.before] },
    narrow,
    inScope(scope),
  );
  const span = `SELECT o.id, o.started_at FROM ${BY_ROUTER} WHERE o.started_at BETWEEN ? AND ? AND ${text}`;
  const found: Found[] = [];
  let end = Math.min(last, to || last, before ?? last);
  for (let length = SPAN; end >= bottom && found.length < page.limit;) {
    const begin = Math.max(bottom, end - Math.ceil(length));
    const some = read(db, { text: span, values: [begin, end, ...values] }, page.limit - found.length);
    found.push(...some);
    end = begin - 1;
    length *= Math.min(2, (1.2 * (page.limit - found.length)) / some.length);
  }
  return found;
}

/** The first and the last start of a session. */
function findBounds({ $client }: Db): { first: Seconds; last: Seconds } {
  const bounds = $client
    .query<{ first: Seconds | null; last: Seconds | null }, []>(
      `SELECT min((SELECT started_at FROM sessions INDEXED BY sessions_nas WHERE nas_id IS router ORDER BY started_at LIMIT 1)) AS first,
         max((SELECT started_at FROM sessions INDEXED BY sessions_nas WHERE nas_id IS router ORDER BY started_at DESC LIMIT 1)) AS last
       FROM ${ROUTERS}`,
    )
    .get();
  return { first: bounds?.first ?? 0, last: bounds?.last ?? -1 };
}

/** Whether an index finds the few matches. */
const hasOwnIndex = ({ subscriberId, cardId, address, mac }: SessionLogFilter) =>
  Boolean(subscriberId ?? cardId ?? address ?? mac);

/** Forces the index, as SQLite would read all subscribers' sessions; for IPv6 it finds two itself. Undefined: none has all by start. */
function indexFor({ subscriberId, cardId, address, mac, nasId, open }: SessionLogFilter): string | undefined {
  if (subscriberId) return "INDEXED BY sessions_subscriber";
  if (cardId) return "INDEXED BY sessions_card";
  if (address) return "";
  if (mac) return "INDEXED BY sessions_mac";
  if (open === 1) return "INDEXED BY sessions_open_board";
  return nasId ? "INDEXED BY sessions_nas" : undefined;
}

function narrowed(
  db: Db,
  scope: Scope,
  { open, subscriberId, cardId, nasId, packageId, address, mac }: SessionLogFilter,
): (Condition | undefined)[] {
  if (nasId) nasById(db, scope, nasId);
  return [
    equal("o.subscriber_id", subscriberId),
    equal("o.card_id", cardId),
    address ? heldAddress(address) : undefined,
    equal("o.mac", mac),
    equal("o.nas_id", nasId),
    packageId ? { text: OF_PACKAGE, values: [packageId, packageId] } : undefined,
    open === 1 ? { text: "o.stopped_at IS NULL", values: [] } : undefined,
    open === 0 ? { text: "o.stopped_at IS NOT NULL", values: [] } : undefined,
  ];
}

// scalar subqueries, so that SQLite cannot start the join with them
const OF_PACKAGE = `ifnull((SELECT v.package_id = ? FROM services v WHERE v.subscriber_id = o.subscriber_id),
  (SELECT b.package_id = ? FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = o.card_id))`;

function inScope(scope: Scope): Condition | undefined {
  const { text, values } = scopeEver(scope);
  if (values.length === 0) return undefined;
  const cards = cardSessionInScope(scope);
  const theirs = `(SELECT ${text} FROM subscribers s WHERE s.id = o.subscriber_id) OR ${cards.text}`;
  const known = [...values, ...cards.values];
  if (!seesWholeIsp(scope)) return { text: `(${theirs})`, values: known };
  const ofNobody =
    "o.subscriber_id IS NULL AND o.card_id IS NULL AND (SELECT nas.isp_id = ? FROM nas WHERE nas.id = o.nas_id)";
  return { text: `(${theirs} OR (${ofNobody}))`, values: [...known, scope.ispId] };
}

/** The condition for sessions of a page, by their start. */
function begun(
  { from, to }: SessionLogFilter,
  { before }: LogPage,
  startBefore: Seconds | undefined,
): Condition {
  return all(
    from ? { text: "o.started_at >= ?", values: [from] } : undefined,
    to ? { text: "o.started_at <= ?", values: [to] } : undefined,
    startBefore === undefined
      ? undefined
      : { text: "(o.started_at, o.id) < (?, ?)", values: [startBefore, before] },
  );
}

/** The start of a session; null: it was deleted. */
function findStart({ $client }: Db, id: number): Seconds | null {
  const session = $client
    .query<{ at: Seconds }, [number]>("SELECT started_at AS at FROM sessions WHERE id = ?")
    .get(id);
  return session?.at ?? null;
}

function who(scope: Scope, { packageId }: SessionLogFilter): Condition {
  const services = packageId ? "CROSS JOIN subscribers s ON s.id = v.subscriber_id" : "";
  const { text, values } = all(equal("v.package_id", packageId), scopeEver(scope));
  return { text: `${packageId ? "services v" : "subscribers s"} ${services} WHERE ${text}`, values };
}

/** Infinity: no restriction. */
function countWho({ $client }: Db, scope: Scope, filter: SessionLogFilter): number {
  const { text, values } = who(scope, filter);
  if (values.length === 0) return Infinity;
  const count = $client
    .query<{ n: number }, Value[]>(`SELECT count(*) AS n FROM (SELECT 1 FROM ${text} LIMIT ${FEW + 1})`)
    .get(...values);
  return count?.n ?? 0;
}

/** Sessions of few subscribers, which are sparse among all, of cards, and of unknown names of a whole ISP. */
function ofFew(scope: Scope, filter: SessionLogFilter, matching: Condition, page: LogPage): Condition {
  const theirs = who(scope, filter);
  const indexes = filter.open === 1 ? OPEN_INDEXES : INDEXES;
  const first = arm({ text: `SELECT s.id FROM ${theirs.text}`, values: theirs.values }, matching, {
    of: "subscriber_id",
    index: indexes.subscriber_id,
    limit: page.limit,
  });
  const hasNobody = seesWholeIsp(scope) && !filter.packageId;
  const second = hasNobody
    ? arm({ text: "SELECT NULL AS id", values: [] }, all(matching, inScope(scope)), {
        of: "subscriber_id",
        index: indexes.subscriber_id,
        limit: page.limit,
      })
    : arm(usedCards(scope, filter), all({ text: "o.card_id IS NOT NULL", values: [] }, matching), {
        of: "card_id",
        index: indexes.card_id,
        limit: page.limit,
      });
  return { text: `${first.text} UNION ALL ${second.text}`, values: [...first.values, ...second.values] };
}

const INDEXES = { subscriber_id: "sessions_subscriber", card_id: "sessions_card" } as const;
const OPEN_INDEXES = { subscriber_id: "sessions_open_subscriber", card_id: "sessions_open_card" } as const;

function arm(
  ids: Condition,
  { text, values }: Condition,
  { of, index, limit }: { of: keyof typeof INDEXES; index: string; limit: number },
): Condition {
  return {
    text: `SELECT * FROM (SELECT o.id, o.started_at FROM (${ids.text}) w CROSS JOIN sessions o INDEXED BY ${index} ON o.${of} IS w.id
       WHERE ${text} ORDER BY o.started_at DESC, o.id DESC LIMIT ? + 0)`,
    values: [...ids.values, ...values, limit],
  };
}

function usedCards(scope: Scope, { packageId }: SessionLogFilter): Condition {
  const { text, values } = all(batchInScope(scope), equal("b.package_id", packageId));
  const used = `SELECT c.id FROM card_batches b CROSS JOIN cards c ON c.batch_id = b.id
    WHERE c.first_used_at IS NOT NULL AND ${text}`;
  return { text: used, values };
}
