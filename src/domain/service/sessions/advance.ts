import { selectColumns } from "../../../../db/columns.ts";
import { sessions } from "../../../../db/schema.ts";
import type { LineRate } from "../../goods/packages/line-rate.ts";
import type { Seconds } from "../../core/time/time.ts";
import { readGranted, readLease } from "./session-class.ts";

/** A session without its place in the order of changes, which only its readers need. */
export type Session = Omit<typeof sessions.$inferSelect, "change">;

/** The columns of a `Session`, for SELECT. */
export const sessionColumns = (alias: string): string => selectColumns(sessions, alias, ["change"]);

export type SessionStatus = "start" | "interim" | "stop";

/** A Start, Interim-Update or Stop. `at` is its arrival minus Acct-Delay-Time; counters are 64-bit octets. */
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
  /** Without Gigawords counters wrap at 2^32. */
  octetsAre32Bit: boolean;
  terminateCause: string | undefined;
  /** The access box it came through; null: this one. */
  viaBox: number | null;
}

/** The row after a report, and the octets it adds. */
export interface Advance {
  session: NewSession;
  inputDelta: number;
  outputDelta: number;
}

/** The line rate of a session: its subscriber's or card's, else that of unknown names. */
export type RateOf = (session: Pick<Session, "subscriberId" | "cardId">) => LineRate;

export type NewSession = Omit<Session, "id" | "subscriberId" | "cardId">;

/** A Start this long after a Stop with the same key is a new session. */
const KEY_REUSE_AFTER = 300;
/** An Interim-Update this long after a Disconnect-ACK shows that the subscriber is still online. */
const ALIVE_AFTER_DISCONNECT = 5;
/**
 * Seconds that an Interim-Update may be in transit when a NAS restart or a replacing session shows the end. A later one proves
 * the session open. The same limit decides whether such a sign closes a session, so that the order of arrival does not matter.
 */
export const UNDER_WAY = 60;

/** Whether the NAS reused the key for another session. */
export function isKeyReused(session: Session, report: SessionReport): boolean {
  const { stoppedAt, closedBy, movedIn, updatedAt } = session;
  const start = report.status === "start" ? report.at : report.at - (report.sessionTime ?? report.at);
  // an imported open session began earlier
  if (movedIn === 1 && start > updatedAt) return true;
  if (stoppedAt === null) return false;
  if (closedBy === "stop") return report.at - stoppedAt > KEY_REUSE_AFTER && start > stoppedAt;
  if (closedBy === "accounting_on") return start >= stoppedAt;
  // a tolerance for delayed updates, which must not split the session that they reopen
  return report.status === "start" ? start > stoppedAt : start > stoppedAt + UNDER_WAY;
}

/** The first row, from whichever report comes first. */
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

/** An imported session at its router's first report: it takes over Class and port. */
export function takenOver(session: Session, { class: sessionClass, nasPort }: SessionReport): Session {
  return { ...session, class: sessionClass, nasPort, ...readGranted(sessionClass), movedIn: 0 };
}

/** A renewed lease has the newest Accept's grant. */
export function renewed(session: Session, { class: sessionClass, at }: SessionReport): Session {
  const isNew = sessionClass !== null && session.class !== null && !sessionClass.equals(session.class);
  if (!isNew || at < session.updatedAt || !readLease(sessionClass)) return session;
  return { ...session, class: sessionClass, ...readGranted(sessionClass) };
}

/** A session known through another access box whose router now reports here: earlier usage is that box's to report. */
export function seenElsewhere(
  session: Session,
  { inputOctets = 0, outputOctets = 0 }: SessionReport,
): Session {
  return { ...session, viaBox: null, counterInput: inputOctets, counterOutput: outputOctets };
}

/**
 * The row after one more report. Idempotent for repeated, late and reordered reports; counters never decrease; only an
 * Interim-Update reopens, and only what we closed ourselves. `readRate` is called when a counter fell.
 */
export function advanceSession(before: Session, report: SessionReport, readRate: RateOf): Advance {
  const known =
    report.status === "start" ? { ...before, startedAt: Math.min(before.startedAt, report.at) } : before;
  if (before.closedBy === "stop" || report.status === "start") return unchanged(filledIn(known, report));

  const isLate = report.sessionTime !== undefined && report.sessionTime < before.sessionTime;
  const counted = isLate ? unchanged(filledIn(known, report)) : count(known, report, readRate);
  if (report.status === "stop") return { ...counted, session: stopped(counted.session, report) };
  return isStillThere(before, report) && !isLate
    ? { ...counted, session: { ...counted.session, stoppedAt: null, closedBy: null, terminateCause: null } }
    : counted;
}

/** Whether an Interim-Update proves a closed session open. */
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

/** A report that is not late: counters and newer facts. */
function count(before: Session, report: SessionReport, readRate: RateOf): Advance {
  const sessionTime = report.sessionTime ?? before.sessionTime;
  const elapsed = sessionTime - before.sessionTime;
  const rate = mayHaveWrapped(before, report) ? readRate(before) : NO_LINE;
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
 * A smaller counter at a larger Acct-Session-Time wrapped at 2^32 if it was in the upper half and the line's rate (octets/s)
 * can carry as much; otherwise it restarted at zero. At the same time it is an older report.
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

/** A late report only fills gaps. */
function filledIn(before: NewSession, report: SessionReport): NewSession {
  const session = { ...before };
  tellFacts(session, before, report);
  return session;
}

/** Facts of `first`, filled with `second`. Spreading such objects costs ten times as much. */
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
