import { type Phrase, phrase, verbatim } from "../../core/errors/phrase.ts";

/** The MS-CHAP error of a reject, where RFC 2759 section 6 has a code. */
export type MsChapError = "failed" | "disabled" | "noDialin";

interface Accepted {
  readonly accepts: true;
  /** Into the walled garden. */
  readonly confined: boolean;
  /** Meaning and remedy, for staff. */
  readonly forStaff: Phrase;
}

interface Rejected {
  readonly accepts: false;
  readonly confined: false;
  readonly forStaff: Phrase;
  /** Shown on the subscriber's device. */
  readonly forSubscriber: string;
  /** Only revealed after the right password; otherwise the answer is that of a wrong one. */
  readonly afterProof: boolean;
  readonly msChapError: MsChapError;
}

const PASSWORD = {
  accepts: false,
  confined: false,
  forSubscriber: "wrong username or password",
  afterProof: false,
  msChapError: "failed",
} as const;

const ACCOUNT = { accepts: false, confined: false, afterProof: true } as const;

/** Every login outcome by reason, as kept by auth_log, counters and `gatehouse why`. */
export const outcomes = {
  accepted: { accepts: true, confined: false, forStaff: phrase`accepted` },
  accepted_expired: {
    accepts: true,
    confined: true,
    forStaff: phrase`accepted into the walled garden: expired; activate a package`,
  },
  accepted_quota_used_up: {
    accepts: true,
    confined: true,
    forStaff: phrase`accepted into the walled garden: the data volume is used up; activate a package`,
  },
  accepted_slowed_down: {
    accepts: true,
    confined: false,
    forStaff: phrase`accepted at the slower rate: the data volume is used up`,
  },
  router_login: {
    accepts: false,
    confined: false,
    forStaff: phrase`rejected: somebody tried to log in to the router itself; such logins are not served, so let the router not ask us about them (RouterOS: /user aaa set use-radius=no)`,
    forSubscriber: "router logins are not served",
    afterProof: false,
    msChapError: "noDialin",
  },
  no_credentials: {
    accepts: false,
    confined: false,
    forStaff: phrase`rejected: the request has no password that we can check; allow PAP, CHAP, MS-CHAP or MS-CHAPv2 on the router, not EAP`,
    forSubscriber: "no usable credentials in the request",
    afterProof: false,
    msChapError: "noDialin",
  },
  unknown_user: {
    ...PASSWORD,
    forStaff: phrase`rejected: there is no subscriber with this username, and no card with this code`,
  },
  disabled: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the subscriber is disabled; enable it with: gatehouse subscriber enable USERNAME`,
    forSubscriber: "this account is disabled",
    msChapError: "disabled",
  },
  never_activated: {
    ...ACCOUNT,
    forStaff: phrase`rejected: no package was ever activated`,
    forSubscriber: "this account is not activated yet",
    msChapError: "disabled",
  },
  wrong_password: { ...PASSWORD, forStaff: phrase`rejected: wrong password` },
  mac_locked: {
    ...ACCOUNT,
    forStaff: phrase`rejected: locked to another MAC address; change the address or unlock it`,
    forSubscriber: "this account is locked to another device",
    msChapError: "noDialin",
  },
  other_isp: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the router belongs to another ISP than the subscriber`,
    forSubscriber: "this account belongs to another network",
    msChapError: "noDialin",
  },
  wrong_connection_type: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the connection type does not fit; 1 is PPP, 2 is hotspot, 3 to 5 are never served over RADIUS`,
    forSubscriber: "this account is not for this kind of connection",
    msChapError: "noDialin",
  },
  frozen: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the service is frozen; let it go on with: gatehouse subscriber thaw USERNAME`,
    forSubscriber: "this account is paused",
    msChapError: "disabled",
  },
  expired: {
    ...ACCOUNT,
    forStaff: phrase`rejected: expired; activate a package`,
    forSubscriber: "this account has expired",
    msChapError: "disabled",
  },
  quota_used_up: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the data volume is used up; activate a package`,
    forSubscriber: "the data volume is used up",
    msChapError: "noDialin",
  },
  too_many_sessions: {
    ...ACCOUNT,
    forStaff: phrase`rejected: as many sessions as the package allows are open already; see gatehouse sessions list, and end one that is over with: gatehouse sessions end USERNAME`,
    forSubscriber: "this account is in use already",
    msChapError: "noDialin",
  },
  card_unsold: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the card is not sold yet, and its batch wants that first; sell it, then it logs in`,
    forSubscriber: "this card is not sold yet",
    msChapError: "disabled",
  },
  card_unheard: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the card was never used, this access box is cut off from its books, and the batch lets no new card in meanwhile (offline 0); it logs in when they hear each other again`,
    forSubscriber: "this card cannot be checked just now; try again later",
    msChapError: "disabled",
  },
  card_void: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the card was made void; give its holder another one`,
    forSubscriber: "this card is not valid any more",
    msChapError: "disabled",
  },
  card_expired: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the card has expired; its holder needs a new one`,
    forSubscriber: "this card has expired",
    msChapError: "disabled",
  },
  card_used_up: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the time or the data of the card is used up; its holder needs a new one`,
    forSubscriber: "this card is used up",
    msChapError: "noDialin",
  },
  card_not_access: {
    ...ACCOUNT,
    forStaff: phrase`rejected: the card brings money or a package and does not log in; let the subscriber redeem it in the portal, or do it for them`,
    forSubscriber: "redeem this card in the portal; it does not log in",
    msChapError: "noDialin",
  },
  too_many_guesses: {
    ...PASSWORD,
    forStaff: phrase`rejected without a look: five wrong codes within a minute from this device; it may try again when the minute is over`,
  },
} as const satisfies Readonly<Record<string, Accepted | Rejected>>;

type Outcomes = typeof outcomes;

export type AccessReason = keyof Outcomes;
export type AcceptReason = {
  [R in AccessReason]: Outcomes[R]["accepts"] extends true ? R : never;
}[AccessReason];
export type RejectReason = Exclude<AccessReason, AcceptReason>;

/**
 * Text of a reject. A hotspot page shows it to anybody, so without the right password it says "wrong password" whether the name
 * is known, disabled or inactive.
 */
export function findRejection(reason: RejectReason, isProven: boolean): Rejected {
  const outcome: Rejected = outcomes[reason];
  return outcome.afterProof && !isProven ? outcomes.wrong_password : outcome;
}

/** What staff are told of a reason in auth_log. */
export function forStaff(reason: string): Phrase {
  return isReason(reason) ? outcomes[reason].forStaff : verbatim(reason);
}

export const reasonWords = (reason: string): string => forStaff(reason).toString();

/** Whether a reason of auth_log means walled garden only. */
export function confines(reason: string): boolean {
  return isReason(reason) && outcomes[reason].confined;
}

/** Whether it is a reason of this version: auth_log also keeps those of others. */
export function isReason(reason: string): reason is AccessReason {
  return Object.hasOwn(outcomes, reason);
}
