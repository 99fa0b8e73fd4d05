import { isReason } from "../../../../domain/service/access/outcomes.ts";
import type { FirstWords } from "../../../../domain/goods/nas/first-words.ts";
import { FIRST_RULE, NTP, SIGN_REQUESTS } from "../../../../domain/goods/router-setup/script.ts";
import { quoted } from "../../../../domain/goods/router-setup/terminal.ts";
import { told } from "../../attempt.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";
import type { ConsoleView } from "../../view.ts";
import type { RouterTest } from "./tests.ts";

/** `poor`: works, but badly. */
export type FindingState = "done" | "poor" | "waiting" | "wrong" | "left";
type Step = "packet" | "secret" | "login" | "report" | "coa" | "clock";

export interface Finding {
  readonly step: Step;
  readonly state: FindingState;
  readonly title: string;
  readonly text: string;
  readonly at: Seconds | null;
  /** The fix, to be pasted into the router. */
  readonly command: string | null;
}

interface Known {
  readonly view: ConsoleView;
  readonly now: Seconds;
  readonly words: FirstWords;
  readonly test: RouterTest | undefined;
  readonly secret: string | null;
}

const REPORT_FOLLOWS = 30;
/** Seconds of difference that nobody minds. */
const CLOCK_TOLERANCE = 120;

/** Checks of a router, in the order in which a new one passes them. */
export function listChecks(known: Known): Finding[] {
  const isRadsec = known.words.router.radsec === 1;
  return [
    ...[packet(known), isRadsec ? certificate(known) : secret(known), login(known), report(known)],
    ...[isRadsec ? endsOtherwise(known) : coa(known), clock(known)],
  ];
}

const formatCheckTime = ({ view, now }: Known, at: Seconds) => formatClockOrDay(view, at, now);

/** The time, or the day unless it is today. */
export function formatClockOrDay({ format }: ConsoleView, at: Seconds, now: Seconds): string {
  return format.isSameDay(at, now) ? format.clock(at) : format.timeNear(at, now);
}

function packet(known: Known): Finding {
  const { view, words } = known;
  const { arrived } = view.words.routers;
  const { lastSeen, router, dropped, addresses } = words;
  const isRadsec = router.radsec === 1;
  const count = (kind: "wrong_port" | "malformed") => dropped.get(kind)?.count ?? 0;
  const amiss = [
    ...(dropped.has("wrong_port") ? [arrived.wrongPort(count("wrong_port"))] : []),
    ...(dropped.has("malformed") ? [arrived.malformed(count("malformed"))] : []),
  ];
  if (!lastSeen)
    return {
      step: "packet",
      state: "waiting",
      at: null,
      command: null,
      title: arrived.noPacket(router.address),
      text: isRadsec ? view.words.radsec.arrived.noPacketText : arrived.noPacketText,
    };
  const isNetwork = router.address.includes("/");
  const right = isRadsec ? view.words.radsec.arrived.packetText : arrived.packetText;
  return {
    step: "packet",
    state: "done",
    at: lastSeen.first,
    command: null,
    title: arrived.packet(isNetwork ? (addresses.at(-1) ?? router.address) : router.address),
    text: [isNetwork ? arrived.packetNetwork : right, ...amiss].join(" "),
  };
}

/** TLS proves a RadSec router. */
function certificate({ view, words }: Known): Finding {
  const { arrived } = view.words.radsec;
  const step = { step: "secret", at: words.provenAt, command: null } as const;
  return words.provenAt === null
    ? { ...step, state: "waiting", title: arrived.waiting, text: arrived.waitingText }
    : { ...step, state: "done", title: arrived.proven, text: arrived.provenText };
}

/** RadSec has no CoA. */
function endsOtherwise({ view, words }: Known): Finding {
  const { arrived } = view.words.radsec;
  const text = words.router.routerosHost === null ? arrived.endsNone : arrived.endsApi;
  return { step: "coa", state: "left", at: null, command: null, title: arrived.ends, text };
}

function secret(known: Known): Finding {
  const { view, words } = known;
  const { arrived } = view.words.routers;
  const { provenAt, wrongSecret, isWrongNow, isUnsigned, dropped, signedAt, repeated } = words;
  if (wrongSecret && isWrongNow) return wrong(known, wrongSecret);
  const unsigned = dropped.get("unsigned_dropped");
  if (unsigned && isUnsigned)
    return {
      step: "secret",
      state: "wrong",
      at: unsigned.last,
      command: SIGN_REQUESTS,
      title: arrived.unsigned,
      text: arrived.unsignedText(unsigned.count, formatCheckTime(known, unsigned.last)),
    };
  if (provenAt === null)
    return {
      step: "secret",
      state: repeated ? "wrong" : "waiting",
      at: repeated?.last ?? null,
      command: null,
      title: arrived.secretWaiting,
      text: repeated ? arrived.repeated(repeated.count) : arrived.secretWaitingText,
    };
  const fixed = wrongSecret
    ? arrived.mended(formatCheckTime(known, wrongSecret.first), formatCheckTime(known, provenAt))
    : "";
  const good = { step: "secret", state: "done", at: provenAt } as const;
  if (signedAt !== null)
    return { ...good, title: arrived.secretGood, text: fixed || arrived.secretText, command: null };
  if (words.login === null)
    return { ...good, title: arrived.secretReport, text: fixed || arrived.secretReportText, command: null };
  return {
    ...good,
    state: "poor",
    title: arrived.secretUnsigned,
    command: SIGN_REQUESTS,
    text: [fixed, arrived.secretUnsignedText].filter(Boolean).join(" "),
  };
}

