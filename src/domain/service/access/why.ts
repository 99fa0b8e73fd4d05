import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { findService } from "../activation/plan.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type Explanation, explain } from "./explain.ts";

/** Why a subscriber is online or not: one sentence, the evidence, and what to do (null: nothing). */
export interface Why {
  readonly sentence: string;
  readonly remedy: string | null;
  readonly explanation: Explanation;
}

interface Cause {
  readonly cause: string;
  readonly remedy: string | null;
}

/** Explains it for the counter. Throws not_found. */
export function explainWhy(db: Db, by: Actor, subscriberId: number, { now }: { now: Seconds }): Why {
  permit(by, "explainWhy");
  const { username, status } = subscriberById(db, by.scope, subscriberId);
  const explanation = explain(db, by, username, { now });
  const frozenAt = status === 1 ? (findService(db, subscriberId)?.frozenAt ?? null) : null;
  const { cause, remedy } = frozenAt === null ? findCause(explanation) : frozenCause(explanation, frozenAt);
  return { sentence: `${username} is ${cause}.`, remedy, explanation };
}

const ENABLE = "enable the subscriber";
const ACTIVATE = "activate a package";
const REDIAL = "let the device dial again: switch it off and on";

/** Remedies where the reason's text has none. */
const remedies: Readonly<Record<string, string>> = {
  wrong_password: "reset the password, and enter the new one in the device",
  never_activated: ACTIVATE,
  other_isp: "let the subscriber dial in at a router of its own ISP, or see which ISP the router belongs to",
  wrong_connection_type: "set the connection type that fits how the device connects",
  unknown_user: "enter the username in the device as it is written here",
};
/** Rejects that tell the subscriber's state at the time. */
const states: Readonly<Record<string, string>> = {
  disabled: "disabled",
  frozen: "disabled",
  never_activated: "inactive",
  expired: "expired",
};

function findCause(explanation: Explanation): Cause {
  const { status, expires, online, findings, decisions } = explanation;
  if (online) return onlineCause(explanation);
  if (status === "disabled") return { cause: "offline: staff have disabled it", remedy: ENABLE };
  if (status === "inactive") return { cause: "offline: no package was ever activated", remedy: ACTIVATE };
  const [last] = decisions;
  if (last && !last.accepted && !(last.reason in states)) {
    const { cause, remedy } = split(last.words.replace(/^rejected: /, ""));
    const refused = `offline: refused at ${last.at} by ${last.nas}, ${cause}`;
    return { cause: refused, remedy: remedy ?? remedies[last.reason] ?? null };
  }
  if (status === "expired") return { cause: `offline: expired since ${expires}`, remedy: ACTIVATE };
  if (last && !last.accepted)
    return { cause: `active by now, and has not dialled since it was refused at ${last.at}`, remedy: REDIAL };
  const [finding] = findings;
  if (finding !== undefined) {
    const { cause, remedy } = split(finding);
    return { cause: `offline: ${cause}`, remedy: remedy ?? REDIAL };
  }
  return {
    cause: `offline: let in at ${last?.at}, and its session has ended since`,
    remedy: REDIAL,
  };
}

/** A frozen subscriber counts as disabled, but is not enabled to get in. */
function frozenCause({ online }: Explanation, frozenAt: Seconds): Cause {
  const since = `frozen since ${formatTime(frozenAt)}`;
  if (online) return { cause: `online since ${online.since}, although ${since}`, remedy: "disconnect it" };
  return { cause: `offline: the service is ${since}`, remedy: "thaw it" };
}

function onlineCause({ status, expires, online }: Explanation): Cause {
  const address = online?.address ? ` with ${online.address}` : "";
  const where = `online since ${online?.since}${address} on ${online?.nas ?? "its router"}`;
  if (status === "expired") return { cause: `${where}, and expired since ${expires}`, remedy: ACTIVATE };
  if (status === "disabled")
    return { cause: `${where}, although staff have disabled it`, remedy: "disconnect it" };
  return { cause: where, remedy: null };
}

/** Our texts name the cause first, then the remedy. */
function split(words: string): Cause {
  const at = words.indexOf("; ");
  return at < 0 ? { cause: words, remedy: null } : { cause: words.slice(0, at), remedy: words.slice(at + 2) };
}
