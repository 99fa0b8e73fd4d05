import { and, desc, eq, inArray, isNull, or, type SQL } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { authLog, nas, services, sessions, subscribers } from "../../../db/schema.ts";
import { findUnauthenticated } from "../nas/sources.ts";
import { type Actor, inIsp, type Scope, seesWholeIsp, subscriberInScope } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { endAsThawed } from "../subscribers/frozen.ts";
import { profileStatus } from "../subscribers/record.ts";
import { fold } from "../text.ts";
import { formatTime, type Seconds } from "../time.ts";
import { wordsOf } from "./outcomes.ts";
import { findWrongSecrets } from "./wrong-secret.ts";

/** Decisions that are shown, and looked at for a pattern. */
const DECISIONS = 10;

/** Why a subscriber is online or not: where it stands, the last decisions about it, and what they point to. */
export interface Explanation {
  username: string;
  /** null: nobody has this username. */
  status: string | null;
  expires: string | null;
  online: { since: string; address: string | null; nas: string | null } | null;
  /** The newest first. */
  decisions: {
    at: string;
    accepted: boolean;
    reason: string;
    words: string;
    nas: string;
    mac: string | null;
  }[];
  /** What the decisions point to, in plain words and with what to do. */
  findings: string[];
}

/** The last decisions about a username, in plain words (`gatehouse why`). */
export function explain(db: Db, by: Actor, username: string, { now }: { now: Seconds }): Explanation {
  permit(by, "explain");
  const row = db
    .select({ subscriber: subscribers, service: services })
    .from(subscribers)
    .leftJoin(services, eq(services.subscriberId, subscribers.id))
    .where(and(eq(subscribers.usernameKey, fold(username)), subscriberInScope(by.scope)))
    .get();
  const subscriberId = row?.subscriber.id;
  const decisions = db
    .select({ entry: authLog, nasName: nas.name })
    .from(authLog)
    .leftJoin(nas, and(eq(nas.id, authLog.nasId), inIsp(by.scope, nas.ispId)))
    .where(
      and(
        subscriberId === undefined
          ? eq(authLog.username, username)
          : or(eq(authLog.subscriberId, subscriberId), eq(authLog.username, username)),
        decisionInScope(db, by.scope),
      ),
    )
    .orderBy(desc(authLog.id))
    .limit(DECISIONS)
    .all();
  const session = subscriberId === undefined ? undefined : openSession(db, by.scope, subscriberId);
  return {
    username: row?.subscriber.username ?? username,
    status: row
      ? profileStatus(
          row.subscriber.status,
          row.service?.expiresAt ?? null,
          now,
          row.service?.frozenAt ?? null,
        )
      : null,
    expires: row?.service ? formatTime(endAsThawed(row.service.expiresAt, row.service.frozenAt, now)) : null,
    online: session ?? null,
    decisions: decisions.map(({ entry, nasName }) => ({
      at: formatTime(entry.at),
      accepted: entry.accepted === 1,
      reason: entry.reason,
      words: wordsOf(entry.reason),
      nas: nasName ?? (entry.nasId === null ? "radtest" : entry.nasAddress),
      mac: entry.mac,
    })),
    findings: [
      ...(row ? [] : [`there is no subscriber with the username ${username}`]),
      ...(row?.service ? frozenWords(row.service, username) : []),
      ...(decisions.length > 0 ? [] : [nobodyAsked(username)]),
      ...findWrongSecrets(db, decisions, now),
      ...findDropped(db, by.scope, row?.subscriber, decisions, now),
    ],
  };
}

/** Decisions about the subscribers of a scope; about a name that is nobody's, at the routers of an ISP that it sees as a whole. */
function decisionInScope(db: Db, scope: Scope): SQL | undefined {
  if (seesWholeIsp(scope) && scope.ispId === null) return undefined;
  const seen = db.select({ id: subscribers.id }).from(subscribers).where(subscriberInScope(scope));
  const ofSubscriber = inArray(authLog.subscriberId, seen);
  if (!seesWholeIsp(scope)) return ofSubscriber;
  return or(ofSubscriber, and(isNull(authLog.subscriberId), inIsp(scope, nas.ispId)));
}

function openSession(db: Db, scope: Scope, subscriberId: number): Explanation["online"] | undefined {
  const found = db
    .select({ session: sessions, nasName: nas.name })
    .from(sessions)
    .leftJoin(nas, and(eq(nas.id, sessions.nasId), inIsp(scope, nas.ispId)))
    .where(and(eq(sessions.subscriberId, subscriberId), isNull(sessions.stoppedAt)))
    .orderBy(desc(sessions.startedAt))
    .limit(1)
    .get();
  return (
    found && {
      since: formatTime(found.session.startedAt),
      address: found.session.framedIp,
      nas: found.nasName ?? found.session.nasAddress,
    }
  );
}

/** Requests that were dropped name nobody: those of the routers that it uses, or where none is known, of its ISP. */
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
    .filter(({ ispId }) => scope.ispId === null || ispId === scope.ispId)
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

function nobodyAsked(username: string): string {
  return (
    `no router has asked about ${username} in the time that decisions are kept: the device does not dial, or the router does ` +
    'not reach us; look in the log for "unknown NAS" and "not signed with our shared secret"'
  );
}
