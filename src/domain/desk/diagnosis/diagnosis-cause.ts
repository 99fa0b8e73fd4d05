import { isServedOverRadius, STATIC_ADDRESS } from "../../goods/subscribers/connection-types.ts";
import type { LoginRun } from "../../service/access/login-runs.ts";
import {
  hasBegunSince,
  type DiagnosisFacts,
  dataOf,
  paymentFor,
  renewalFor,
  termOf,
  toOutage,
} from "./diagnosis-facts.ts";
import { causesByReason, type Diagnosis, type Fix } from "./diagnosis-kinds.ts";
import { isReason } from "../../service/access/outcomes.ts";
import type { Service } from "../../service/activation/plan.ts";
import type { SessionInScope } from "../../service/sessions/in-scope.ts";

const ACCOUNTING_FOLLOWS_WITHIN = 60;

export function findCause(facts: DiagnosisFacts): Diagnosis {
  const { head, change } = facts;
  const { archivedAt, connectionTypeId, staticIp, status } = head.subscriber;
  const quiet = { severity: "quiet", act: change } as const;
  if (archivedAt !== null)
    return { code: "archived", since: archivedAt, ...quiet, fixes: [{ kind: "restore" }] };
  if (head.open.length > 0) return onlineCause(facts);
  if (status !== 1) return { code: "disabled", ...quiet, fixes: [{ kind: "enable" }] };
  if (connectionTypeId === STATIC_ADDRESS)
    return { code: "static_address", severity: "quiet", address: staticIp, fixes: [] };
  if (!isServedOverRadius(connectionTypeId)) return { code: "router_decides", severity: "quiet", fixes: [] };
  return offlineCause(facts);
}

function offlineCause(facts: DiagnosisFacts): Diagnosis {
  const { head, outage, runs, change, now } = facts;
  const { service, sold, money } = head;
  const [last] = runs;
  if (service === null)
    return {
      code: "never_activated",
      severity: "warn",
      packageName: sold.name,
      money,
      fixes: [...paymentFor(facts, "activate")],
    };
  if (service.frozenAt !== null) {
    const fixes: Fix[] = [{ kind: "thaw" }];
    return { code: "frozen", severity: "quiet", since: service.frozenAt, act: change, fixes };
  }
  if (outage && (last?.at ?? 0) <= outage.darkAt)
    return { code: "outage", severity: "bad", outage, fixes: toOutage(outage) };
  const refused = last && !last.accepted ? refusedCause(facts, last) : undefined;
  if (refused) return refused;
  if (service.expiresAt <= now)
    return { code: "expired", severity: "warn", ...termOf(facts, service), fixes: renewalFor(facts) };
  const data = dataOf(facts, service);
  if (data?.isOver && service.quotaExceeded === "reject") {
    const fixes: Fix[] = [...paymentFor(facts, "renew"), { kind: "package" }];
    return { code: "quota_used_up", severity: "warn", ...data, fixes };
  }
  return idleCause(facts, last);
}

/** The cause of a line that is offline and would be accepted. */
function idleCause(facts: DiagnosisFacts, newest: LoginRun | undefined): Diagnosis {
  const { head, now, isUnsigned } = facts;
  const { last } = head;
  if (newest && !newest.accepted) return fixed(facts, newest);
  if (newest && newest.at <= now - ACCOUNTING_FOLLOWS_WITHIN && !hasBegunSince(head, newest.at))
    return { code: "unaccounted", severity: "bad", run: newest, fixes: toRouter(newest.nasId) };
  if (isUnsigned) return { code: "router_unsigned", severity: "bad", fixes: toRouter(head.subscriber.nasId) };
  if (last && newest) {
    const severity = isFault(last.session.terminateCause) ? "bad" : "warn";
    return { code: "ended", severity, last, fixes: [] };
  }
  if (last) return { code: "not_asking", severity: "warn", last, fixes: [] };
  return { code: "never_asked", severity: "warn", fixes: [] };
}

/** Intended ends of sessions. */
const TARGET = new Set(["User-Request", "Admin-Reset", "Idle-Timeout", "Session-Timeout"]);
const isFault = (cause: string | null) => cause !== null && !TARGET.has(cause);

/** Undefined: the present state tells. */
function refusedCause(facts: DiagnosisFacts, run: LoginRun): Diagnosis | undefined {
  const code = isReason(run.reason) ? causesByReason[run.reason] : "mended";
  const refused = { severity: "bad", ...refusedAt(facts, run) } as const;
  switch (code) {
    case "new_device":
      return newDevice(facts, run);
    case "wrong_password":
      if (run.garbled > 0 && run.garbled === run.times)
        return { code: "router_secret", ...refused, fixes: toRouter(run.nasId) };
      if ((facts.passwordChangedAt ?? 0) > run.at) return fixed(facts, run);
      return { code, ...refused, fixes: [{ kind: "password" }] };
    case "other_isp":
    case "router_login":
    case "no_credentials":
      return { code, ...refused, fixes: toRouter(run.nasId) };
    case "wrong_connection_type":
      return { code, ...refused, fixes: [{ kind: "edit" }] };
    case "second_device":
    case "mended":
      return fixed(facts, run);
    default:
      return undefined;
  }
}

function newDevice(facts: DiagnosisFacts, run: LoginRun): Diagnosis {
  const { macLock, macAddress: locked } = facts.head.subscriber;
  if (macLock !== 1 || locked === run.mac) return fixed(facts, run);
  const take: Fix[] = run.mac === null ? [] : [{ kind: "take_device", mac: run.mac }];
  const fixes: Fix[] = [...take, { kind: "unlock" }];
  return { code: "new_device", severity: "bad", locked, ...refusedAt(facts, run), fixes };
}

function fixed(facts: DiagnosisFacts, run: LoginRun): Diagnosis {
  return { code: "mended", severity: "warn", ...refusedAt(facts, run), fixes: [] };
}

function refusedAt({ head: { last } }: DiagnosisFacts, run: LoginRun) {
  return { run, isSameRouter: last !== null && last.session.nasId === run.nasId };
}

function toRouter(nasId: number | null): Fix[] {
  return nasId === null ? [] : [{ kind: "router", nasId }];
}

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

/** A device that was lately refused at the device limit. */
function secondDevice({ head, runs, now }: DiagnosisFacts, session: SessionInScope): Diagnosis | undefined {
  const [run] = runs;
  if (run?.reason !== "too_many_sessions" || run.at < Math.max(session.session.startedAt, now - LATELY))
    return undefined;
  const allowed = head.service?.simultaneousUse ?? 1;
  const isSameRouter = session.session.nasId === run.nasId;
  const fixes: Fix[] = [{ kind: "end_session", sessionId: session.session.id }, { kind: "package" }];
  return { code: "second_device", severity: "warn", session, allowed, run, isSameRouter, fixes };
}

/** The cause in what was granted against present terms. */
function servedCause(facts: DiagnosisFacts, session: SessionInScope, service: Service): Diagnosis {
  const { head, now } = facts;
  const code = causesByReason[session.session.acceptedAs ?? "accepted"];
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
