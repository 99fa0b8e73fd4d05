import { outcomes, type RejectReason } from "../../domain/service/access/outcomes.ts";
import type { HotspotWords } from "../words/languages.ts";

const ofReasons: Readonly<Record<RejectReason, keyof HotspotWords>> = {
  router_login: "otherKind",
  no_credentials: "fault",
  unknown_user: "wrong",
  disabled: "disabled",
  never_activated: "inactive",
  wrong_password: "wrong",
  mac_locked: "otherDevice",
  other_isp: "otherNetwork",
  wrong_connection_type: "otherKind",
  frozen: "paused",
  expired: "expired",
  quota_used_up: "usedUp",
  too_many_sessions: "inUse",
  card_unsold: "notSold",
  card_unheard: "fault",
  card_void: "void",
  card_expired: "expired",
  card_used_up: "usedUp",
  card_not_access: "toRedeem",
  too_many_guesses: "wrong",
};

/** Refusals of the router, by their names in errors.txt. */
const ofRouter = {
  "internal-error": "fault",
  "config-error": "fault",
  "not-logged-in": "loggedOut",
  "ippool-empty": "fault",
  "shutting-down": "noAnswer",
  "user-session-limit": "inUse",
  "license-session-limit": "fault",
  "wrong-mac-username": "otherDevice",
  "chap-missing": "noScript",
  "invalid-username": "wrong",
  "invalid-mac": "otherDevice",
  "uptime-limit": "usedUp",
  "traffic-limit": "usedUp",
  "radius-timeout": "noAnswer",
  "auth-in-progress": "busy",
} as const satisfies Readonly<Record<string, keyof HotspotWords>>;

/** The router's sentences, in the language without scripts; RADIUS's are passed on. */
export function errorsTxt(words: HotspotWords): string {
  const lines = Object.entries(ofRouter).map(([name, key]) => `${name} = ${words[key]}`);
  return [...lines, "radius-reply = $(error-orig)", ""].join("\n");
}

/** Keys of refusals by their texts; `words` are those of errors.txt. */
export function refusalKeys(words: HotspotWords): Readonly<Record<string, string>> {
  const ofRadius = Object.entries(ofReasons).map(([reason, key]) => [replyMessage(reason), key]);
  const bySentence = Object.values(ofRouter).map((key) => [words[key], key]);
  // challenges expire after an hour
  return Object.fromEntries([...bySentence, ...ofRadius, [words.noScript, "stale"]]);
}

/** A reason's Reply-Message. */
function replyMessage(reason: string): string {
  const found = Object.entries(outcomes).find(([name]) => name === reason)?.[1];
  return found && "forSubscriber" in found ? found.forSubscriber : "";
}
