import { eq } from "drizzle-orm";
import { type Db, write } from "../../../db/open.ts";
import { nas, sessions } from "../../../db/schema.ts";
import { decide, type Decision, type Grant } from "../access/decide.ts";
import { grantedBy, loginTerms } from "../access/granted.ts";
import { AccessReader, type Candidate, type Service } from "../access/reader.ts";
import { audit } from "../audit.ts";
import { DomainError } from "../errors.ts";
import type { Session } from "../sessions/advance.ts";
import type { Granted } from "../sessions/session-class.ts";
import { setting } from "../settings/settings.ts";
import type { Actor } from "../staff/actor.ts";
import { type Subscriber, subscriberById } from "../subscribers/find.ts";
import type { Clock, Seconds } from "../time.ts";
import {
  type Asked,
  bookAnswers,
  endSessions,
  openSessions,
  requireDisconnectEnabled,
  requireNoFailure,
} from "./disconnect.ts";
import type { RouterAnswer, Routers } from "./routers.ts";

/** `changed`: while online; `reconnected`: by ending the session; `unchanged`: it had what it should have. */
export type Applied = "changed" | "reconnected" | "unchanged" | "already_offline";

/** What has to happen to an open session so that it has what a login would get now. */
type Step =
  | { kind: "keep"; granted: Granted | undefined }
  | { kind: "rate"; rateLimit: string; granted: Granted }
  | { kind: "reconnect" };

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
  if (subscriber.connectionTypeId > 2) {
    throw new DomainError(
      "refused",
      `connection type ${subscriber.connectionTypeId} is not served over RADIUS; only types 1 and 2 have a service to apply`,
    );
  }
  const steps = stepsOf(db, subscriber, clock());
  if (steps.some(({ step }) => step.kind === "reconnect")) requireDisconnectEnabled(db);
  const mayReconnect = setting(db, "disconnect_enabled");
  const applied = await take(db, subscriber, steps, { clock, by, routers, mayReconnect });
  requireNoFailure(applied.asked);
  return applied.outcome;
}

/** As applyService, by the appliance itself: failures are in the answers, and disconnect_enabled does not bind it. */
export async function enforceService(
  db: Db,
  { subscriberId, clock, by, routers }: Application,
): Promise<{ outcome: Applied; asked: readonly Taken[] }> {
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const steps = stepsOf(db, subscriber, clock());
  return take(db, subscriber, steps, { clock, by, routers, mayReconnect: true });
}

/**
 * As applyService: failures are in the answers. `left`: sessions that would have to redial, and stay as they are because
 * disconnect_enabled is off.
 */
export async function applyTerms(
  db: Db,
  { subscriberId, clock, by, routers }: Application,
): Promise<{ asked: readonly Taken[]; left: number }> {
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const mayReconnect = setting(db, "disconnect_enabled");
  const steps = stepsOf(db, subscriber, clock());
  const allowed = steps.filter(({ step }) => mayReconnect || step.kind !== "reconnect");
  const { asked } = await take(db, subscriber, allowed, { clock, by, routers, mayReconnect });
  return { asked, left: steps.length - allowed.length };
}

type Planned = { session: Session; step: Step };

function stepsOf(db: Db, { id, usernameKey }: Subscriber, now: Seconds): Planned[] {
  const open = openSessions(db, id);
  const candidate = new AccessReader(db).candidate(usernameKey);
  if (open.length === 0 || !candidate) return [];
  const { service } = candidate;
  return open.flatMap((session): Planned[] => {
    const ispId = ispOf(db, session) ?? candidate.ispId;
    if (service)
      return [{ session, step: stepOf(session, service, decideNow(candidate, session, { now, ispId })) }];
    const isBarred = candidate.status !== 1 || ispId !== candidate.ispId;
    return isBarred ? [{ session, step: { kind: "reconnect" } }] : [];
  });
}

/** Of the router that reported the session, as long as it is among the NAS. */
function ispOf(db: Db, { nasId }: Session): number | undefined {
  return nasId === null ? undefined : db.select().from(nas).where(eq(nas.id, nasId)).get()?.ispId;
}

/** How a login of the session would be answered now. */
function decideNow(
  candidate: Candidate,
  { mac, nasAddress }: Session,
  { now, ispId }: { now: Seconds; ispId: number },
): Decision {
  return decide(candidate, {
    ispId,
    nasAddress,
    mac: mac ?? undefined,
    kind: "other",
    passwordIsRight: true,
    sessions: () => [],
    pending: () => 0,
    replacesAtPort: () => false,
    expiredSessionTimeout: 0, // no timeout is compared
    now,
  });
}

/** CoA can change the rate; the address, the pools and the address list need a new login. */
function stepOf(session: Session, service: Service, decision: Decision): Step {
  if (!decision.accept) return { kind: "reconnect" };
  const granted = grantedBy(decision);
  const { rateLimit } = decision.grant;
  const needsLogin =
    session.grantedTerms === null
      ? mayDiffer(session, service, decision.grant)
      : session.grantedTerms !== granted.grantedTerms;
  if (needsLogin) return { kind: "reconnect" };
  if (session.grantedRate === granted.grantedRate)
    return { kind: "keep", granted: session.acceptedAs === granted.acceptedAs ? undefined : granted };
  return rateLimit === undefined ? { kind: "reconnect" } : { kind: "rate", rateLimit, granted };
}

/** Whether a session may have been given other terms, where its Class does not say which. */
function mayDiffer(session: Session, { expiredPool, expiredAddressList }: Service, grant: Grant): boolean {
  const mayBeConfined = expiredPool !== null || expiredAddressList !== null;
  return (
    mayBeConfined ||
    loginTerms(grant).some(([name, value]) => name !== "framedIp" || value !== session.framedIp)
  );
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
  if (step.kind === "keep") {
    if (step.granted) storeGranted(db, session, step.granted);
    return { session, answer: { kind: "acknowledged" }, how: "unchanged" };
  }
  if (step.kind === "reconnect") return reconnect(db, subscriber, session, means);
  const answer = await means.routers.changeRate(subscriber, session, step.rateLimit);
  if (answer.kind === "acknowledged") {
    storeGranted(db, session, step.granted);
    return { session, answer, how: "changed" };
  }
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

function storeGranted(db: Db, { id }: Session, granted: Granted): void {
  write(db, (tx) => tx.update(sessions).set(granted).where(eq(sessions.id, id)).run());
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
