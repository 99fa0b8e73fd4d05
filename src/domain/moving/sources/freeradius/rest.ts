import type { Pair } from "./pairs.ts";

const TIME = /^max-(daily|weekly|monthly|yearly|all)-session(-time)?$/;

/** Attributes that change nothing here: the program sends its own, or they are read elsewhere. */
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
  "auth-type",
  "autz-type",
  "post-auth-type",
  "expiration",
  "calling-station-id",
  "wispr-session-terminate-time",
]);

/** Why some attributes stay behind, where more can be said than that there is nothing like them. */
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
  [/^simultaneous-use$/, "it stands in the reply, where FreeRADIUS does not look for it"],
];

/** Values that may be secrets are not repeated. */
export const isSecret = ({ name }: Pair): boolean => /passw|secret|psk|-key|pin\b/.test(name);

/** Tells the attributes that nothing asked for. */
export function tellRest(rest: readonly Pair[], leave: (pair: Pair, why: string) => void): void {
  for (const pair of rest) {
    const isLogin = pair.table.endsWith("check") && /-password$|^password/.test(pair.name);
    if (needless.has(pair.name) || isLogin) continue;
    const [, reason = "there is nothing like it here"] = reasons.find(([form]) => form.test(pair.name)) ?? [];
    leave(pair, reason);
  }
}
