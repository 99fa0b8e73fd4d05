import { and, asc, desc, eq, gte, inArray, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { nas, sessions, subscribers } from "../../../db/schema.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { fold } from "../text.ts";
import { formatTime, type Seconds } from "../time.ts";
import { sessionInScope } from "./in-scope.ts";

/** Which sessions are wanted; what is absent does not narrow them. All given must match. */
export interface SessionFilter {
  /** A subscriber's, without case, or a name as the router sent it. */
  username?: string | undefined;
  /** Name or address of the NAS. */
  nas?: string | undefined;
  /** AA:BB:CC:DD:EE:FF. */
  mac?: string | undefined;
  framedIp?: string | undefined;
  /** Closed ones too. */
  all?: boolean | undefined;
  /** Sessions that were open at some moment between the two. */
  from?: Seconds | undefined;
  until?: Seconds | undefined;
  limit?: number | undefined;
}

/**
 * Sessions in the actor's scope, as staff see them: who is online, the oldest first; with `all` every session, the newest first. `user_id` is
 * null for a name that we do not know.
 */
export function listSessions(db: Db, by: Actor, filter: SessionFilter = {}) {
  permit(by, "listSessions");
  return db
    .select({ session: sessions, nasName: nas.name })
    .from(sessions)
    .leftJoin(nas, eq(nas.id, sessions.nasId))
    .leftJoin(subscribers, eq(subscribers.id, sessions.subscriberId))
    .where(and(matches(db, filter), sessionInScope(by.scope)))
    .orderBy(
      ...(filter.all
        ? [desc(sessions.startedAt), desc(sessions.id)]
        : [asc(sessions.startedAt), asc(sessions.id)]),
    )
    .limit(filter.limit ?? -1)
    .all()
    .map(({ session, nasName }) => shownSession(session, nasName));
}

/** A session in the words of the API. */
export function shownSession(session: typeof sessions.$inferSelect, nasName: string | null) {
  return {
    username: session.username,
    user_id: session.subscriberId,
    ip: session.framedIp,
    ipv6_prefix: session.framedIpv6Prefix,
    ipv6_delegated_prefix: session.delegatedIpv6Prefix,
    mac: session.mac,
    nas: nasName,
    nas_ip: session.nasIp ?? session.nasAddress,
    session_id: session.acctSessionId,
    start_time: formatTime(session.startedAt),
    last_update: formatTime(session.updatedAt),
    stop_time: session.stoppedAt === null ? null : formatTime(session.stoppedAt),
    terminate_cause: session.terminateCause,
    session_time: session.sessionTime,
    input_octets: session.inputOctets,
    output_octets: session.outputOctets,
  };
}

function matches(db: Db, filter: SessionFilter): SQL | undefined {
  const { username, nas: router, mac, framedIp, all, from, until } = filter;
  const named = (key: string) =>
    db.select({ id: subscribers.id }).from(subscribers).where(eq(subscribers.usernameKey, key));
  return and(
    all ? undefined : isNull(sessions.stoppedAt),
    username === undefined
      ? undefined
      : or(eq(sessions.username, username), inArray(sessions.subscriberId, named(fold(username)))),
    router === undefined
      ? undefined
      : or(eq(nas.name, router), eq(sessions.nasAddress, router), eq(sessions.nasIp, router)),
    mac === undefined ? undefined : eq(sessions.mac, mac),
    framedIp === undefined ? undefined : eq(sessions.framedIp, framedIp),
    from === undefined ? undefined : or(isNull(sessions.stoppedAt), gte(sessions.stoppedAt, from)),
    until === undefined ? undefined : lte(sessions.startedAt, until),
  );
}
