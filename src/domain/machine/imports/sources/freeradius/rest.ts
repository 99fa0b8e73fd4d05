import type { Pair } from "./pairs.ts";

const TIME = /^max-(daily|weekly|monthly|yearly|all)-session(-time)?$/;

/** Attributes without effect here. */
const needless = new Set([
  "fall-through",
  "reply-message",
  "service-type",
  "framed-protocol",
  "framed-compression",
  "framed-mtu",
  "framed-routing",
  "framed-ip-netmask",
  "acct-interim-interval",
  "port-limit",
  "mikrotik-wireless-comment",
  "wispr-session-terminate-time",
]);

/** Check items handled elsewhere, or without effect. */
const readElsewhere =
  /^(expiration|calling-station-id|(auth|autz|acct|post-auth|session)-type)$|-password$|^password/;
const ofReply = /^(framed|mikrotik|wispr|chillispot|ascend|delegated|idle|session|port)-/;
const ofCheck =
  /^(simultaneous-use|expiration|access-period|expire-after|login-time|max-.*|pool-name|(auth|autz)-type)$/;

const reasons: readonly (readonly [RegExp, string])[] = [
  [TIME, "time online is not counted against a limit here"],
  [/^login-time$/, "there are no hours of login here; RouterOS can do that by a profile and a scheduler"],
  [/^session-timeout$/, "a session ends here with the subscriber's time"],
  [
    /^pool-name$/,
    "the RADIUS server gave these addresses; make a pool of that name on the router, and set it in the package",
  ],
  [/^mikrotik-group$/, "a router's profile is not chosen here; the package's terms are sent instead"],
  [/(recv|xmit)-limit|max-(in|out)put-(octets|gigawords)/, "a quota here is of both directions together"],
];

/** Possible secrets are not shown. */
export const isSecret = ({ name }: Pair): boolean => /passw|secret|psk|-key|pin\b/.test(name);

export function tellRest(rest: readonly Pair[], leave: (pair: Pair, why: string) => void): void {
  for (const pair of rest) {
    const isCheck = pair.table.endsWith("check");
    if (needless.has(pair.name) || (isCheck && readElsewhere.test(pair.name))) continue;
    leave(pair, misplaced(pair.name, isCheck) ?? reasonFor(pair.name));
  }
}

/** Check items in replies, and the reverse. */
function misplaced(name: string, isCheck: boolean): string | undefined {
  if (isCheck)
    return ofReply.test(name) ? "it stands among the checks, of which FreeRADIUS sends none" : undefined;
  return ofCheck.test(name) ? "it stands in the reply, where FreeRADIUS does not look for it" : undefined;
}

const reasonFor = (name: string) =>
  reasons.find(([form]) => form.test(name))?.[1] ?? "there is nothing like it here";
