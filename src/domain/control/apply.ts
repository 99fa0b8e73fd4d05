import { eq } from "drizzle-orm";
import { type Db, write } from "../../../db/open.ts";
import { nas, services } from "../../../db/schema.ts";
import { decide, type Grant } from "../access/decide.ts";
import { AccessReader, type Candidate } from "../access/reader.ts";
import { audit } from "../audit.ts";
import type { Session } from "../sessions/advance.ts";
import { setting } from "../settings/settings.ts";
import type { Actor } from "../staff/actor.ts";
import { requireRadius } from "../subscribers/connection-types.ts";
import { type Subscriber, subscriberById } from "../subscribers/find.ts";
import type { Clock, Seconds } from "../time.ts";
import { type Granted, grantedAtLogin } from "./granted.ts";
import {
  type Asked,
  bookAnswers,
  endSessions,
  openSessions,
  requireDisconnectEnabled,
  requireNoFailure,
  type RouterAnswer,
  type Routers,
} from "./disconnect.ts";

/** `changed`: while online; `reconnected`: by ending the session; `unchanged`: it had what it should have. */
export type Applied = "changed" | "reconnected" | "unchanged" | "already_offline";

/** What has to happen to an open session so that it has what a login would get now. */
type Step = { kind: "keep" } | { kind: "rate"; rateLimit: string } | { kind: "reconnect" };

export interface Application {
  subscriberId: number;
  clock: Clock;
  by: Actor;
  routers: Routers;
}

/**
 * Gives the open sessions of a subscriber what its service says now: the rate by CoA, without dropping them; a disconnect
 * where the pool, the address or the address list changes, or the router refuses CoA. Throws refused, not_found,
 * router_failed.
 */
export async function applyService(
  db: Db,
  { subscriberId, clock, by, routers }: Application,
): Promise<Applied> {
  const subscriber = subscriberById(db, by.scope, subscriberId);
  requireRadius(subscriber, "have a service to apply");
  const steps = stepsOf(db, subscriber, clock());
  if (steps.some(({ step }) => step.kind === "reconnect")) requireDisconnectEnabled(db);
  const mayReconnect = setting(db, "disconnect_enabled");
  const applied = await take(db, subscriber, steps, { clock, by, routers, mayReconnect });
  requireNoFailure(applied.asked);
  return applied.outcome;
}

/**
 * As applyService, by the appliance itself: failures are in the answers, and disconnect_enabled does not bind it. Sessions
 * that `isSlowedDown` knows by their id have the slower rate already and are not told again.
 */
export async function enforceService(
  db: Db,
  { subscriberId, clock, by, routers, isSlowedDown }: Application & { isSlowedDown: (id: number) => boolean },
): Promise<{ outcome: Applied; asked: readonly Taken[] }> {
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const steps = stepsOf(db, subscriber, clock()).filter(
    ({ session, step }) => step.kind !== "rate" || !isSlowedDown(session.id),
  );
  return take(db, subscriber, steps, { clock, by, routers, mayReconnect: true });
}

/**
 * As applyService, for a service whose terms were `before` until now: failures are in the answers. `left`: sessions that would
 * have to redial, and stay as they are because disconnect_enabled is off.
 */
export async function applyTerms(
  db: Db,
  { subscriberId, clock, by, routers, before }: Application & { before: Service },
): Promise<{ asked: readonly Taken[]; left: number }> {
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const mayReconnect = setting(db, "disconnect_enabled");
  const hasItsRate = (step: Step) =>
    step.kind === "rate" && step.rateLimit === before.rateLimit && before.quotaCrossedAt === null;
  const steps = stepsOf(db, subscriber, clock(), before).map(({ session, step }): Planned => {
    return { session, step: hasItsRate(step) ? { kind: "keep" } : step };
  });
  const allowed = steps.filter(({ step }) => mayReconnect || step.kind !== "reconnect");
  const { asked } = await take(db, subscriber, allowed, { clock, by, routers, mayReconnect });
  return { asked, left: steps.length - allowed.length };
}

type Service = typeof services.$inferSelect;
type Planned = { session: Session; step: Step };

function stepsOf(db: Db, { id, usernameKey }: Subscriber, now: Seconds, before?: Service): Planned[] {
  const open = openSessions(db, id);
  const service = before ?? db.select().from(services).where(eq(services.subscriberId, id)).get();
  const candidate = new AccessReader(db).candidate(usernameKey);
  if (open.length === 0 || !candidate) return [];
  const expiredSessionTimeout = setting(db, "expired_session_timeout");
  return open.flatMap((session): Planned[] => {
    const ispId = ispOf(db, session) ?? candidate.ispId;
    const grant = grantNow(candidate, session, { now, ispId, expiredSessionTimeout });
    if (service) return [{ session, step: stepOf(session, grant, grantedAtLogin(db, session, service)) }];
    const isBarred = candidate.status !== 1 || ispId !== candidate.ispId;
    return isBarred ? [{ session, step: { kind: "reconnect" } }] : [];
  });
}

