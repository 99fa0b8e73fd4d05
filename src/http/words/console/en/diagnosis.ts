import type { LoginRun } from "../../../../domain/service/access/login-runs.ts";
import type {
  Act,
  Code,
  DiagnosisOf,
  Outage,
  Fix,
} from "../../../../domain/desk/diagnosis/diagnosis-kinds.ts";
import type { AccessReason } from "../../../../domain/service/access/outcomes.ts";
import type { SessionInScope } from "../../../../domain/service/sessions/in-scope.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";

/** Formats of figures, times and devices. */
export interface Phrases {
  /** Isolated stored text. */
  readonly name: (text: string) => string;
  /** `14:31`, `Mon 22:51`, `2 Jan`: as much as it needs by now. */
  readonly near: (at: Seconds) => string;
  /** `Saturday 12 January, 18:00`. */
  readonly full: (at: Seconds) => string;
  readonly lasted: (seconds: Seconds) => string;
  /** `3 days ago`. */
  readonly ago: (at: Seconds) => string;
  readonly money: (minor: number) => string;
  readonly bytes: (octets: number) => string;
  /** `30 / 10 Mbit/s`. */
  readonly rate: (rateLimit: string | null) => string;
  /** `a TP-Link, D8:07:B6:1A:4F:C2`. */
  readonly device: (mac: string | null) => string;
  /** `the TP-Link`. */
  readonly maker: (mac: string | null) => string;
}

interface Verdict {
  readonly title: string;
  readonly text: string;
  /** What the first button does. */
  readonly hint?: string;
}

type Verdicts = { readonly [C in Code]: (facts: DiagnosisOf<C>, phrases: Phrases) => Verdict };

const on = ({ nasName, session }: SessionInScope, phrases: Phrases) =>
  phrases.name(nasName ?? session.nasAddress);
const at = (run: LoginRun, phrases: Phrases) => phrases.name(run.nasName ?? run.nasAddress);
const whoDid = (act: Act | null, phrases: Phrases) =>
  act ? `${phrases.name(act.by)}, ${phrases.near(act.at)}.` : "Who did it is not kept any more.";
const places: Record<Outage["kind"], string> = { router: "The router", box: "The box", area: "The area" };

function asks(run: LoginRun, phrases: Phrases): string {
  if (run.times === 1) return `asked once, at ${phrases.near(run.at)}`;
  const every = Math.round((run.at - run.since) / (run.times - 1));
  if (every <= 90 && every >= 50) return "asks every minute";
  return every === 0 ? "asks again and again" : `asks every ${phrases.lasted(every)}`;
}

const where = (isSame: boolean, run: LoginRun, phrases: Phrases) =>
  isSame ? "at the same router" : `at ${at(run, phrases)}`;
const online = (session: SessionInScope, phrases: Phrases) =>
  `since ${phrases.near(session.session.startedAt)}${session.session.framedIp ? ` with ${session.session.framedIp}` : ""} on ${on(session, phrases)}`;

function unpaid({ packageName, since, money, renewal }: DiagnosisOf<"expired">, phrases: Phrases): Verdict {
  const owes = money !== null && money.balance < 0;
  const title = `The package ended ${phrases.ago(since)}${owes ? `, and ${phrases.money(-money.balance)} is owed` : ""}`;
  const byItself = renewal ? ` and did not renew by itself: ${renewal.reason}` : "";
  const wallet =
    money === null
      ? ""
      : ` The wallet stands at ${phrases.money(money.balance)}, the price is ${phrases.money(money.price)}.`;
  return {
    title,
    text: `${phrases.name(packageName)} ended on ${phrases.full(since)}${byItself}.${wallet}`,
    ...sum(money, packageName, phrases),
  };
}

/** `28.00 = 6.00 owed + 22.00 for Family 30.` */
function sum(
  money: DiagnosisOf<"expired">["money"],
  packageName: string,
  phrases: Phrases,
): { hint?: string } {
  if (money === null || money.due === 0) return {};
  const { due, balance, price } = money;
  if (balance < 0)
    return {
      hint: `${phrases.money(due)} = ${phrases.money(-balance)} owed + ${phrases.money(price)} for ${phrases.name(packageName)}.`,
    };
  if (balance > 0)
    return {
      hint: `${phrases.money(due)} = ${phrases.money(price)} for ${phrases.name(packageName)} less ${phrases.money(balance)} in the wallet.`,
    };
  return {};
}

