import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { authLog } from "../../../../db/schema.ts";
import { findUnauthenticated } from "../../goods/nas/sources.ts";
import { type Actor, type Scope, scopeCondition, seesIsp, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { endAsThawed } from "../../goods/subscribers/frozen.ts";
import { profileStatus } from "../../goods/subscribers/record.ts";
import { fold } from "../../core/fields/text.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { reasonWords } from "./outcomes.ts";
import { findWrongSecrets } from "./wrong-secret.ts";

/** Decisions shown, and examined for a pattern. */
const DECISIONS = 10;

/** Why a subscriber is online or not: status, last decisions, and conclusions. */
export interface Explanation {
  username: string;
  /** null: no such username. */
  status: string | null;
  expires: string | null;
  online: { since: string; address: string | null; nas: string | null } | null;
  decisions: {
    at: string;
    accepted: boolean;
    reason: string;
    words: string;
    nas: string;
    mac: string | null;
  }[];
  /** Conclusions in plain words, with what to do. */
  findings: string[];
}

/** The last decisions about a username, in plain words (`gatehouse why`). */
export function explain(db: Db, by: Actor, username: string, { now }: { now: Seconds }): Explanation {
  permit(by, "explain");
  const row = subscriberNamed(db, by.scope, username);
  const subscriberId = row?.id;
  const decisions = decisionsAbout(db, by.scope, { subscriberId, username });
  const dropped = findDropped(db, by.scope, row, decisions, now);
  const session = subscriberId === undefined ? undefined : openSession(db, by.scope, subscriberId);
  return {
    username: row?.username ?? username,
    status: row ? profileStatus(row.status, row.expiresAt, now, row.frozenAt) : null,
    expires:
      typeof row?.expiresAt === "number" ? formatTime(endAsThawed(row.expiresAt, row.frozenAt, now)) : null,
    online: session ?? null,
    decisions: decisions.map(({ entry, nasName }) => ({
      at: formatTime(entry.at),
      accepted: entry.accepted === 1,
      reason: entry.reason,
      words: reasonWords(entry.reason),
      nas: nasName ?? (entry.nasId === null ? "radtest" : entry.nasAddress),
      mac: entry.mac,
    })),
    findings: [
      ...(row ? [] : [`there is no subscriber with the username ${username}`]),
      ...(row ? frozenWords(row, username) : []),
      ...findWrongSecrets(db, decisions, now),
      // dropped requests carry no name, so one may have been this subscriber's
      ...(dropped.length > 0 || decisions.length > 0 ? [] : [noRequests(username)]),
      ...dropped,
    ],
  };
}

interface Named {
  readonly id: number;
  readonly username: string;
  readonly status: number;
  readonly ispId: number;
  readonly nasId: number | null;
  readonly expiresAt: Seconds | null;
  readonly frozenAt: Seconds | null;
}

function subscriberNamed({ $client }: Db, scope: Scope, username: string): Named | undefined {
  const { text, values } = all(
    { text: "s.username_key = ?", values: [fold(username)] },
    scopeCondition(scope),
  );
  const select = `SELECT s.id, s.username, s.status, s.isp_id AS ispId, s.nas_id AS nasId, v.expires_at AS expiresAt,
      v.frozen_at AS frozenAt
    FROM subscribers s LEFT JOIN services v ON v.subscriber_id = s.id`;
  return $client.query<Named, Value[]>(`${select} WHERE ${text}`).get(...values) ?? undefined;
}

/** The router's name is null outside the scope. */
const OF_ISP = "nas.isp_id = coalesce(?, nas.isp_id)";

function decisionsAbout(
  { $client }: Db,
  scope: Scope,
  { subscriberId, username }: { subscriberId: number | undefined; username: string },
) {
  const { text, values } = all(
    subscriberId === undefined
      ? { text: "l.username = ?", values: [username] }
      : { text: "(l.subscriber_id = ? OR l.username = ?)", values: [subscriberId, username] },
    decisionInScope(scope),
  );
  return $client
    .query<typeof authLog.$inferSelect & { nasName: string | null }, Value[]>(
      `SELECT ${selectColumns(authLog, "l")}, nas.name AS nasName FROM auth_log l
       LEFT JOIN nas ON nas.id = l.nas_id AND ${OF_ISP} WHERE ${text} ORDER BY l.id DESC LIMIT ${DECISIONS}`,
    )
    .all(scope.ispId, ...values)
    .map(({ nasName, ...entry }) => ({ entry, nasName }));
}

/** Decisions about subscribers in the scope; of unknown names those at routers of an ISP that is wholly in it. */
function decisionInScope(scope: Scope): Condition | undefined {
  const { ispId } = scope;
  if (seesWholeIsp(scope) && ispId === null) return undefined;
  const { text, values } = scopeCondition(scope);
  const ofSubscriber = `EXISTS (SELECT 1 FROM subscribers s WHERE s.id = l.subscriber_id AND ${text})`;
  if (!seesWholeIsp(scope)) return { text: ofSubscriber, values };
  return {
    text: `(${ofSubscriber} OR (l.subscriber_id IS NULL AND nas.isp_id = ?))`,
    values: [...values, ispId],
  };
}

interface OpenSession {
  startedAt: Seconds;
  framedIp: string | null;
  nasAddress: string;
  nasName: string | null;
}

function openSession({ $client }: Db, scope: Scope, subscriberId: number): Explanation["online"] | undefined {
  const found = $client
    .query<OpenSession, [number | null, number]>(
      `SELECT o.started_at AS startedAt, o.framed_ip AS framedIp, o.nas_address AS nasAddress, nas.name AS nasName
       FROM sessions o LEFT JOIN nas ON nas.id = o.nas_id AND ${OF_ISP}
       WHERE o.subscriber_id = ? AND o.stopped_at IS NULL ORDER BY o.started_at DESC LIMIT 1`,
    )
    .get(scope.ispId, subscriberId);
  return (
    found && {
      since: formatTime(found.startedAt),
      address: found.framedIp,
      nas: found.nasName ?? found.nasAddress,
    }
  );
}

/** Dropped requests carry no name: those of the subscriber's routers, or of all of its ISP's when none is known. */
function findDropped(
  db: Db,
  scope: Scope,
  subscriber: { ispId: number; nasId: number | null } | undefined,
  decisions: readonly { entry: { nasId: number | null } }[],
  now: Seconds,
): string[] {
  const used = [subscriber?.nasId, ...decisions.map(({ entry }) => entry.nasId)].filter(
    (nasId) => typeof nasId === "number",
  );
  return findUnauthenticated(db, now)
    .filter((router) => seesIsp(scope, router))
    .filter(({ nasId, ispId }) =>
      used.length > 0 ? used.includes(nasId) : subscriber === undefined || subscriber.ispId === ispId,
    )
    .slice(0, DECISIONS)
    .map(({ words }) => words);
}

function frozenWords({ frozenAt }: { frozenAt: Seconds | null }, username: string): string[] {
  if (frozenAt === null) return [];
  return [
    `the service has been frozen since ${formatTime(frozenAt)}; let it go on with: gatehouse subscriber thaw ${username}`,
  ];
}

function noRequests(username: string): string {
  return (
    `no router has asked about ${username} in the time that decisions are kept: the device does not dial, or the router does ` +
    'not reach us; look in the log for "unknown NAS" and "not signed with our shared secret"'
  );
}
