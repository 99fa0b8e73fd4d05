import { type Db, writePatiently } from "../../../../db/open.ts";
import { sessions } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Session } from "../sessions/advance.ts";
import type { Granted } from "../sessions/session-class.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { requireRadius } from "../../goods/subscribers/connection-types.ts";
import { type Subscriber, subscriberById } from "../../goods/subscribers/find.ts";
import {
  type SessionAnswer,
  bookAnswers,
  type ControlNeeds,
  type EndReason,
  endSessions,
  requireDisconnectEnabled,
  requireNoFailure,
} from "./disconnect.ts";
import { type Planned, planSteps } from "./plan.ts";
import type { RouterAnswer } from "./routers.ts";
import type { Seconds } from "../../core/time/time.ts";
import { storeAnnounced } from "./announced-ends.ts";

/**
 * `changed`: while online; `reconnected`: by disconnecting; `unchanged`: was right; `redials`: was right, but its router does
 * not know the new end and will cut it once.
 */
export type Applied = "changed" | "reconnected" | "redials" | "unchanged" | "already_offline";

interface Application extends ControlNeeds {
  subscriberId: number;
  by: Actor;
}

/**
 * Applies a subscriber's service to its open sessions: the rate by CoA; a disconnect when pool, address or address list change,
 * or the router refuses CoA. Throws refused, not_found, router_failed.
 */
export async function applyService(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { clock, routers }: ControlNeeds,
): Promise<Applied> {
  permit(by, "applyService");
  const subscriber = subscriberById(db, by.scope, subscriberId);
  requireRadius(subscriber, phrase`have a service to apply`);
  const planned = planSteps(db, subscriber, { now: clock() });
  if (planned.some(({ step }) => step.kind === "reconnect")) requireDisconnectEnabled(db);
  const mayReconnect = setting(db, "disconnect_enabled");
  const applied = await applySteps(db, subscriber, planned, { clock, by, routers, mayReconnect });
  requireNoFailure(applied.answers);
  return applied.outcome;
}

/**
 * As applyService, for the appliance itself or after self-service renewal: failures are returned, and disconnect_enabled does
 * not apply. `due` as in planSteps. `isFair`: rate changes by time and use, which never disconnect and are not audited, as
 * there are two a day for everybody.
 */
export async function enforceService(
  db: Db,
  by: Actor,
  {
    subscriberId,
    due,
    isFair = false,
  }: { subscriberId: number; due?: ReadonlySet<number>; isFair?: boolean },
  { clock, routers }: ControlNeeds,
): Promise<{ outcome: Applied; answers: readonly AppliedSession[] }> {
  if (by.subscriberId !== subscriberId) permit(by, "enforceService");
  const subscriber = subscriberById(db, { ...by.scope, archived: true }, subscriberId);
  const planned = planSteps(db, subscriber, { now: clock(), due, isFair });
  return applySteps(db, subscriber, planned, { clock, by, routers, mayReconnect: !isFair, isFair });
}

/** Does what `applyService` does, and returns failures. `left`: sessions that would have to redial, but disconnect_enabled is off. */
export async function applyTerms(
  db: Db,
  { subscriberId, clock, by, routers }: Application,
): Promise<{ answers: readonly AppliedSession[]; left: number }> {
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const mayReconnect = setting(db, "disconnect_enabled");
  const planned = planSteps(db, subscriber, { now: clock() });
  const allowed = planned.filter(({ step }) => mayReconnect || step.kind !== "reconnect");
  const { answers: answered } = await applySteps(db, subscriber, allowed, {
    clock,
    by,
    routers,
    mayReconnect,
  });
  return { answers: answered, left: planned.length - allowed.length };
}

interface ApplyOptions extends Omit<Application, "subscriberId"> {
  mayReconnect: boolean;
  isFair?: boolean;
  silence?: RouterAnswer;
  why?: EndReason | undefined;
}

async function applySteps(
  db: Db,
  subscriber: Subscriber,
  planned: readonly Planned[],
  options: ApplyOptions,
): Promise<{ outcome: Applied; answers: readonly AppliedSession[] }> {
  const applied = await Promise.all(planned.map((one) => applyStep(db, subscriber, one, options)));
  if (!options.isFair && applied.some(({ outcome }) => outcome === "changed"))
    await writePatiently(db, (tx) =>
      audit(tx, options.by, options.clock(), {
        action: "subscriber.apply",
        entity: "subscriber",
        entityId: subscriber.id,
        ispId: subscriber.ispId,
        after: {
          sessions: applied.map(({ session, outcome }) => ({ session_id: session.acctSessionId, outcome })),
        },
      }),
    );
  return { outcome: mostNoticed(applied), answers: applied };
}