const data = (
  { packageName, total, used }: { packageName: string; total: number; used: number },
  phrases: Phrases,
) => `${phrases.bytes(used)} of the ${phrases.bytes(total)} of ${phrases.name(packageName)} is used.`;

const verdicts: Verdicts = {
  online: ({ session }, phrases) => ({
    title: "Online",
    text: `Online ${online(session, phrases)}.`,
  }),
  online_slowed: (facts, phrases) => ({
    title: "Slower: the data is used up",
    text: `${data(facts, phrases)} Until the renewal the line runs at ${phrases.rate(facts.rate)}.`,
    ...sum(facts.money, facts.packageName, phrases),
  }),
  online_held_expired: ({ session, ...facts }, phrases) => {
    const verdict = unpaid({ ...facts, code: "expired" }, phrases);
    return {
      ...verdict,
      text: `${verdict.text} The line itself works; it is held at the pay page since ${phrases.near(session.session.startedAt)}.`,
    };
  },
  online_held_data: (facts, phrases) => ({
    title: "At the pay page: the data is used up",
    text: `${data(facts, phrases)} The line itself works; it is held at the pay page.`,
    ...sum(facts.money, facts.packageName, phrases),
  }),
  online_held_paid: ({ session, packageName }, phrases) => ({
    title: "Paid for, and still held back",
    text: `${phrases.name(packageName)} runs, but the session is from before: it was let in ${phrases.near(session.session.startedAt)} with what counted then.`,
    hint: "Ended here, the device dials again and gets what is paid for.",
  }),
  online_expired: (facts, phrases) => {
    const verdict = unpaid({ ...facts, code: "expired" }, phrases);
    return {
      ...verdict,
      text: `${verdict.text} The session that is open still runs; the router was told to end it.`,
    };
  },
  online_disabled: ({ session, act }, phrases) => ({
    title: "Online, although staff have disabled it",
    text: `Disabled by ${whoDid(act, phrases)} Its router ${on(session, phrases)} has not ended the session yet; it is asked again.`,
  }),
  online_frozen: ({ session, since }, phrases) => ({
    title: "Online, although it is frozen",
    text: `Frozen since ${phrases.near(since)}. Its router ${on(session, phrases)} has not ended the session yet; it is asked again.`,
  }),
  online_unheard: ({ session, outage }, phrases) => ({
    title: outage ? `${phrases.name(outage.name)} is silent` : "Not certain: nothing was heard lately",
    text: `Online as last heard, ${phrases.near(session.session.updatedAt)}. ${outage ? `${outage.lines} lines went with it, since ${phrases.near(outage.since)}.` : `${on(session, phrases)} has not told of this session since then.`}`,
  }),
  second_device: ({ session, run, allowed }, phrases) => ({
    title: "A second device is refused: the first one is online",
    text: `The package allows ${allowed === 1 ? "one session" : `${allowed} sessions`}. Online ${online(session, phrases)}: ${phrases.device(session.session.mac)}. Since ${phrases.near(run.since)} ${phrases.device(run.mac)} ${asks(run, phrases)} at ${at(run, phrases)}.`,
    hint: "Ended, the first device makes room for the second. Both want in: the faster one wins.",
  }),
  archived: ({ since, act }, phrases) => ({
    title: "Archived: this subscriber has left",
    text: `Since ${phrases.near(since)}. ${whoDid(act, phrases)} Books and sessions are kept; the name and the numbers are free for others.`,
    hint: "It comes back disabled.",
  }),
  disabled: ({ act }, phrases) => ({
    title: "Disabled by staff",
    text: `${whoDid(act, phrases)} Nobody is let in with this name until it is enabled.`,
  }),
  frozen: ({ since, act }, phrases) => ({
    title: "Frozen",
    text: `Since ${phrases.near(since)}. ${whoDid(act, phrases)} What is left of the package is kept until it is thawed.`,
    hint: "Thawed, the end moves by the time that it stood still.",
  }),
  never_activated: ({ packageName, money }, phrases) => ({
    title: "No package was ever activated",
    text: `${phrases.name(packageName)} is chosen${money ? ` and costs ${phrases.money(money.price)}; the wallet stands at ${phrases.money(money.balance)}` : ""}.`,
    ...sum(money, packageName, phrases),
  }),
  router_decides: () => ({
    title: "The router itself decides this line",
    text: "Its connection type is one of the router’s own users: no login and no session of it comes here.",
  }),
  static_address: ({ address }) => ({
    title: "A fixed address, without logins",
    text: `${address ? `It has ${address}. ` : ""}Such a line has no session that could be seen here.`,
  }),
  outage: ({ outage }, phrases) => ({
    title: `${places[outage.kind]} ${phrases.name(outage.name)} is down since ${phrases.near(outage.since)}`,
    text: `${outage.lines} lines went dark together, this one at ${phrases.near(outage.darkAt)}. Nothing is wrong with this line alone.`,
  }),
  new_device: ({ run, locked, isSameRouter }, phrases) => ({
    title: "Refused: there is a new router at this line",
    text: `The password is right. The line is locked to ${phrases.device(locked)}; since ${phrases.near(run.since)} ${phrases.device(run.mac)} ${asks(run, phrases)} ${where(isSameRouter, run, phrases)}.`,
    hint: `The lock moves to ${phrases.maker(run.mac)}. It is let in when it asks again. Nothing is charged.`,
  }),
  wrong_password: ({ run }, phrases) => ({
    title: "Refused: the password is wrong",
    text: `Since ${phrases.near(run.since)} ${phrases.device(run.mac)} ${asks(run, phrases)} at ${at(run, phrases)}, with a password that is not the one here.`,
    hint: "The new password is shown once; it has to be entered in the device.",
  }),
  router_secret: ({ run }, phrases) => ({
    title: `Refused: ${at(run, phrases)} has another shared secret`,
    text: `The passwords that it sends are no text since ${phrases.near(run.since)}. Set the same RADIUS secret on both sides; the line itself is in order.`,
  }),
  other_isp: ({ run }, phrases) => ({
    title: "Refused: it dials in at another ISP’s router",
    text: `Since ${phrases.near(run.since)} ${phrases.device(run.mac)} ${asks(run, phrases)} at ${run.nasAddress}, which belongs to another ISP of this appliance.`,
  }),
  wrong_connection_type: ({ run }, phrases) => ({
    title: "Refused: it connects in another way than is written here",
    text: `Since ${phrases.near(run.since)} ${phrases.device(run.mac)} ${asks(run, phrases)} at ${at(run, phrases)}; PPPoE and hotspot are different connection types.`,
  }),
  router_login: ({ run }, phrases) => ({
    title: "Refused: somebody tried to log in to the router with this name",
    text: `Last at ${phrases.near(run.at)}, at ${at(run, phrases)}. Such logins are not served.`,
  }),
  no_credentials: ({ run }, phrases) => ({
    title: "Refused: no password came that could be checked",
    text: `${at(run, phrases)} asks since ${phrases.near(run.since)} with a method that is not served. Allow PAP, CHAP, MS-CHAP or MS-CHAPv2 on it.`,
  }),
  expired: unpaid,
  quota_used_up: (facts, phrases) => ({
    title: "The data is used up",
    text: `${data(facts, phrases)} Nothing is let in before the renewal.`,
    ...sum(facts.money, facts.packageName, phrases),
  }),
  mended: ({ run }, phrases) => ({
    title: "In order again, and has not logged in since",
    text: `It was refused until ${phrases.near(run.at)}: ${reasonOf(run.reason)}. What stood in the way is gone. Switch the device off and on, and it asks again.`,
  }),
  ended: ({ last }, phrases) => ({
    title: `Offline: ${causeOf(last.session.terminateCause)}`,
    text: `The last session ran until ${phrases.near(last.session.stoppedAt ?? 0)} on ${on(last, phrases)}, for ${phrases.lasted(lengthOf(last))}. Nobody has asked since; the account is in order.`,
    hint: "Nothing here keeps it out: look at the device, its power and the line.",
  }),
  unaccounted: ({ run }, phrases) => ({
    title: `Let in, but ${at(run, phrases)} says nothing of a session`,
    text: `Accepted at ${phrases.near(run.at)} and no accounting followed: either the router does not believe our answer, because its secret is not ours, or it sends no accounting.`,
  }),
  router_unsigned: () => ({
    title: "Requests of its router are dropped",
    text: "They come without the signature that is required of them (Message-Authenticator), so nobody behind it is answered.",
  }),
  not_asking: ({ last }, phrases) => ({
    title: "Offline: nothing is heard of this line",
    text: `The last session ended ${phrases.near(last.session.stoppedAt ?? 0)}, ${causeOf(last.session.terminateCause)}, and no login was tried in the time that decisions are kept.`,
    hint: "Nothing here keeps it out: look at the device, its power and the line.",
  }),
  never_asked: () => ({
    title: "Nobody has dialled in with this name yet",
    text: "The account is in order. The device does not dial, the name in it is another one, or its router does not reach us.",
  }),
};

