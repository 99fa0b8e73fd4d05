import type { ReplyAttributes } from "../../goods/attributes/reply.ts";
import { type InForce, isCutByRouter, termsInForce } from "../fair-use/terms.ts";
import { slowerRate } from "../../goods/packages/rate-limit.ts";
import { radiusKind } from "../../goods/subscribers/connection-types.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { AcceptReason, RejectReason } from "./outcomes.ts";
import type { Candidate, OpenSession, Service } from "./reader.ts";

export type ServiceKind = "ppp" | "hotspot" | "other";

export interface Attempt {
  /** The NAS's ISP; null is every one. */
  ispId: number | null;
  nasAddress: string;
  mac: string | undefined;
  kind: ServiceKind;
  passwordIsRight: boolean;
  /** Read only when everything else allows the login. */
  sessions: () => readonly OpenSession[];
  /** Recent Accepts without a Start that would count beside this login. */
  pending: (open: readonly OpenSession[]) => number;
  /** Whether it replaces a session at its NAS-Port, without a known device. Asked only when the limit is reached. */
  replacesAtNasPort: () => boolean;
  /** Whether the router supports address lists, so that one can confine. */
  takesLists: boolean;
  expiredSessionTimeout: number;
  /** The rate limit in the walled garden. */
  gardenRate: string;
  now: Seconds;
}

export interface Grant {
  isGarden?: true | undefined;
  rateLimit?: string | undefined;
  framedIp?: string | undefined;
  framedPool?: string | undefined;
  framedIpv6Prefix?: string | undefined;
  framedIpv6Pool?: string | undefined;
  delegatedIpv6Prefix?: string | undefined;
  delegatedIpv6Pool?: string | undefined;
  addressList?: string | undefined;
  sessionTimeout: number;
  idleTimeout?: number | undefined;
  /** From the package and the subscriber. */
  replyAttributes?: ReplyAttributes | undefined;
  /** The rate is a limit that no reply attribute may replace. */
  isRateFirm?: true | undefined;
  /** Bytes left of the quota. */
  totalLimit?: number | undefined;
}

export type Decision =
  { accept: true; reason: AcceptReason; grant: Grant } | { accept: false; reason: RejectReason };

export const MIN_SESSION_TIMEOUT = 60;
export const MAX_SESSION_TIMEOUT = 21_474_720;

type Judged = Omit<Candidate, "password">;

/** Decides a login: the first failing check gives the reason. Reads and writes nothing. */
export function decide(candidate: Judged, attempt: Attempt): Decision {
  if (candidate.status !== 1) return reject("disabled");
  const { service } = candidate;
  if (!service) return reject("never_activated");
  if (!attempt.passwordIsRight) return reject("wrong_password");
  if (candidate.macLock === 1 && candidate.macAddress !== attempt.mac) return reject("mac_locked");
  if (attempt.ispId !== null && candidate.ispId !== attempt.ispId) return reject("other_isp");
  if (!serves(candidate, attempt.kind)) return reject("wrong_connection_type");
  if (service.frozenAt !== null) return reject("frozen");

  const expired = service.expiresAt <= attempt.now;
  const inForce = termsInForce(service, attempt.now);
  const usedUp = inForce.isUsedUp;
  const confined = expired || (usedUp && service.quotaExceeded === "reject");
  const isGarden =
    service.expiredPool !== null || (service.expiredAddressList !== null && attempt.takesLists);
  if (confined && !isGarden) {
    return reject(expired ? "expired" : "quota_used_up");
  }
  if (!hasRoom(attempt, service.simultaneousUse)) return reject("too_many_sessions");

  if (confined) {
    const reason = expired ? "accepted_expired" : "accepted_quota_used_up";
    return { accept: true, reason, grant: walledGarden(service, attempt) };
  }
  return usedUp
    ? {
        accept: true,
        reason: "accepted_slowed_down",
        grant: { ...paidFor(candidate, service, inForce, attempt), totalLimit: undefined },
      }
    : { accept: true, reason: "accepted", grant: paidFor(candidate, service, inForce, attempt) };
}

/** What of an attempt is known of a session that is open. */
type OpenAttempt = Pick<
  Attempt,
  "ispId" | "nasAddress" | "mac" | "takesLists" | "expiredSessionTimeout" | "gardenRate" | "now"
>;

