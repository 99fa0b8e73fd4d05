import type { sessions } from "../../../../db/schema.ts";
import type { LineRate } from "../../goods/packages/line-rate.ts";
import type { Seconds } from "../../core/time/time.ts";
import { readGranted, readLease } from "./session-class.ts";

export type Session = typeof sessions.$inferSelect;
export type SessionStatus = "start" | "interim" | "stop";

/** What one Start, Interim-Update or Stop says. `at` is its arrival less Acct-Delay-Time; counters are 64-bit octets. */
export interface SessionReport {
  status: SessionStatus;
  at: Seconds;
  acctSessionId: string;
  username: string;
  nasAddress: string;
  localAddress: string | null;
  nasId: number | null;
  class: Buffer | null;
  nasPort: number | null;
  nasPortId: string | null;
  nasPortType: number | null;
  nasIp: string | null;
  nasIdentifier: string | null;
  calledStationId: string | null;
  mac: string | null;
  framedIp: string | null;
  framedIpv6Prefix: string | null;
  delegatedIpv6Prefix: string | null;
  sessionTime: number | undefined;
  /** From the subscriber (upload), and to it. */
  inputOctets: number | undefined;
  outputOctets: number | undefined;
  /** The NAS sent no Gigawords, so its counters begin again at 2^32. */
  octetsAre32Bit: boolean;
  terminateCause: string | undefined;
  /** The access box that its router told; null: this one. */
  viaBox: number | null;
}

/** A row as it is after a report, and the octets that the report adds to the subscriber's usage. */
export interface Advance {
  session: NewSession;
  inputDelta: number;
  outputDelta: number;
}

/** How fast the line of a session is: that of its subscriber or card, else of a name that we do not know. */
export type RateOf = (session: Pick<Session, "subscriberId" | "cardId">) => LineRate;

export type NewSession = Omit<Session, "id" | "subscriberId" | "cardId">;

/** A Start this long after a Stop under the same key is a new session. */
const KEY_REUSE_AFTER = 300;
/** An Interim-Update this long after a Disconnect-ACK says that the subscriber is still there. */
const ALIVE_AFTER_DISCONNECT = 5;
/**
 * Seconds that an Interim-Update may still be on its way when something else shows that its session is over: a restart of
 * the NAS, or a new session in its place. A later one proves that the session is open. The same bound decides whether such
 * a sign closes a session, so that the order of arrival makes no difference.
 */
export const UNDER_WAY = 60;

/** Whether the report opens another session than the newest row of its key, because the NAS gave the key out again. */
export function isKeyReused(session: Session, report: SessionReport): boolean {
  const { stoppedAt, closedBy, movedIn, updatedAt } = session;
  const start = report.status === "start" ? report.at : report.at - (report.sessionTime ?? report.at);
  // what another system saw going on has begun before
  if (movedIn === 1 && start > updatedAt) return true;
  if (stoppedAt === null) return false;
  if (closedBy === "stop") return report.at - stoppedAt > KEY_REUSE_AFTER && start > stoppedAt;
  if (closedBy === "accounting_on") return start >= stoppedAt;
  // a moment's slack for what an update is late by: it is not to split the session that it reopens
  return report.status === "start" ? start > stoppedAt : start > stoppedAt + UNDER_WAY;
}