/** Of the router that reported the session, as long as it is among the NAS. */
function ispOf(db: Db, { nasId }: Session): number | undefined {
  return nasId === null ? undefined : db.select().from(nas).where(eq(nas.id, nasId)).get()?.ispId;
}

/** What the session would get if it logged in now; undefined: nothing. */
function grantNow(
  candidate: Candidate,
  { mac, nasAddress }: Session,
  { now, ispId, expiredSessionTimeout }: { now: Seconds; ispId: number; expiredSessionTimeout: number },
): (Grant & { isConfined: boolean }) | undefined {
  const decision = decide(candidate, {
    ispId,
    nasAddress,
    mac: mac ?? undefined,
    kind: "other",
    passwordIsRight: true,
    sessions: () => [],
    pending: () => 0,
    replacesAtPort: () => false,
    expiredSessionTimeout,
    now,
  });
  if (!decision.accept) return undefined;
  const isConfined = decision.reason === "accepted_expired" || decision.reason === "accepted_quota_used_up";
  return { ...decision.grant, isConfined };
}

/** CoA can change the rate; the address, the pools and the address list need a new login. */
function stepOf(session: Session, grant: ReturnType<typeof grantNow>, granted: Granted): Step {
  if (!grant || grant.isConfined !== granted.isConfined) return { kind: "reconnect" };
  if (grant.isConfined) return { kind: "keep" };
  const { framedIp, framedPool, framedIpv6Pool, delegatedIpv6Pool, addressList, rateLimit } = grant;
  const isMoved =
    framedIp === undefined
      ? differs(framedPool, granted.framedPool)
      : session.framedIp !== null && session.framedIp !== framedIp;
  const needsLogin =
    isMoved ||
    differs(framedIpv6Pool, granted.framedIpv6Pool) ||
    differs(delegatedIpv6Pool, granted.delegatedIpv6Pool) ||
    differs(addressList, granted.addressList) ||
    (rateLimit === undefined && granted.rateLimit !== null);
  if (needsLogin) return { kind: "reconnect" };
  return rateLimit === undefined ? { kind: "keep" } : { kind: "rate", rateLimit };
}

function differs(now: string | undefined, then: string | null): boolean {
  return (now ?? null) !== then;
}

interface Means extends Omit<Application, "subscriberId"> {
  mayReconnect: boolean;
  /** As of DisconnectSession. */
  silence?: RouterAnswer;
}

async function take(
  db: Db,
  subscriber: Subscriber,
  planned: readonly Planned[],
  means: Means,
): Promise<{ outcome: Applied; asked: readonly Taken[] }> {
  const taken = await Promise.all(planned.map((one) => takeOne(db, subscriber, one, means)));
  const outcome = outcomeOf(taken);
  if (taken.some(({ how }) => how === "changed"))
    write(db, (tx) =>
      audit(tx, means.by, means.clock(), {
        action: "subscriber.apply",
        entity: "subscriber",
        entityId: subscriber.id,
        ispId: subscriber.ispId,
        after: {
          sessions: taken.map(({ session, how }) => ({ session_id: session.acctSessionId, outcome: how })),
        },
      }),
    );
  return { outcome, asked: taken };
}

/** What was done with one session. */
export type Taken = Asked & { session: Session; how: Applied | "failed" };

async function takeOne(
  db: Db,
  subscriber: Subscriber,
  { session, step }: Planned,
  means: Means,
): Promise<Taken> {
  if (step.kind === "keep") return { session, answer: { kind: "acknowledged" }, how: "unchanged" };
  if (step.kind === "reconnect") return reconnect(db, subscriber, session, means);
  const answer = await means.routers.changeRate(subscriber, session, step.rateLimit);
  if (answer.kind === "acknowledged") return { session, answer, how: "changed" };
  if (answer.kind === "gone") {
    bookAnswers(db, subscriber, [{ session, answer }], { now: means.clock(), by: means.by });
    return { session, answer, how: "already_offline" };
  }
  if (!means.mayReconnect) return { session, answer, how: "failed" };
  if (answer.isSilent) return reconnect(db, subscriber, session, { ...means, silence: answer });
  const ended = await reconnect(db, subscriber, session, means);
  if (ended.answer.kind !== "failed") return ended;
  return { ...ended, answer: { ...ended.answer, reason: `${answer.reason}; ${ended.answer.reason}` } };
}

async function reconnect(db: Db, subscriber: Subscriber, session: Session, means: Means): Promise<Taken> {
  const [asked] = await endSessions(db, subscriber, [session], means);
  const answer = asked?.answer ?? { kind: "gone" };
  const how = { acknowledged: "reconnected", gone: "already_offline", failed: "failed" } as const;
  return { session, answer, how: how[answer.kind] };
}

function outcomeOf(taken: readonly Taken[]): Applied {
  const ways: readonly Applied[] = ["reconnected", "changed", "unchanged"];
  return ways.find((way) => taken.some(({ how }) => how === way)) ?? "already_offline";
}