/** Decides a login of an open session anew: it has proven its password, and takes nobody's place. */
export function decideOpen(candidate: Judged, attempt: OpenAttempt): Decision {
  return decide(candidate, {
    ...attempt,
    kind: "other",
    passwordIsRight: true,
    sessions: () => [],
    pending: () => 0,
    replacesAtNasPort: () => false,
  });
}

function reject(reason: RejectReason): Decision {
  return { accept: false, reason };
}

function serves({ connectionTypeId, anyConnection }: Judged, kind: ServiceKind): boolean {
  const own = radiusKind(connectionTypeId);
  return own !== undefined && (kind === own || kind === "other" || anyConnection === 1);
}

/** Counts the sessions that would stay: the new Start closes one of the same device or NAS-Port on the same NAS. */
function hasRoom(
  { sessions, pending, replacesAtNasPort, mac, nasAddress }: Attempt,
  simultaneousUse: number,
): boolean {
  const open = sessions();
  const others = open.filter(
    (session) => mac === undefined || session.mac !== mac || session.nasAddress !== nasAddress,
  );
  const beside = others.length + pending(open);
  return beside < simultaneousUse || (beside === simultaneousUse && others.length > 0 && replacesAtNasPort());
}

function walledGarden(
  { rateLimit, framedPool, expiredPool, expiredAddressList, idleTimeout }: Service,
  attempt: Attempt,
): Grant {
  return {
    isGarden: true,
    rateLimit: slowerRate(rateLimit, attempt.gardenRate),
    framedPool: expiredPool ?? framedPool ?? undefined,
    addressList: expiredAddressList ?? undefined,
    sessionTimeout: attempt.expiredSessionTimeout,
    idleTimeout: idleTimeout ?? undefined,
  };
}

function paidFor(candidate: Judged, service: Service, inForce: InForce, { now }: Attempt): Grant {
  const left = service.expiresAt - now;
  // with two sessions a fixed address would collide with itself
  const isAlone = service.simultaneousUse === 1;
  return makeGrant(service, {
    rateLimit: inForce.rate,
    framedIp: candidate.staticIp ?? (isAlone ? candidate.poolIp : null),
    framedIpv6Prefix: candidate.framedIpv6Prefix,
    delegatedIpv6Prefix: candidate.delegatedIpv6Prefix ?? (isAlone ? candidate.poolPrefix : null),
    sessionTimeout: Math.min(Math.max(left, MIN_SESSION_TIMEOUT), MAX_SESSION_TIMEOUT),
    replyAttributes: candidate.reply,
    // reply attributes replace the package's own rate, but not a slower or scheduled one
    isRateFirm: inForce.rate === service.rateLimit ? undefined : true,
    totalLimit: inForce.total > 0 && isCutByRouter(service) ? inForce.total - inForce.used : undefined,
  });
}

interface OwnGrant extends Pick<Grant, "sessionTimeout" | "replyAttributes" | "isRateFirm" | "totalLimit"> {
  readonly rateLimit: string | null;
  readonly framedIp: string | null;
  readonly framedIpv6Prefix: string | null;
  readonly delegatedIpv6Prefix: string | null;
}

/** The terms of a package for a subscriber or card; the pool only without a fixed address. */
export function makeGrant(
  terms: Pick<Service, "framedPool" | "framedIpv6Pool" | "delegatedIpv6Pool" | "addressList" | "idleTimeout">,
  own: OwnGrant,
): Grant {
  const { framedIp, framedIpv6Prefix, delegatedIpv6Prefix } = own;
  return {
    rateLimit: own.rateLimit ?? undefined,
    framedIp: framedIp ?? undefined,
    framedPool: framedIp === null ? (terms.framedPool ?? undefined) : undefined,
    framedIpv6Prefix: framedIpv6Prefix ?? undefined,
    framedIpv6Pool: framedIpv6Prefix === null ? (terms.framedIpv6Pool ?? undefined) : undefined,
    delegatedIpv6Prefix: delegatedIpv6Prefix ?? undefined,
    delegatedIpv6Pool: delegatedIpv6Prefix === null ? (terms.delegatedIpv6Pool ?? undefined) : undefined,
    addressList: terms.addressList ?? undefined,
    sessionTimeout: own.sessionTimeout,
    idleTimeout: terms.idleTimeout ?? undefined,
    replyAttributes: own.replyAttributes,
    isRateFirm: own.isRateFirm,
    totalLimit: own.totalLimit,
  };
}
