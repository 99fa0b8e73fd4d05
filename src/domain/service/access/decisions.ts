import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, type Scope, type Widened, widened, widenedScope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import { likeKnown } from "./like-known.ts";
import { decisionInScope, ofFew } from "./log.ts";

export interface DecisionFilter {
  readonly reason?: string | undefined;
  readonly accepted?: 0 | 1 | undefined;
  readonly nasId?: number | undefined;
  /** As the router sent it, or a subscriber's username ignoring case. */
  readonly username?: string | undefined;
  /** AA:BB:CC:DD:EE:FF. */
  readonly mac?: string | undefined;
  /** Only unknown names, or only subscribers' names. */
  readonly kind?: "pppoe" | "hotspot" | "unknown" | undefined;
}

export interface Decision {
  readonly id: number;
  readonly at: Seconds;
  readonly username: string;
  readonly subscriberId: number | null;
  readonly name: string | null;
  readonly accepted: 0 | 1;
  readonly reason: string;
  readonly mac: string | null;
  readonly nasId: number | null;
  /** null when outside the scope. */
  readonly nasName: string | null;
  readonly nasAddress: string;
  readonly packageName: string | null;
  readonly expiresAt: Seconds | null;
  /** Of the session that followed. */
  readonly framedIp: string | null;
  /** Rejects of this name within the hour before; 0 for an accepted one. */
  readonly refusedInHour: number;
  /** For an unknown name, a username that differs by one typing mistake. */
  readonly like: { readonly subscriberId: number; readonly username: string } | null;
}

interface DecisionPage {
  readonly limit: number;
  readonly before: number;
}

export interface Decisions {
  readonly rows: readonly Decision[];
  /** Id to continue from on the next page; null: no older ones. */
  readonly older: number | null;
}

/** Most decisions scanned for a page; rare matches continue on the next page. */
const LOOKED_AT = 50_000;
const HOUR = 3600;
const FOLLOWS = 120;
/** Most rejects of a name that are counted. */
const COUNTED = 999;

export function decisions(
  db: Db,
  by: Actor,
  filter: DecisionFilter,
  { limit, before, wide = widened(db, by.scope) }: DecisionPage & { readonly wide?: Widened },
): Decisions {
  permit(by, "decisions");
  const { scope } = by;
  const { $client } = db;
  const newest =
    $client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM auth_log").get()?.id ?? 0;
  const last = Math.min(before - 1, newest);
  const isDirect = filter.username !== undefined;
  const first = isDirect ? 0 : Math.max(0, last - LOOKED_AT);
  const { text, values } = all(
    { text: "a.id <= ? AND a.id > ?", values: [last, first] },
    ...narrowed(filter),
    decisionInScope(widenedScope(by.scope, wide)),
    isDirect ? undefined : ofFew($client, scope),
  );
  const rows = $client
    .query<Row, Value[]>(`${SELECT} WHERE ${text} ORDER BY a.id DESC LIMIT ? + 0`)
    .all(scope.ispId, ...values, limit + 1);
  const kept = rows.slice(0, limit);
  const older = rows.length > limit ? (kept.at(-1)?.id ?? null) : first > 0 ? first + 1 : null;
  return { rows: withLikes(db, by, kept), older };
}

function narrowed({
  reason,
  accepted,
  nasId,
  username,
  mac,
  kind,
}: DecisionFilter): (Condition | undefined)[] {
  return [
    equal("a.reason", reason),
    equal("a.accepted", accepted),
    equal("a.nas_id", nasId),
    equal("a.mac", mac),
    username === undefined
      ? undefined
      : { text: `(a.username = ? OR a.subscriber_id IN (${NAMED}))`, values: [username, fold(username)] },
    kind ? { text: KINDS[kind], values: [] } : undefined,
  ];
}

const NAMED = "SELECT id FROM subscribers WHERE username_key = ?";
const TYPE = "(SELECT s.connection_type_id FROM subscribers s WHERE s.id = a.subscriber_id)";
const KINDS = {
  pppoe: `${TYPE} = 1`,
  hotspot: `${TYPE} = 2`,
  unknown: "a.subscriber_id IS NULL",
} as const;

type Row = Omit<Decision, "like">;

const addressBy = (holder: "subscriber" | "card", id: string) =>
  `(SELECT o.framed_ip FROM sessions o INDEXED BY sessions_${holder}
      WHERE o.${holder}_id = ${id} AND o.started_at BETWEEN a.at - 5 AND a.at + ${FOLLOWS} ORDER BY o.started_at LIMIT 1)`;

