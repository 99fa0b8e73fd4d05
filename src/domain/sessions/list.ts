import { and, asc, desc, eq, gte, inArray, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { nas, sessions, subscribers } from "../../../db/schema.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { fold } from "../text.ts";
import type { Seconds } from "../time.ts";
import { routerInScope, sessionInScope } from "./in-scope.ts";

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

export interface ListedSession {
  session: typeof sessions.$inferSelect;
  nasName: string | null;
}

/** Who is online in the actor's scope, the oldest first; with `all` every session, the newest first. */
export function listSessions(db: Db, by: Actor, filter: SessionFilter = {}): ListedSession[] {
  permit(by, "listSessions");
  return db
    .select({ session: sessions, nasName: nas.name })
    .from(sessions)
    .leftJoin(nas, routerInScope(by.scope))
    .leftJoin(subscribers, eq(subscribers.id, sessions.subscriberId))
    .where(and(matches(db, filter), sessionInScope(by.scope)))
    .orderBy(
      ...(filter.all
        ? [desc(sessions.startedAt), desc(sessions.id)]
        : [asc(sessions.startedAt), asc(sessions.id)]),
    )
    .limit(filter.limit ?? -1)
    .all();
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
