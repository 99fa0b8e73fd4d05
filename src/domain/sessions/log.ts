import { all, type Condition, equal, type Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import { nasById } from "../nas/find.ts";
import { type Actor, type Scope, scopeEver, seesWholeIsp } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { subscriberById } from "../subscribers/find.ts";
import type { Seconds } from "../time.ts";
import { heldAddress } from "./address-holders.ts";
import { type SessionInScope, sessionsById } from "./in-scope.ts";

/** Which sessions are wanted; what is absent does not narrow them. All given must match. */
export interface SessionLogFilter {
  /** 1: open ones alone, 0: those that ended. */
  readonly open?: 0 | 1 | null | undefined;
  readonly subscriberId?: number | null | undefined;
  readonly nasId?: number | null | undefined;
  /** Of subscribers whose service has this package by now. */
  readonly packageId?: number | null | undefined;
  /** IPv4, or IPv6 within a prefix that was given or delegated. */
  readonly address?: string | null | undefined;
  /** AA:BB:CC:DD:EE:FF. */
  readonly mac?: string | null | undefined;
  /** When they began: from here on, up to here. */
  readonly from?: Seconds | null | undefined;
  readonly to?: Seconds | null | undefined;
}

export interface LogPage {
  readonly limit: number;
  /** Those that began before the session of this id. */
  readonly before: number;
}

/** Subscribers of whom each one's sessions are looked up; of more of them, the newest sessions of all are passed through. */
const FEW = 2000;

/** Sessions in the actor's scope, the one that began last first. */
export function sessionLog(
  db: Db,
  by: Actor,
  filter: SessionLogFilter,
  page: LogPage,
): readonly SessionInScope[] {
  permit(by, "sessionLog");
  return readPage(db, by.scope, filter, page);
}

/** The same of one subscriber. Throws `not_found`. */
export function sessionsOf(
  db: Db,
  by: Actor,
  { subscriberId, ...filter }: SessionLogFilter & { subscriberId: number },
  page: LogPage,
): readonly SessionInScope[] {
  permit(by, "sessionsOf");
  subscriberById(db, by.scope, subscriberId);
  return readPage(db, by.scope, { ...filter, subscriberId }, page);
}

function readPage(db: Db, scope: Scope, filter: SessionLogFilter, page: LogPage): SessionInScope[] {
  const matching = all(begun(db, filter, page.before), ...narrowed(db, scope, filter));
  const isFew = !hasOwnIndex(filter) && countWho(db, scope, filter) <= FEW;
  const { text, values } = isFew ? ofFew(scope, filter, matching, page) : throughAll(scope, filter, matching);
  const ids = db.$client
    .query<{ id: number }, Value[]>(`${text} ORDER BY started_at DESC, id DESC LIMIT ? + 0`)
    .all(...values, page.limit);
  return sessionsById(
    db,
    scope,
    ids.map(({ id }) => id),
  );
}

/** Whether an index leads to what matches, which is not many. */
const hasOwnIndex = ({ subscriberId, address, mac }: SessionLogFilter) =>
  Boolean(subscriberId ?? address ?? mac);

/** Said to SQLite, which would else read the sessions of every subscriber there is; address: of IPv6 it finds two by itself. */
function indexFor({ subscriberId, address, mac, nasId, open }: SessionLogFilter): string {
  if (subscriberId) return "INDEXED BY sessions_subscriber";
  if (address) return "";
  if (mac) return "INDEXED BY sessions_mac";
  if (open === 1) return "INDEXED BY sessions_open_started";
  return nasId ? "INDEXED BY sessions_nas" : "INDEXED BY sessions_started";
}

function narrowed(
  db: Db,
  scope: Scope,
  { open, subscriberId, nasId, packageId, address, mac }: SessionLogFilter,
): (Condition | undefined)[] {
  if (nasId) nasById(db, scope, nasId);
  return [
    equal("o.subscriber_id", subscriberId),
    address ? heldAddress(address) : undefined,
    equal("o.mac", mac),
    equal("o.nas_id", nasId),
    packageId ? { text: OF_PACKAGE, values: [packageId] } : undefined,
    open === 1 ? { text: "o.stopped_at IS NULL", values: [] } : undefined,
    open === 0 ? { text: "o.stopped_at IS NOT NULL", values: [] } : undefined,
  ];
}

// scalars, which are no joins that SQLite could begin with
const OF_PACKAGE = "(SELECT v.package_id = ? FROM services v WHERE v.subscriber_id = o.subscriber_id)";

function inScope(scope: Scope): Condition | undefined {
  const { text, values } = scopeEver(scope);
  if (values.length === 0) return undefined;
  const theirs = `(SELECT ${text} FROM subscribers s WHERE s.id = o.subscriber_id)`;
  if (!seesWholeIsp(scope)) return { text: theirs, values };
  const ofNobody = "o.subscriber_id IS NULL AND (SELECT nas.isp_id = ? FROM nas WHERE nas.id = o.nas_id)";
  return { text: `(${theirs} OR (${ofNobody}))`, values: [...values, scope.ispId] };
}

function throughAll(scope: Scope, filter: SessionLogFilter, matching: Condition): Condition {
  const { text, values } = all(matching, inScope(scope));
  return { text: `SELECT o.id, o.started_at FROM sessions o ${indexFor(filter)} WHERE ${text}`, values };
}

/** From the session of `before` back, in the order of when they began. */
function begun({ $client }: Db, { from, to }: SessionLogFilter, before: number): Condition {
  const range = all(
    from ? { text: "o.started_at >= ?", values: [from] } : undefined,
    to ? { text: "o.started_at <= ?", values: [to] } : undefined,
  );
  if (before === Number.MAX_SAFE_INTEGER) return range;
  const last = $client
    .query<{ at: Seconds }, [number]>("SELECT started_at AS at FROM sessions WHERE id = ?")
    .get(before);
  // forgotten meanwhile, as what began before it
  if (!last) return { text: "FALSE", values: [] };
  return all(range, { text: "(o.started_at, o.id) < (?, ?)", values: [last.at, before] });
}

/** The subscribers that are seen and have the package. */
function who(scope: Scope, { packageId }: SessionLogFilter): Condition {
  const services = packageId ? "CROSS JOIN subscribers s ON s.id = v.subscriber_id" : "";
  const { text, values } = all(equal("v.package_id", packageId), scopeEver(scope));
  return { text: `${packageId ? "services v" : "subscribers s"} ${services} WHERE ${text}`, values };
}

/** Infinity: nothing narrows them. */
function countWho({ $client }: Db, scope: Scope, filter: SessionLogFilter): number {
  const { text, values } = who(scope, filter);
  if (values.length === 0) return Infinity;
  const count = $client
    .query<{ n: number }, Value[]>(`SELECT count(*) AS n FROM (SELECT 1 FROM ${text} LIMIT ${FEW + 1})`)
    .get(...values);
  return count?.n ?? 0;
}

/** Of few subscribers, whose sessions are far apart among all, and where a whole ISP is seen of names that are nobody's. */
function ofFew(scope: Scope, filter: SessionLogFilter, matching: Condition, { limit }: LogPage): Condition {
  const theirs = who(scope, filter);
  const index = filter.open === 1 ? "sessions_open_subscriber" : "sessions_subscriber";
  const arm = (ids: string, { text, values }: Condition): Condition => ({
    text: `SELECT * FROM (SELECT o.id, o.started_at FROM (${ids}) w CROSS JOIN sessions o INDEXED BY ${index} ON o.subscriber_id IS w.id
       WHERE ${text} ORDER BY o.started_at DESC, o.id DESC LIMIT ? + 0)`,
    values: [...values, limit],
  });
  const first = arm(`SELECT s.id FROM ${theirs.text}`, {
    text: matching.text,
    values: [...theirs.values, ...matching.values],
  });
  if (!seesWholeIsp(scope) || filter.packageId) return first;
  const second = arm("SELECT NULL AS id", all(matching, inScope(scope)));
  return { text: `${first.text} UNION ALL ${second.text}`, values: [...first.values, ...second.values] };
}