/** The first row of a session, from whichever report arrives first. */
export function openSession(report: SessionReport): Advance {
  const { status, at, sessionTime = 0, inputOctets = 0, outputOctets = 0 } = report;
  const { acceptedAs, grantedTerms, grantedRate } = readGranted(report.class);
  const session: NewSession = {
    acctSessionId: report.acctSessionId,
    username: report.username,
    nasAddress: report.nasAddress,
    class: report.class,
    localAddress: report.localAddress,
    nasId: report.nasId,
    nasPort: report.nasPort,
    nasPortId: report.nasPortId,
    nasPortType: report.nasPortType,
    nasIp: report.nasIp,
    nasIdentifier: report.nasIdentifier,
    calledStationId: report.calledStationId,
    mac: report.mac,
    framedIp: report.framedIp,
    framedIpv6Prefix: report.framedIpv6Prefix,
    delegatedIpv6Prefix: report.delegatedIpv6Prefix,
    startedAt: status === "start" ? at : Math.max(0, at - sessionTime),
    updatedAt: at,
    stoppedAt: null,
    sessionTime,
    inputOctets,
    outputOctets,
    counterInput: inputOctets,
    counterOutput: outputOctets,
    terminateCause: null,
    closedBy: null,
    acceptedAs,
    grantedTerms,
    grantedRate,
    rateInput: null,
    rateOutput: null,
    movedIn: 0,
    viaBox: report.viaBox,
    rateRefused: null,
  };
  return {
    session: status === "stop" ? stopped(session, report) : session,
    inputDelta: inputOctets,
    outputDelta: outputOctets,
  };
}

/** A session from another system that its router tells us of for the first time: from now on it is ours by its Class and port. */
export function takenOver(session: Session, { class: sessionClass, nasPort }: SessionReport): Session {
  return { ...session, class: sessionClass, nasPort, ...readGranted(sessionClass), movedIn: 0 };
}

/** A lease whose router has asked again since: from now on it has what the newest Accept granted. */
export function renewed(session: Session, { class: sessionClass, at }: SessionReport): Session {
  const isNew = sessionClass !== null && session.class !== null && !sessionClass.equals(session.class);
  if (!isNew || at < session.updatedAt || !readLease(sessionClass)) return session;
  return { ...session, class: sessionClass, ...readGranted(sessionClass) };
}

/**
 * A session that another box told this one of, and whose router asks here now: what it has carried until then is that box's to tell, and
 * counts here from this report on.
 */
export function seenElsewhere(
  session: Session,
  { inputOctets = 0, outputOctets = 0 }: SessionReport,
): Session {
  return { ...session, viaBox: null, counterInput: inputOctets, counterOutput: outputOctets };
}

/**
 * The row after one more report of its session. Repeated, late and reordered reports all lead to the same row; counters
 * never decrease; only an Interim-Update reopens, and only what we closed ourselves. `rateOf` is asked where a counter fell.
 */
export function advanceSession(before: Session, report: SessionReport, rateOf: RateOf): Advance {
  const known =
    report.status === "start" ? { ...before, startedAt: Math.min(before.startedAt, report.at) } : before;
  if (before.closedBy === "stop" || report.status === "start") return unchanged(filledIn(known, report));

  const isLate = report.sessionTime !== undefined && report.sessionTime < before.sessionTime;
  const counted = isLate ? unchanged(filledIn(known, report)) : count(known, report, rateOf);
  if (report.status === "stop") return { ...counted, session: stopped(counted.session, report) };
  return isStillThere(before, report) && !isLate
    ? { ...counted, session: { ...counted.session, stoppedAt: null, closedBy: null, terminateCause: null } }
    : counted;
}

/** Whether an Interim-Update proves open what we had closed. */
function isStillThere({ stoppedAt, closedBy }: Session, { at }: SessionReport): boolean {
  if (stoppedAt === null) return false;
  switch (closedBy) {
    case "lost":
      return at > stoppedAt;
    case "disconnect":
      return at > stoppedAt + ALIVE_AFTER_DISCONNECT;
    default:
      return at > stoppedAt + UNDER_WAY;
  }
}

