import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import type { Definition } from "./dictionary.ts";

const ADDRESS = phrase`is an address; leave it out, and set static_ip, framed_ipv6_prefix or delegated_ipv6_prefix of the subscriber, or a pool of the package`;
const SECRET = phrase`is a secret, which pages and the trail would show; leave it out, and set it on the router`;

/** Attributes that only the appliance sends, or nobody may, with what to do instead. */
const reasons: readonly (readonly [reason: Phrase, names: readonly string[]])[] = [
  [
    phrase`is the appliance's own to say; leave it out`,
    ["Class", "State", "Message-Authenticator", "EAP-Message", "Proxy-State"],
  ],
  [phrase`follows from the end of the service; leave it out`, ["Session-Timeout"]],
  [
    phrase`follows from the data volume that is left; leave it out, and set data_quota_bytes of the package`,
    [
      ...["Mikrotik-Total-Limit", "Mikrotik-Total-Limit-Gigawords"],
      ...["Mikrotik-Recv-Limit", "Mikrotik-Recv-Limit-Gigawords"],
      ...["Mikrotik-Xmit-Limit", "Mikrotik-Xmit-Limit-Gigawords"],
    ],
  ],
  [
    ADDRESS,
    [
      ...["Framed-IP-Address", "Framed-IPv6-Prefix", "Framed-IPv6-Address", "Delegated-IPv6-Prefix"],
      ...["Huawei-Framed-IPv6-Address", "ERX-IPv6-NdRa-Prefix", "Mikrotik-Host-IP"],
    ],
  ],
  [
    phrase`would have the router report another name than the one that logged in; leave it out`,
    ["User-Name"],
  ],
  [
    phrase`is a key or a proof, which follows from the login; leave it out`,
    [
      ...["MS-CHAP-Response", "MS-CHAP-Error", "MS-CHAP-Domain", "MS-CHAP-Challenge", "MS-CHAP-MPPE-Keys"],
      ...["MS-CHAP2-Response", "MS-CHAP2-Success", "MS-MPPE-Send-Key", "MS-MPPE-Recv-Key"],
    ],
  ],
  [
    SECRET,
    [
      ...["Mikrotik-Wireless-PSK", "Mikrotik-Wireless-MPKey", "Mikrotik-Wireless-Enc-Key"],
      ...["ERX-Mobile-IP-Key", "ERX-PPP-Password", "Cisco-Subscriber-Password", "Huawei-User-Password"],
    ],
  ],
  [
    phrase`follows from the router's mppe; leave it out, and set that`,
    ["MS-MPPE-Encryption-Policy", "MS-MPPE-Encryption-Types"],
  ],
  [
    phrase`is what routers say, and has no place in an answer; leave it out`,
    [
      ...["User-Password", "CHAP-Password", "CHAP-Challenge", "NAS-IP-Address", "NAS-Port", "NAS-Identifier"],
      ...["NAS-Port-Type", "NAS-Port-Id", "NAS-IPv6-Address", "Called-Station-Id", "Calling-Station-Id"],
      ...["Connect-Info", "Event-Timestamp", "Error-Cause", "Acct-Status-Type", "Acct-Delay-Time"],
      ...[
        "Acct-Input-Octets",
        "Acct-Output-Octets",
        "Acct-Session-Id",
        "Acct-Authentic",
        "Acct-Session-Time",
      ],
      ...["Acct-Input-Packets", "Acct-Output-Packets", "Acct-Terminate-Cause", "Acct-Multi-Session-Id"],
      ...["Acct-Link-Count", "Acct-Input-Gigawords", "Acct-Output-Gigawords"],
    ],
  ],
];

const reasonByName = new Map(
  reasons.flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
);

export function whyOwned({ name, isSecret }: Definition): Phrase | undefined {
  return (
    reasonByName.get(name) ??
    (isSecret ? phrase`is encrypted on the wire, which such a line is not; leave it out` : undefined)
  );
}

const reasonByPair: ReadonlyMap<string, Phrase> = new Map([
  ...["ip:addr", "ipv6:addr", "ipv6:prefix", "ipv6:delegated-prefix"].map((name) => [name, ADDRESS] as const),
  ...["vpdn:l2tp-tunnel-password", "outbound:send-secret", "lcp:send-secret"].map(
    (name) => [name, SECRET] as const,
  ),
]);

/** The name of a pair: `ip:vrf-id` of `ip:vrf-id=5` or `ip:vrf-id*5`. */
export function pairName(value: string): string {
  return /^[^=*]*/.exec(value)?.[0].trim().toLowerCase() ?? "";
}

/** Why a pair may not be given; undefined: it may, or is none of ours. */
export function whyOwnedPair({ name }: Definition, value: string): Phrase | undefined {
  if (name !== "Cisco-AVPair") return undefined;
  // numbered repetitions
  const pair = pairName(value).replace(/#\d+$/, "");
  const reason = reasonByPair.get(pair);
  return reason && phrase`${pair} ${reason}`;
}