function wrong(known: Known, seen: NonNullable<FirstWords["wrongSecret"]>): Finding {
  const { view } = known;
  const { arrived } = view.words.routers;
  const [count, last] = [seen.count, formatCheckTime(known, seen.last)];
  const failedSecret = known.secret;
  return {
    step: "secret",
    state: "wrong",
    at: seen.last,
    title: arrived.secretWrong,
    text:
      failedSecret === null ? arrived.secretWrongHidden(count, last) : arrived.secretWrongText(count, last),
    command:
      failedSecret === null ? null : `/radius set [find comment=gatehouse] secret=${quoted(failedSecret)}`,
  };
}

function login(known: Known): Finding {
  const { view, words } = known;
  const { arrived } = view.words.routers;
  const { login: first, report: reported } = words;
  const step = { step: "login", command: null } as const;
  if (!first)
    return reported
      ? { ...step, state: "waiting", at: null, title: arrived.loginBlocked, text: arrived.loginBlockedText }
      : { ...step, state: "waiting", at: null, title: arrived.noLogin, text: arrived.noLoginText };
  const who = first.name === null ? first.username : `${first.username}, ${first.name}`;
  const done = { ...step, state: "done", at: first.at, title: arrived.login } as const;
  if (!first.accepted) {
    const { reasons } = view.words.logins;
    const why = isReason(first.reason) ? reasons[first.reason].toLowerCase() : first.reason;
    return { ...done, text: arrived.loginRefused(who, why) };
  }
  const speed = view.format.speed(first.rateLimit);
  const sent = speed ? arrived.loginSpeed(`${speed.down} / ${speed.up}`) : "";
  return { ...done, text: [arrived.loginText(who), sent].filter(Boolean).join(" ") };
}

function report(known: Known): Finding {
  const { view, words, now } = known;
  const { arrived } = view.words.routers;
  const { report: first, login: answered, reports } = words;
  if (first)
    return {
      step: "report",
      state: "done",
      at: first.at,
      title: arrived.report,
      command: null,
      text: [
        arrived.reportText(formatCheckTime(known, first.at), first.address ?? words.router.name),
        reports > 0 ? arrived.reports(reports) : "",
      ].join(" "),
    };
  if (answered?.accepted && now - answered.at > REPORT_FOLLOWS)
    return {
      step: "report",
      state: "wrong",
      at: answered.at,
      title: arrived.reportBlocked,
      text: arrived.reportBlockedText(formatCheckTime(known, answered.at)),
      command: "/ppp aaa set accounting=yes",
    };
  return {
    step: "report",
    state: "waiting",
    at: null,
    command: null,
    title: arrived.noReport,
    text: arrived.noReportText,
  };
}

function coa(known: Known): Finding {
  const { view, words, test } = known;
  const { arrived } = view.words.routers;
  const { coaPort } = words.router;
  const step = { step: "coa", at: test?.at ?? null, command: null } as const;
  const answer = test?.steps?.find(({ check }) => check === "coa");
  if (answer?.status === "ok")
    return { ...step, state: "done", title: arrived.coa, text: arrived.coaText(told(view, answer.detail)) };
  if (test?.isLeft) return { ...step, state: "left", title: arrived.coaLeft, text: arrived.coaLeftText };
  if (!test) {
    const isReady = words.provenAt !== null && !words.isWrongNow;
    const text = isReady ? arrived.coaReadyText : arrived.coaWaitingText;
    return { ...step, state: "waiting", title: arrived.coaWaiting, text };
  }
  if (test.steps === null)
    return { ...step, state: "waiting", title: arrived.coaAsking, text: arrived.coaAskingText(coaPort) };
  if (test.refusal !== null)
    return { ...step, state: "wrong", title: arrived.coaRefused, text: test.refusal };
  return { ...step, state: "wrong", ...silence(known, test) };
}

/** Errors in place of an answer. */
function silence(known: Known, test: RouterTest): Pick<Finding, "title" | "text" | "command"> {
  const { view, words } = known;
  const { arrived } = view.words.routers;
  const [answer, secretStep] = (["coa", "secret"] as const).map((check) =>
    test.steps?.find((one) => one.check === check),
  );
  if (secretStep?.status === "failed")
    return { title: arrived.coaForged, text: told(view, secretStep.detail), command: null };
  if (answer?.remedy?.includes(FIRST_RULE) === true)
    return {
      title: arrived.coaSilent,
      text: arrived.coaSilentText(words.router.coaPort, test.times * TRIES, formatCheckTime(known, test.at)),
      command: FIRST_RULE,
    };
  return {
    title: arrived.coaWrong,
    text: answer ? told(view, answer.detail) : "",
    command: answer?.remedy ?? null,
  };
}

/** Tries before a request counts as unanswered. */
const TRIES = 3;

function clock(known: Known): Finding {
  const { view, words } = known;
  const { arrived } = view.words.routers;
  const step = { step: "clock", command: null } as const;
  if (words.clock === null)
    return words.report
      ? { ...step, state: "left", at: null, title: arrived.clockNone, text: arrived.clockNoneText }
      : { ...step, state: "waiting", at: null, title: arrived.clockWaiting, text: arrived.clockWaitingText };
  const { ahead, at } = words.clock;
  const span = view.format.duration(Math.abs(ahead));
  const by = ahead === 0 ? arrived.exact : ahead > 0 ? arrived.ahead(span) : arrived.behind(span);
  return Math.abs(ahead) > CLOCK_TOLERANCE
    ? {
        step: "clock",
        state: "wrong",
        at,
        command: NTP,
        title: arrived.clockWrong(by),
        text: arrived.clockWrongText,
      }
    : { ...step, state: "done", at, title: arrived.clock, text: arrived.clockText(by) };
}