const SELECT = `
  SELECT a.id, a.at, a.username, a.subscriber_id AS subscriberId, s.name, a.accepted, a.reason, a.mac, a.nas_id AS nasId,
    nas.name AS nasName, a.nas_address AS nasAddress, coalesce(p.name, cp.name) AS packageName, v.expires_at AS expiresAt,
    iif(a.accepted = 1, coalesce(${addressBy("subscriber", "a.subscriber_id")}, ${addressBy("card", "a.card_id")}), NULL) AS framedIp,
    iif(a.accepted = 1, 0, (SELECT count(*) FROM (SELECT 1 FROM auth_log b
      WHERE b.username = a.username AND b.id <= a.id AND b.id > a.id - ${LOOKED_AT} AND +b.at > a.at - ${HOUR} AND b.accepted = 0 LIMIT ${COUNTED}))) AS refusedInHour
  FROM auth_log a LEFT JOIN subscribers s ON s.id = a.subscriber_id
    LEFT JOIN nas ON nas.id = a.nas_id AND nas.isp_id = coalesce(?, nas.isp_id)
    LEFT JOIN services v ON v.subscriber_id = a.subscriber_id LEFT JOIN packages p ON p.id = v.package_id
    LEFT JOIN cards c ON c.id = a.card_id LEFT JOIN card_batches cb ON cb.id = c.batch_id LEFT JOIN packages cp ON cp.id = cb.package_id`;

function withLikes(db: Db, { scope }: Actor, rows: readonly Row[]): Decision[] {
  const names = rows.filter(({ reason }) => reason === "unknown_user").map(({ username }) => username);
  const likes = likeKnown(db, scope, names);
  return rows.map((row) => Object.assign(row, { like: likes.get(row.username) ?? null }));
}

export interface DecisionsNow {
  readonly since: Seconds;
  readonly isWhole: boolean;
  readonly accepted: number;
  readonly confined: number;
  readonly rejected: readonly { readonly reason: string; readonly logins: number }[];
  /** Devices that try one unknown name after another. */
  readonly guessing: {
    readonly mac: string;
    readonly nasName: string | null;
    readonly names: number;
    readonly firstAt: Seconds;
    readonly lastAt: Seconds;
  } | null;
}

/** Most decisions of the hour that are counted. */
const COUNTED_NOW = 10_000;
/** Distinct unknown names from which on a device counts as guessing. */
const GUESSES = 5;

export function decisionsNow(
  db: Db,
  by: Actor,
  { now, wide = widened(db, by.scope) }: { now: Seconds; wide?: Widened },
): DecisionsNow {
  permit(by, "decisionsNow");
  const { $client } = db;
  const first = findFirstOfHour($client, now);
  const last = within(widenedScope(by.scope, wide), first.id);
  const reasons = $client
    .query<{ reason: string; accepted: 0 | 1; logins: number }, Value[]>(
      `SELECT a.reason, a.accepted, count(*) AS logins FROM auth_log a WHERE ${last.text} GROUP BY 1, 2 ORDER BY 3 DESC`,
    )
    .all(...last.values);
  const accepted = reasons.filter((row) => row.accepted === 1);
  return {
    since: first.isCut ? first.at : now - HOUR,
    isWhole: !first.isCut,
    accepted: sum(accepted),
    confined: sum(accepted.filter(({ reason }) => isConfining(reason))),
    rejected: reasons.filter((row) => row.accepted === 0).map(({ reason, logins }) => ({ reason, logins })),
    guessing: guessing($client, by.scope, last),
  };
}

interface First {
  readonly id: number;
  readonly at: Seconds;
  /** The hour had more decisions than were counted. */
  readonly isCut: boolean;
}

/** The oldest decision counted; past the newest when the hour had none. */
function findFirstOfHour($client: Db["$client"], now: Seconds): First {
  const cut = $client
    .query<{ id: number; at: Seconds }, []>(
      `SELECT id, at FROM auth_log WHERE id >= (SELECT max(id) FROM auth_log) - ${COUNTED_NOW} ORDER BY id LIMIT 1`,
    )
    .get();
  const hour = $client
    .query<{ id: number; at: Seconds }, [Seconds]>(
      "SELECT id, at FROM auth_log WHERE at >= ? ORDER BY at, id LIMIT 1",
    )
    .get(now - HOUR);
  if (!cut || !hour) return { id: Number.MAX_SAFE_INTEGER, at: now, isCut: false };
  return cut.id > hour.id ? { ...cut, isCut: true } : { ...hour, isCut: false };
}

const isConfining = (reason: string) => reason === "accepted_expired" || reason === "accepted_quota_used_up";
const sum = (rows: readonly { logins: number }[]) => rows.reduce((all, { logins }) => all + logins, 0);

function within(scope: Scope, first: number): Condition {
  return all({ text: "a.id >= ?", values: [first] }, decisionInScope(scope));
}

function guessing(
  $client: Db["$client"],
  { ispId }: Scope,
  { text, values }: Condition,
): DecisionsNow["guessing"] {
  return $client
    .query<NonNullable<DecisionsNow["guessing"]>, Value[]>(
      `SELECT a.mac, (SELECT nas.name FROM nas WHERE nas.id = a.nas_id AND nas.isp_id = coalesce(?, nas.isp_id)) AS nasName,
         count(DISTINCT a.username) AS names, min(a.at) AS firstAt, max(a.at) AS lastAt
       FROM auth_log a WHERE ${text} AND a.reason = 'unknown_user' AND a.mac IS NOT NULL
       GROUP BY a.mac HAVING names >= ${GUESSES} ORDER BY names DESC LIMIT 1`,
    )
    .get(ispId, ...values);
}
