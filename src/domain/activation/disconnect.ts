import { and, asc, eq, isNull } from "drizzle-orm";
import { type Db, write } from "../../../db/open.ts";
import { sessions } from "../../../db/schema.ts";
import { audit } from "../audit.ts";
import { DomainError } from "../errors.ts";
import type { Session } from "../sessions/advance.ts";
import { setting } from "../settings/settings.ts";
import type { Actor } from "../staff/actor.ts";
import { type Subscriber, subscriberById } from "../subscribers/find.ts";
import type { Clock } from "../time.ts";

/** What a router said when it was asked to end a session: done, nothing there to end, or why not. */
export type RouterAnswer = { kind: "acknowledged" } | { kind: "gone" } | { kind: "failed"; reason: string };

/** Asks the router of a subscriber to end a session; null for types 3 and 4, which have none in our books. Never rejects. */
export type DisconnectSession = (subscriber: Subscriber, session: Session | null) => Promise<RouterAnswer>;

export type Disconnected = "disconnected" | "already_offline";

/** RADIUS PPPoE and hotspot; 3 and 4 are the router's own users, 5 is a static address without a session. */
const RADIUS_TYPES = new Set([1, 2]);
const STATIC_IP = 5;

export interface Disconnection {
  subscriberId: number;
  clock: Clock;
  by: Actor;
  ask: DisconnectSession;
}

/**
 * Ends every open session of a subscriber on its router, and then in our books (interface.md D, decisions.md Disconnect).
 * Throws refused (switched off), not_found, router_failed: what failed stays open in the books.
 */
export async function disconnect(
  db: Db,
  { subscriberId, clock, by, ask }: Disconnection,
): Promise<Disconnected> {
  if (!setting(db, "disconnect_enabled")) {
    throw new DomainError(
      "refused",
      "disconnecting is switched off; switch it on with: gatehouse settings set disconnect_enabled true",
    );
  }
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const answers = await askAll(db, subscriber, ask);
  const acknowledged = answers.filter(({ answer }) => answer.kind === "acknowledged");
  record(db, subscriber, answers, { now: clock(), by });
  const reasons = answers.flatMap(({ answer }) => (answer.kind === "failed" ? [answer.reason] : []));
  if (reasons.length > 0) throw new DomainError("router_failed", [...new Set(reasons)].join("; "));
  return acknowledged.length > 0 ? "disconnected" : "already_offline";
}

type Asked = { session: Session | null; answer: RouterAnswer };

async function askAll(db: Db, subscriber: Subscriber, ask: DisconnectSession): Promise<Asked[]> {
  const { id, connectionTypeId } = subscriber;
  if (connectionTypeId === STATIC_IP) return [];
  const targets: (Session | null)[] = RADIUS_TYPES.has(connectionTypeId) ? openSessions(db, id) : [null];
  return Promise.all(targets.map(async (session) => ({ session, answer: await ask(subscriber, session) })));
}

function openSessions(db: Db, subscriberId: number): Session[] {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.subscriberId, subscriberId), isNull(sessions.stoppedAt)))
    .orderBy(asc(sessions.id))
    .all();
}

/** The Stop that follows an ACK brings the final counters; until then the last known ones stand. */
function record(
  db: Db,
  subscriber: Subscriber,
  answers: readonly Asked[],
  { now, by }: { now: number; by: Actor },
): void {
  if (answers.length === 0) return;
  write(db, (tx) => {
    for (const { session, answer } of answers) {
      if (!session || answer.kind === "failed") continue;
      tx.update(sessions)
        .set({
          stoppedAt: now,
          closedBy: "disconnect",
          terminateCause: answer.kind === "acknowledged" ? "Admin-Reset" : "Lost",
        })
        .where(and(eq(sessions.id, session.id), isNull(sessions.stoppedAt)))
        .run();
    }
    audit(tx, by, now, {
      action: "subscriber.disconnect",
      entity: "subscriber",
      entityId: subscriber.id,
      ispId: subscriber.ispId,
      after: {
        answers: answers.map(({ session, answer }) => ({ session_id: session?.acctSessionId, ...answer })),
      },
    });
  });
}