const lengthOf = ({ session }: SessionInScope) =>
  Math.max(0, (session.stoppedAt ?? session.updatedAt) - session.startedAt);

const reasons: Readonly<Record<AccessReason, string>> = {
  accepted: "password and device right",
  accepted_expired: "expired, to the pay page",
  accepted_quota_used_up: "data used up, to the pay page",
  accepted_slowed_down: "data used up, slower",
  router_login: "a login to the router itself",
  no_credentials: "no password to check",
  unknown_user: "there was nobody of this name",
  disabled: "disabled",
  never_activated: "never activated",
  wrong_password: "wrong password",
  mac_locked: "other device than the lock",
  other_isp: "another ISP’s router",
  wrong_connection_type: "other kind of connection",
  frozen: "frozen",
  expired: "expired",
  quota_used_up: "data used up",
  too_many_sessions: "another device is online",
  card_unsold: "card not sold yet",
  card_unheard: "new card, box cut off",
  card_void: "void card",
  card_expired: "expired card",
  card_used_up: "used-up card",
  card_not_access: "not a card to log in with",
  too_many_guesses: "too many wrong codes",
};

/** Unknown reasons stay. */
function reasonOf(reason: string): string {
  return Object.entries(reasons).find(([name]) => name === reason)?.[1] ?? reason;
}

