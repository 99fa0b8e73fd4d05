import type { Db } from "../../../db/open.ts";
import { decide, type Decision, type Grant } from "../access/decide.ts";
import { grantedBy, loginTerms } from "../access/granted.ts";
import { AccessReader, type Candidate, type Service } from "../access/reader.ts";
import { findNas } from "../nas/find.ts";
import type { Session } from "../sessions/advance.ts";
import type { Granted } from "../sessions/session-class.ts";
import type { Subscriber } from "../subscribers/find.ts";
import type { Seconds } from "../time.ts";
import { openSessions } from "./disconnect.ts";

/** What has to happen to an open session so that it has what a login would get now, and what it was granted then. */
type Step = { kind: "keep" } | { kind: "rate"; rateLimit: string; granted: Granted } | { kind: "reconnect" };

export type Planned = { session: Session; step: Step };

/** What the open sessions of a subscriber need. */
export function planSteps(db: Db, { id, usernameKey }: Subscriber, now: Seconds): Planned[] {
  const open = openSessions(db, id);
  const candidate = new AccessReader(db).candidate(usernameKey);
  if (open.length === 0 || !candidate) return [];
  const { service } = candidate;
  return open.flatMap((session): Planned[] => {
    // of the router that reported the session, as long as it is among the NAS
    const ispId = findNas(db, session.nasId)?.ispId ?? candidate.ispId;
    if (service)
      return [{ session, step: stepOf(session, service, decideNow(candidate, session, { now, ispId })) }];
    const isBarred = candidate.status !== 1 || ispId !== candidate.ispId;
    return isBarred ? [{ session, step: { kind: "reconnect" } }] : [];
  });
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
    replacesAtNasPort: () => false,
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
  if (session.grantedRate === granted.grantedRate) return { kind: "keep" };
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
