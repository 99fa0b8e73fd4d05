import type { Service } from "../../service/activation/plan.ts";
import type { SessionInScope } from "../../service/sessions/in-scope.ts";
import type { DiagnosisFacts } from "./diagnosis-facts.ts";
import { causeOfReason, type Diagnosis, type Fix } from "./diagnosis-kinds.ts";
import { dataOf, paymentFor, renewalFor, termOf, toOutage } from "./diagnosis-term.ts";

/** Seconds. */
const LATELY = 3600;
const end: readonly Fix[] = [{ kind: "disconnect" }];

export function onlineCause(facts: DiagnosisFacts): Diagnosis {
  const { head, change, patience, now, outage } = facts;
  const [session] = head.open;
  if (!session) throw new Error("who is online has a session");
  const { service } = head;
  if (head.subscriber.status !== 1)
    return { code: "online_disabled", severity: "bad", session, act: change, fixes: end };
  if (service?.frozenAt)
    return { code: "online_frozen", severity: "bad", session, since: service.frozenAt, fixes: end };
  if (session.session.updatedAt < now - patience)
    return { code: "online_unheard", severity: "warn", session, outage, fixes: toOutage(outage) };
  return secondDevice(facts, session) ?? (service ? servedCause(facts, session, service) : fine(session));
}

const fine = (session: SessionInScope): Diagnosis => ({
  code: "online",
  severity: "good",
  session,
  fixes: [],
});

/** Refused recently at the device limit. */
function secondDevice({ head, runs, now }: DiagnosisFacts, session: SessionInScope): Diagnosis | undefined {
  const [run] = runs;
  if (run?.reason !== "too_many_sessions" || run.at < Math.max(session.session.startedAt, now - LATELY))
    return undefined;
  const allowed = head.service?.simultaneousUse ?? 1;
  const isSameRouter = session.session.nasId === run.nasId;
  const fixes: Fix[] = [{ kind: "end_session", sessionId: session.session.id }, { kind: "package" }];
  return { code: "second_device", severity: "warn", session, allowed, run, isSameRouter, fixes };
}

/** Granted against present terms. */
function servedCause(facts: DiagnosisFacts, session: SessionInScope, service: Service): Diagnosis {
  const { head, now } = facts;
  const code = causeOfReason[session.session.acceptedAs ?? "accepted"];
  const isOver = service.expiresAt <= now;
  const data = dataOf(facts, service);
  const held: Diagnosis = {
    code: "online_held_paid",
    severity: "warn",
    session,
    packageName: head.sold.name,
    fixes: end,
  };
  if (isOver) {
    const over = code === "online_held_expired" ? code : "online_expired";
    return { code: over, severity: "warn", session, ...termOf(facts, service), fixes: renewalFor(facts) };
  }
  if (code === "online_held_expired") return held;
  if (!data?.isOver) return code === "online" ? fine(session) : held;
  const fixes: Fix[] = [...paymentFor(facts, "renew"), { kind: "package" }];
  if (code === "online_held_data") return { code, severity: "warn", session, ...data, fixes };
  if (service.quotaExceeded === "reject") return fine(session);
  return {
    code: "online_slowed",
    severity: "warn",
    session,
    rate: service.quotaExceeded,
    ...data,
    fixes,
  };
}
