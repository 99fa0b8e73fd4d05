import { and, asc, eq, isNull } from "drizzle-orm";
import { type Db, write } from "../../../db/open.ts";
import { sessions } from "../../../db/schema.ts";
import { audit } from "../audit.ts";
import { DomainError } from "../errors.ts";
import type { Session } from "../sessions/advance.ts";
import { setting } from "../settings/settings.ts";
import type { Actor } from "../staff/actor.ts";
import { isServedOverRadius, isUserOfRouter } from "../subscribers/connection-types.ts";
import { type Subscriber, subscriberById } from "../subscribers/find.ts";
import type { Clock } from "../time.ts";
import { isConfirmed } from "./confirm.ts";

/**
 * What a router said when it was asked to do something with a session: done, no such session, or why not. `isSilent`: it
 * said nothing at all, so that another request now would wait as long.
 */
export type RouterAnswer =
  { kind: "acknowledged" } | { kind: "gone" } | { kind: "failed"; reason: string; isSilent?: boolean };

/** Whose session a router is asked about: a subscriber, or a name that is none's, which has no id. */
export type Holder = Pick<Subscriber, "username" | "connectionTypeId" | "macLogin" | "nasId"> & {
  readonly id: number | null;
  readonly ispId: number | null;
};

/** Who is online at a router under a name; uptime in seconds. */
export interface OnlineUser {
  readonly id: string;
  readonly address: string | null;
  readonly mac: string | null;
  readonly uptime: number | null;
}

/** `unknown`: the router has no API that could be asked. */
export type OnlineAnswer =
  { kind: "listed"; users: readonly OnlineUser[] } | { kind: "unknown" | "failed"; reason: string };

/**
 * Asks the router of a subscriber to end a session; null for types 3 and 4, which have none in our books. `silence` is what
 * came of asking it over RADIUS a moment ago, so that it is not waited for twice. Never rejects.
 */
export type DisconnectSession = (
  holder: Holder,
  session: Session | null,
  silence?: RouterAnswer,
) => Promise<RouterAnswer>;

/** The routers as the domain asks them. None rejects. */
export interface Routers {
  readonly disconnect: DisconnectSession;
  /** Gives a session another rate without ending it. */
  readonly changeRate: (holder: Holder, session: Session, rateLimit: string) => Promise<RouterAnswer>;
  /** Whom the router lists under the holder's name. */
  readonly find: (holder: Holder, session: Session | null) => Promise<OnlineAnswer>;
}

/** `disconnected`: the router has acknowledged it; `confirmed`: and the subscriber was seen to be gone. */
export type Disconnected = "confirmed" | "disconnected" | "already_offline";

export interface Disconnection {
  subscriberId: number;
  clock: Clock;
  by: Actor;
  routers: Routers;
}

/**
 * Ends every open session of a subscriber on its router, and then in our books.
 * Throws refused (switched off), not_found, router_failed: what failed stays open in the books.
 */
export async function disconnect(
  db: Db,
  { subscriberId, clock, by, routers }: Disconnection,
): Promise<Disconnected> {
  requireDisconnectEnabled(db);
  const subscriber = subscriberById(db, by.scope, subscriberId);
  return disconnectSessions(db, subscriber, targetsOf(db, subscriber), { clock, by, routers });
}

/** Ends sessions of one holder on their routers, and then in our books. Throws router_failed. */
export async function disconnectSessions(
  db: Db,
  holder: Holder,
  targets: readonly (Session | null)[],
  { clock, by, routers }: Omit<Disconnection, "subscriberId">,
): Promise<Disconnected> {
  const since = performance.now();
  const asked = await endSessions(db, holder, targets, { clock, by, routers });
  requireNoFailure(asked);
  const acknowledged = asked.filter(({ answer }) => answer.kind === "acknowledged");
  if (acknowledged.length === 0) return "already_offline";
  const patience = setting(db, "disconnect_confirm");
  const ended = acknowledged.map(({ session }) => session);
  return (await isConfirmed(db, holder, ended, { routers, since, patience })) ? "confirmed" : "disconnected";
}

/** Throws `refused` while staff may not disconnect anybody. */
export function requireDisconnectEnabled(db: Db): void {
  if (setting(db, "disconnect_enabled")) return;
  throw new DomainError(
    "refused",
    "disconnecting is switched off; switch it on with: gatehouse settings set disconnect_enabled true",
  );
}

export interface Asked {
  session: Session | null;
  answer: RouterAnswer;
}

/** Throws `router_failed` with every reason when a router did not do it. */
export function requireNoFailure(asked: readonly Asked[]): void {
  const reasons = asked.flatMap(({ answer }) => (answer.kind === "failed" ? [answer.reason] : []));
  if (reasons.length > 0) throw new DomainError("router_failed", [...new Set(reasons)].join("; "));
}

/** Asks the routers to end sessions, and books what they did. What failed stays open in the books. */
export async function endSessions(
  db: Db,
  holder: Holder,
  targets: readonly (Session | null)[],
  { clock, by, routers, silence }: { clock: Clock; by: Actor; routers: Routers; silence?: RouterAnswer },
): Promise<Asked[]> {
  const asked = await Promise.all(
    targets.map(async (session) => ({
      session,
      answer: await routers.disconnect(holder, session, silence),
    })),
  );
  bookAnswers(db, holder, asked, { now: clock(), by });
  return asked;
}

function targetsOf(db: Db, { id, connectionTypeId }: Subscriber): (Session | null)[] {
  if (isServedOverRadius(connectionTypeId)) return openSessions(db, id);
  return isUserOfRouter(connectionTypeId) ? [null] : [];
}

/** The open accounting sessions of a subscriber, the oldest first. */
export function openSessions(db: Db, subscriberId: number): Session[] {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.subscriberId, subscriberId), isNull(sessions.stoppedAt)))
    .orderBy(asc(sessions.id))
    .all();
}

/** The Stop that follows an ACK brings the final counters; until then the last known ones stand. */
export function bookAnswers(
  db: Db,
  holder: Holder,
  asked: readonly Asked[],
  { now, by }: { now: number; by: Actor },
): void {
  if (asked.length === 0) return;
  write(db, (tx) => {
    for (const { session, answer } of asked) {
      if (!session || answer.kind === "failed") continue;
      tx.update(sessions)
        .set({
          stoppedAt: Math.max(now, session.startedAt),
          closedBy: "disconnect",
          terminateCause: answer.kind === "acknowledged" ? "Admin-Reset" : "lost",
        })
        .where(and(eq(sessions.id, session.id), isNull(sessions.stoppedAt)))
        .run();
    }
    audit(tx, by, now, {
      action: "subscriber.disconnect",
      entity: holder.id === null ? "session" : "subscriber",
      entityId: holder.id ?? asked[0]?.session?.id ?? holder.username,
      ispId: holder.ispId,
      after: {
        answers: asked.map(({ session, answer }) => ({ session_id: session?.acctSessionId, ...answer })),
      },
    });
  });
}