/** A report that is not late: its counters, and whatever it says newer about the session. */
function count(before: Session, report: SessionReport, rateOf: RateOf): Advance {
  const sessionTime = report.sessionTime ?? before.sessionTime;
  const elapsed = sessionTime - before.sessionTime;
  const rate = mayHaveWrapped(before, report) ? rateOf(before) : NO_LINE;
  const input = counter(before.counterInput, report.inputOctets, elapsed, rate.input);
  const output = counter(before.counterOutput, report.outputOctets, elapsed, rate.output);
  const session = {
    ...before,
    updatedAt: Math.max(before.updatedAt, report.at),
    viaBox: report.at >= before.updatedAt ? report.viaBox : before.viaBox,
    sessionTime,
    inputOctets: before.inputOctets + input.delta,
    outputOctets: before.outputOctets + output.delta,
    counterInput: input.counter,
    counterOutput: output.counter,
    rateInput: elapsed > 0 ? bitsASecond(input.delta, elapsed) : before.rateInput,
    rateOutput: elapsed > 0 ? bitsASecond(output.delta, elapsed) : before.rateOutput,
  };
  tellFacts(session, report, before);
  return { session, inputDelta: input.delta, outputDelta: output.delta };
}

function bitsASecond(octets: number, elapsed: Seconds): number {
  return Math.round((octets * 8) / elapsed);
}

const WRAPS_AT = 2 ** 32;
const NO_LINE: LineRate = { input: 0, output: 0 };

function mayHaveWrapped(
  { counterInput, counterOutput }: Session,
  { octetsAre32Bit, inputOctets = counterInput, outputOctets = counterOutput }: SessionReport,
): boolean {
  return octetsAre32Bit && (inputOctets < counterInput || outputOctets < counterOutput);
}

/**
 * A smaller counter at a larger Acct-Session-Time went past 2^32 if it was in the upper half and a line of this rate, in
 * octets a second, carries as much in the time; otherwise it started again from zero. At the same time it is an older report.
 */
function counter(
  last: number,
  reported: number | undefined,
  elapsed: number,
  rate: number,
): { counter: number; delta: number } {
  if (reported === undefined || reported === last) return { counter: last, delta: 0 };
  if (reported > last) return { counter: reported, delta: reported - last };
  if (elapsed <= 0) return { counter: last, delta: 0 };
  const across = WRAPS_AT - last + reported;
  const hasWrapped = last >= WRAPS_AT / 2 && last < WRAPS_AT && across <= rate * elapsed;
  return { counter: reported, delta: hasWrapped ? across : reported };
}

function stopped(session: NewSession, { at, terminateCause }: SessionReport): NewSession {
  return {
    ...session,
    updatedAt: Math.max(session.updatedAt, at),
    stoppedAt: Math.max(at, session.startedAt),
    closedBy: "stop",
    terminateCause: terminateCause ?? null,
  };
}

type Facts = Pick<
  NewSession,
  | "localAddress"
  | "nasId"
  | "nasPort"
  | "nasPortId"
  | "nasPortType"
  | "nasIp"
  | "nasIdentifier"
  | "calledStationId"
  | "mac"
  | "framedIp"
  | "framedIpv6Prefix"
  | "delegatedIpv6Prefix"
>;

/** Of a late report only what no report had before. */
function filledIn(before: NewSession, report: SessionReport): NewSession {
  const session = { ...before };
  tellFacts(session, before, report);
  return session;
}

/** Writes what `first` says about the session, and what `second` says where it is silent. To spread such an object costs ten times as much. */
function tellFacts(session: Facts, first: Facts, second: Facts): void {
  session.localAddress = first.localAddress ?? second.localAddress;
  session.nasId = first.nasId ?? second.nasId;
  session.nasPort = first.nasPort ?? second.nasPort;
  session.nasPortId = first.nasPortId ?? second.nasPortId;
  session.nasPortType = first.nasPortType ?? second.nasPortType;
  session.nasIp = first.nasIp ?? second.nasIp;
  session.nasIdentifier = first.nasIdentifier ?? second.nasIdentifier;
  session.calledStationId = first.calledStationId ?? second.calledStationId;
  session.mac = first.mac ?? second.mac;
  session.framedIp = first.framedIp ?? second.framedIp;
  session.framedIpv6Prefix = first.framedIpv6Prefix ?? second.framedIpv6Prefix;
  session.delegatedIpv6Prefix = first.delegatedIpv6Prefix ?? second.delegatedIpv6Prefix;
}

function unchanged(session: NewSession): Advance {
  return { session, inputDelta: 0, outputDelta: 0 };
}
