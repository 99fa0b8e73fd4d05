import type { Db } from "../../../../db/open.ts";
import { decideOpen, type Decision, type Grant } from "../access/decide.ts";
import { answerTerms } from "../access/garden.ts";
import { grantedBy, loginTerms } from "../access/granted.ts";
import { confines } from "../access/outcomes.ts";
import { AccessReader, type Service } from "../access/reader.ts";
import { findNas } from "../../goods/nas/find.ts";
import { kindTraits, type NasKind } from "../../goods/nas/kinds.ts";
import { canBeChangedTo } from "../../goods/packages/rate.ts";
import type { Session } from "../sessions/advance.ts";
import type { Granted } from "../sessions/session-class.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { crowdedSessions } from "./crowded.ts";
import { type EndReason, openSessions } from "./disconnect.ts";
import { isLease, type RateChange } from "./routers.ts";
import { newEnds } from "./announced-ends.ts";

/** What an open session needs to have what a login would get now. */
type Step =
  | { kind: "keep" }
  | { kind: "rate"; rate: RateChange; granted: Partial<Granted> }
  | { kind: "reconnect"; why?: EndReason };

/** `end`: the service's end, when the session continues and its router does not know it. */
export type Planned = { session: Session; step: Step; end?: Seconds | undefined };

interface PlanOptions {
  now: Seconds;
  /** Sessions that may not continue as they are; others with unknown terms are left. Without it, all may differ. */
  due?: ReadonlySet<number> | undefined;
  /** Only rates that change by time and use: anything that needs a login waits. */
  isFair?: boolean;
}

export function planSteps(
  db: Db,
  { id, usernameKey }: Subscriber,
  { now, due, isFair = false }: PlanOptions,
): Planned[] {
  // automatic checks leave an access box's sessions to it
  const open = openSessions(db, id).filter(({ viaBox }) => due === undefined || viaBox === null);
  const candidate = new AccessReader(db).candidate(usernameKey);
  if (open.length === 0 || !candidate) return [];
  const { service } = candidate;
  const newEnd = newEnds(db, id);
  const { garden } = answerTerms(db);
  const crowded = new Set(due && crowdedSessions(db, id).map(({ sessionId }) => sessionId));
  return open.flatMap((session): Planned[] => {
    // a lease is updated at its next renewal, soon; before, only an API could
    const waits = due !== undefined && isLease(session) && !canEnd(db, session);
    if (waits) return [{ session, step: { kind: "keep" } }];
    if (crowded.has(session.id)) return [{ session, step: { kind: "reconnect", why: "too_many_sessions" } }];
    // the reporting router, if still configured
    const router = findNas(db, session.nasId);
    const ispId = router?.ispId ?? candidate.ispId;
    const kind = router?.kind ?? "mikrotik";
    const takesLists = kindTraits[kind].list !== null;
    if (service) {
      const { nasAddress, mac } = session;
      const decision = decideOpen(candidate, {
        ispId,
        nasAddress,
        mac: mac ?? undefined,
        takesLists,
        ...garden,
        now,
      });
      if (isFair)
        return [
          { session, step: isLease(session) ? { kind: "keep" } : stepFor(kind, fairStep(session, decision)) },
        ];
      const step = stepFor(
        kind,
        due && session.grantedTerms === null
          ? leastStep(session, decision, due.has(session.id))
          : planStep(session, service, decision),
      );
      if (isLease(session) && step.kind === "rate") return [{ session, step: { kind: "keep" } }];
      const isPaid =
        !isLease(session) &&
        decision.accept &&
        !confines(decision.reason) &&
        !mayBeInGarden(session, service);
      return [{ session, step, end: isPaid && step.kind !== "reconnect" ? newEnd(session) : undefined }];
    }
    const isBarred = candidate.status !== 1 || ispId !== candidate.ispId;
    // a void invoice may have removed the first service
    const isServed = session.acceptedAs === "accepted" || session.acceptedAs === "accepted_slowed_down";
    return isBarred || isServed ? [{ session, step: { kind: "reconnect" } }] : [];
  });
}

function canEnd(db: Db, { nasId }: Session): boolean {
  return (findNas(db, nasId)?.routerosHost ?? null) !== null;
}

/** Adapts the step to the router's kind. */
function stepFor(kind: NasKind, step: Step): Step {
  return step.kind !== "rate" || canBeChangedTo(kind, step.rate.rateLimit) ? step : { kind: "reconnect" };
}

/** CoA can change the rate; address, pool or list need a new login. */
function planStep(session: Session, service: Service, decision: Decision): Step {
  if (!decision.accept) return { kind: "reconnect" };
  const granted = grantedBy(decision);
  const { rateLimit } = decision.grant;
  const needsLogin =
    session.grantedTerms === null
      ? mayDiffer(session, service, decision.grant)
      : session.grantedTerms !== granted.grantedTerms;
  if (needsLogin) return { kind: "reconnect" };
  if (session.grantedRate === granted.grantedRate) return { kind: "keep" };
  return rateLimit === undefined
    ? { kind: "reconnect" }
    : { kind: "rate", rate: { rateLimit, added: addedTo(decision.grant) }, granted };
}

/** The reply attribute that replaces its rate. */
function addedTo({ replyAttributes, isRateFirm }: Grant): string | undefined {
  return isRateFirm ? undefined : replyAttributes?.toJSON();
}

/** The minimal step for a session with an unknown grant: otherwise every such line would drop at the first run after an upgrade. */
function leastStep({ grantedRate }: Session, decision: Decision, isDue: boolean): Step {
  if (!decision.accept) return { kind: "reconnect" };
  if (!isDue) return { kind: "keep" };
  const { rateLimit } = decision.grant;
  if (confines(decision.reason) || rateLimit === undefined) return { kind: "reconnect" };
  const granted = { grantedRate: grantedBy(decision).grantedRate };
  return grantedRate === granted.grantedRate
    ? { kind: "keep" }
    : { kind: "rate", rate: { rateLimit, added: addedTo(decision.grant) }, granted };
}

/** The current rate, for a session otherwise unchanged; with renewed quota it leaves the walled garden. */
function fairStep({ acceptedAs, grantedRate }: Session, decision: Decision): Step {
  // sessions that may not be online at all are ended elsewhere
  if (!decision.accept || confines(decision.reason)) return { kind: "keep" };
  if (acceptedAs === "accepted_quota_used_up") return { kind: "reconnect" };
  const { rateLimit } = decision.grant;
  const { acceptedAs: now, grantedRate: rate } = grantedBy(decision);
  if (rateLimit === undefined || acceptedAs === "accepted_expired" || rate === grantedRate)
    return { kind: "keep" };
  return {
    kind: "rate",
    rate: { rateLimit, added: addedTo(decision.grant) },
    granted: { grantedRate: rate, ...(acceptedAs && { acceptedAs: now }) },
  };
}

/** Whether a session without a Class may be in the walled garden. */
function mayBeInGarden({ grantedTerms }: Session, { expiredPool, expiredAddressList }: Service): boolean {
  return grantedTerms === null && (expiredPool !== null || expiredAddressList !== null);
}

/** Whether a session without a Class may have other terms. */
function mayDiffer(session: Session, service: Service, grant: Grant): boolean {
  return (
    mayBeInGarden(session, service) ||
    loginTerms(grant).some(([name, value]) => name !== "framedIp" || value !== session.framedIp)
  );
}