export type AppliedSession = SessionAnswer & {
  session: Session;
  outcome: Applied | "failed";
  /** Why its router does not know the new end. */
  untold?: string;
};

async function applyStep(
  db: Db,
  subscriber: Subscriber,
  planned: Planned,
  options: ApplyOptions,
): Promise<AppliedSession> {
  const applied = await changeOrEnd(db, subscriber, planned, options);
  const goesOn = applied.outcome === "unchanged" || applied.outcome === "changed";
  return goesOn && planned.end !== undefined
    ? tellEnd(db, subscriber, applied, planned.end, options)
    : applied;
}

/** RouterOS' maximum. */
const MAX_SESSION_TIMEOUT = 21_474_720;

/** Extends the session to the service's end. A failure disconnects nobody. */
async function tellEnd(
  db: Db,
  subscriber: Subscriber,
  applied: AppliedSession,
  end: Seconds,
  { clock, by, routers }: ApplyOptions,
): Promise<AppliedSession> {
  const { session, outcome } = applied;
  const redials = outcome === "unchanged" ? "redials" : outcome;
  const seconds = end - session.startedAt;
  if (seconds > MAX_SESSION_TIMEOUT)
    return { ...applied, outcome: redials, untold: "a session cannot be told to last that long" };
  const answer = await routers.changeTimeout(subscriber, session, seconds);
  if (answer.kind === "failed") return { ...applied, outcome: redials, untold: answer.reason };
  if (answer.kind === "gone") {
    await bookAnswers(db, subscriber, [{ session, answer }], { now: clock(), by });
    return { session, answer, outcome: "already_offline" };
  }
  await writePatiently(db, (tx) => storeAnnounced(tx, session, end));
  return { ...applied, outcome: "changed" };
}

async function changeOrEnd(
  db: Db,
  subscriber: Subscriber,
  { session, step }: Planned,
  options: ApplyOptions,
): Promise<AppliedSession> {
  if (step.kind === "keep") return { session, answer: { kind: "acknowledged" }, outcome: "unchanged" };
  if (step.kind === "reconnect") return reconnect(db, subscriber, session, { ...options, why: step.why });
  const answer = await options.routers.changeRate(subscriber, session, step.rate);
  if (answer.kind === "acknowledged") {
    await storeGranted(db, session, step.granted);
    return { session, answer, outcome: "changed" };
  }
  if (answer.kind === "gone") {
    await bookAnswers(db, subscriber, [{ session, answer }], { now: options.clock(), by: options.by });
    return { session, answer, outcome: "already_offline" };
  }
  if (options.isFair && !answer.isSilent) await noteRefused(db, session, answer.reason);
  if (!options.mayReconnect) return { session, answer, outcome: "failed" };
  if (answer.isSilent) return reconnect(db, subscriber, session, { ...options, silence: answer });
  const ended = await reconnect(db, subscriber, session, options);
  if (ended.answer.kind !== "failed") return ended;
  return { ...ended, answer: { ...ended.answer, reason: `${answer.reason}; ${ended.answer.reason}` } };
}

async function storeGranted(db: Db, { id, rateRefused }: Session, granted: Partial<Granted>): Promise<void> {
  await writePatiently(db, (tx) =>
    update(tx, sessions, { ...granted, ...(rateRefused !== null && { rateRefused: null }) }, { id }),
  );
}

/** Notes the refused rate for the router's page and `check`: it needs setting up. */
async function noteRefused(db: Db, { id, rateRefused }: Session, reason: string): Promise<void> {
  if (rateRefused !== reason)
    await writePatiently(db, (tx) => update(tx, sessions, { rateRefused: reason }, { id }));
}

async function reconnect(
  db: Db,
  subscriber: Subscriber,
  session: Session,
  options: ApplyOptions,
): Promise<AppliedSession> {
  const [answered] = await endSessions(db, subscriber, [session], options);
  const answer = answered?.answer ?? { kind: "gone" };
  const outcomes = { acknowledged: "reconnected", gone: "already_offline", failed: "failed" } as const;
  return { session, answer, outcome: outcomes[answer.kind] };
}

/** The outcome the subscriber notices most. */
function mostNoticed(applied: readonly AppliedSession[]): Applied {
  const outcomes: readonly Applied[] = ["reconnected", "changed", "redials", "unchanged"];
  return outcomes.find((one) => applied.some(({ outcome }) => outcome === one)) ?? "already_offline";
}
