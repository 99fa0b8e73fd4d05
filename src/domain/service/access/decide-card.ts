import { ReplyAttributes } from "../../goods/attributes/reply.ts";
import { endOfCard } from "../cards/first-use.ts";
import type { LoginCard } from "../cards/reader.ts";
import { type CardBatch, standingOf } from "../cards/standing.ts";
import {
  type Attempt,
  type Decision,
  makeGrant,
  MAX_SESSION_TIMEOUT,
  MIN_SESSION_TIMEOUT,
} from "./decide.ts";
import type { RejectReason } from "./outcomes.ts";

export type CardAttempt = Pick<
  Attempt,
  "ispId" | "nasAddress" | "mac" | "passwordIsRight" | "sessions" | "pending" | "now"
> & {
  /** Whether this is an access box without connection to the primary. Asked only for unused cards. */
  readonly isCutOff: () => boolean;
};

/** Decides a card's login: the first failing check gives the reason. Reads and writes nothing. */
export function decideCard(card: LoginCard, batch: CardBatch, attempt: CardAttempt): Decision {
  const reason = findRefusal(card, batch, attempt);
  if (reason) return { accept: false, reason };
  const { sessions, pending, mac, nasAddress } = attempt;
  const open = sessions();
  const waiting = pending(open);
  // an Accept without a Start yet is about to lock the card to its device
  if (batch.lockFirstDevice === 1 && card.lockedMac === null && waiting > 0)
    return { accept: false, reason: "mac_locked" };
  const others = open.filter(
    (session) => mac === undefined || session.mac !== mac || session.nasAddress !== nasAddress,
  );
  const beside = others.length + waiting;
  if (beside >= batch.simultaneousUse) return { accept: false, reason: "too_many_sessions" };
  const grant = makeGrant(batch, {
    rateLimit: batch.rateLimit,
    framedIp: null,
    framedIpv6Prefix: null,
    delegatedIpv6Prefix: null,
    sessionTimeout: timeLeft(card, batch, { beside, now: attempt.now }),
    replyAttributes: ReplyAttributes.of(batch.replyAttributes, null),
    totalLimit: batch.quotaTotal > 0 ? batch.quotaTotal - card.usedOctets : undefined,
  });
  return { accept: true, reason: "accepted", grant };
}

function findRefusal(
  card: LoginCard,
  batch: CardBatch,
  { passwordIsRight, ispId, mac, isCutOff, now }: CardAttempt,
): RejectReason | undefined {
  const standing = standingOf(card, batch, now);
  if (!passwordIsRight) return "wrong_password";
  if (ispId !== null && batch.ispId !== ispId) return "other_isp";
  if (standing === "void") return "card_void";
  if (batch.kind !== "access") return "card_not_access";
  if (standing === "expired") return "card_expired";
  if (standing === "used_up") return "card_used_up";
  if (standing === "new" && batch.needsSale === 1) return "card_unsold";
  if (batch.offline === 0 && card.firstUsedAt === null && isCutOff()) return "card_unheard";
  return card.lockedMac !== null && card.lockedMac !== mac ? "mac_locked" : undefined;
}

/** Each session gets its share of the time online, at least a minute, and none outlasts the card. */
function timeLeft(
  { firstUsedAt, endsAt, usedSeconds }: LoginCard,
  batch: CardBatch,
  { beside, now }: { beside: number; now: number },
): number {
  const end = firstUsedAt === null ? endOfCard(batch, now) : endsAt;
  const byClock = end === null ? MAX_SESSION_TIMEOUT : end - now;
  const online =
    batch.uptimeSeconds === null
      ? MAX_SESSION_TIMEOUT
      : Math.max(Math.floor((batch.uptimeSeconds - usedSeconds) / (beside + 1)), MIN_SESSION_TIMEOUT);
  return Math.min(byClock, online, MAX_SESSION_TIMEOUT);
}