const causes: Readonly<Record<string, string>> = {
  "User-Request": "the device hung up",
  "Lost-Carrier": "line lost",
  "Lost-Service": "service lost",
  "Idle-Timeout": "idle for too long",
  "Session-Timeout": "its time was over",
  "Admin-Reset": "ended from here",
  "Admin-Reboot": "the router was restarted by hand",
  "Port-Error": "fault at the port",
  "NAS-Error": "fault of the router",
  "NAS-Request": "the router ended it",
  "NAS-Reboot": "the router restarted",
  "Port-Unneeded": "the port was not needed",
  "Port-Preempted": "the port was given to another",
  "Port-Suspended": "the port was suspended",
  "Service-Unavailable": "the router could not serve it",
  "User-Error": "fault of the device",
  "Host-Request": "ended from within",
  lost: "not heard of any more",
};

function causeOf(cause: string | null): string {
  return cause === null ? "the router did not say why" : (causes[cause] ?? cause);
}

interface Pressed {
  readonly money: (minor: number) => string;
  readonly maker: (mac: string | null) => string;
  readonly lasted: (seconds: Seconds) => string;
}

type Labels = {
  readonly [K in Fix["kind"]]: (fix: Extract<Fix, { kind: K }>, phrases: Pressed) => string;
};
const labels: Labels = {
  take_device: ({ mac }, { maker }) => `Unlock, take ${maker(mac)}`,
  unlock: () => "Unlock for any device",
  pay: ({ amount }, { money }) => `Take ${money(amount)} and renew`,
  renew: () => "Renew",
  trust: () => "One day on trust",
  activate: () => "Activate",
  package: () => "Another package",
  enable: () => "Enable",
  thaw: () => "Thaw",
  restore: () => "Bring it back",
  password: () => "New password",
  disconnect: () => "End the session",
  end_session: () => "End the other session",
  edit: () => "Edit the line",
  outage: ({ lines }) => (lines === 1 ? "To the outage" : `All ${lines} lines`),
  router: () => "To the router",
};

export const diagnosis = {
  label: "What is the matter",
  labelWell: "All is well",
  verdicts,
  reasonOf,
  causeOf,
  labels,
  evidence: {
    caption: "What shows it",
    head: { when: "Evidence", what: "Decision", why: "Why", device: "Device", times: "Times" },
    accepted: "Accepted",
    rejected: "Rejected",
    ended: "Ended",
    renewal: "Renewal refused",
    invoice: (number: string) => `Invoice ${number}`,
    unpaid: (amount: string) => `${amount} unpaid`,
    after: (cause: string, lasted: string) => `${cause}, after ${lasted}`,
    rejectedTimes: (n: number, isMore: boolean) => `${n}${isMore ? "+" : ""} rejected`,
    sinceLast: (since: string, last: string) => `since ${since}, last ${last}`,
    times: (n: number, isMore: boolean) => `${n}${isMore ? "+" : ""}×`,
  },
};
