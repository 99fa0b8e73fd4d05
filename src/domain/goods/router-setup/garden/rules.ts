import type { Values } from "../values.ts";
import type { RouterScript, Desired, DesiredRows } from "../parts.ts";
import { MARK } from "../mark.ts";
import { ipv6Ways } from "./faults.ts";
import {
  ALLOWED_LIST,
  ANSWER_CHAIN,
  GARDEN_CHAIN,
  GARDEN_INTERFACES,
  GARDEN_LIST,
  HOTSPOT_CHAIN,
  LINE_INTERFACES,
  PORTAL_LIST,
  PREFIX_LIST,
  RESOLVER_LIST,
  ROUTER_CHAIN,
} from "./names.ts";

type Garden = Pick<RouterScript, "walled" | "expiredLists" | "resolvers" | "found">;

/**
 * The garden's rules. Lines on its lists go through our chain first, in both directions and for all connections: portal,
 * exceptions and resolvers pass, the rest is rejected, because port 53 of anybody's server is a tunnel. Referenced rows come
 * first.
 */
export function walledGarden(script: Garden): Desired[] {
  const { walled, resolvers, found } = script;
  const lists = walled ? script.expiredLists : [];
  const isShut = lists.length > 0;
  const when = <T>(rows: readonly T[], is = isShut) => (is ? rows : []);
  return [
    addresses(PORTAL_LIST, when([walled?.address ?? ""])),
    addresses(RESOLVER_LIST, when(resolvers)),
    addresses(GARDEN_LIST, when(found?.ranges ?? [])),
    ...interfaces(script, isShut),
    rules(GARDEN_CHAIN, when(passed(script))),
    rules(ROUTER_CHAIN, when(answered())),
    rules(ANSWER_CHAIN, when(answers(`53,${HOTSPOT_NAMES}`, {}, ANSWER_CHAIN))),
    rules(HOTSPOT_CHAIN, when(limited(HOTSPOT_NAMES, {}), isShut && found?.hasHotspot === true)),
    rules(
      "pre-hs-input",
      when(
        lists.map((list) => jump("pre-hs-input", HOTSPOT_CHAIN, { "src-address-list": list })),
        found?.hasHotspot === true,
      ),
    ),
    rules(
      "output",
      lists.map((list) => jump("output", ANSWER_CHAIN, { "dst-address-list": list })),
    ),
    {
      kind: "rows",
      part: "walled",
      menu: "/ip/firewall/nat",
      own: { comment: MARK, chain: "dstnat" },
      key: ["action", "protocol", "src-address-list"],
      first: true,
      rows: lists.flatMap((list) => sent(list, script)),
    },
    rules(
      "forward",
      lists.flatMap((list) =>
        ["src-address-list", "dst-address-list"].map((side) =>
          jump("forward", GARDEN_CHAIN, { [side]: list }),
        ),
      ),
    ),
    ...ipv6(script, isShut),
    {
      kind: "rows",
      part: "walled",
      menu: "/ppp/profile",
      own: { comment: MARK },
      key: ["name"],
      isNamed: true,
      rows: when(found?.profiles ?? []).map(({ name, values }) => Object.assign({ name }, values)),
    },
  ];
}

/** What the router itself answers. */
export const toRouter = (lists: readonly string[]): Values[] =>
  lists.map((list) => jump("input", ROUTER_CHAIN, { "src-address-list": list }));

const jump = (chain: string, target: string, by: Values): Values => ({
  chain,
  action: "jump",
  "jump-target": target,
  ...by,
});

function addresses(list: string, all: readonly string[]): DesiredRows {
  return {
    kind: "rows",
    part: "walled",
    menu: "/ip/firewall/address-list",
    adopts: true,
    own: { list, comment: MARK },
    key: ["list", "address"],
    rows: all.map((address) => ({ list, address })),
  };
}

function rules(chain: string, rows: readonly Values[], menu = "/ip/firewall/filter"): DesiredRows {
  return {
    kind: "rows",
    part: "walled",
    menu,
    own: { comment: MARK, chain },
    first: true,
    key: ["action", "protocol", "src-address-list", "dst-address-list"],
    rows,
  };
}

/** Rules for forwarded traffic. */
function passed({ walled, resolvers }: Garden): Values[] {
  const { port = 0, portalPort = null } = walled ?? {};
  const ports = portalPort === null || portalPort === port ? `${port}` : `${port},${portalPort}`;
  const accept = { chain: GARDEN_CHAIN, action: "accept" };
  return [
    { ...accept, protocol: "tcp", "dst-port": ports, "dst-address-list": PORTAL_LIST },
    { ...accept, protocol: "tcp", "src-port": ports, "src-address-list": PORTAL_LIST },
    { ...accept, "dst-address-list": ALLOWED_LIST },
    { ...accept, "src-address-list": ALLOWED_LIST },
    ...(resolvers.length === 0
      ? []
      : [
          ...limited("53", { "dst-address-list": RESOLVER_LIST }, GARDEN_CHAIN),
          ...answers("53", { "src-address-list": RESOLVER_LIST }, GARDEN_CHAIN),
        ]),
    { chain: GARDEN_CHAIN, action: "reject" },
  ];
}

const protocols = ["udp", "tcp"] as const;
/** The port to which hotspots redirect DNS. */
const HOTSPOT_NAMES = "64872";

/** DNS, DHCP and ping. A proxy would be a way out. */
const answered = (): Values[] => [
  ...limited("53", {}, ROUTER_CHAIN),
  { chain: ROUTER_CHAIN, action: "accept", protocol: "udp", "dst-port": "67" },
  { chain: ROUTER_CHAIN, action: "accept", protocol: "icmp" },
  { chain: ROUTER_CHAIN, action: "reject" },
];

/** Enough queries for a page, too few for a tunnel. */
function limited(port: string, to: Values, chain: string = HOTSPOT_CHAIN): Values[] {
  return protocols.flatMap((protocol) => {
    const match = { protocol, "dst-port": port, ...to };
    const limit = protocol === "udp" ? "5,30,src-address" : `${BY_TCP},src-address`;
    return [
      { chain, action: "accept", ...match, "dst-limit": limit },
      { chain, action: "drop", ...match },
    ];
  });
}

/** Packets a second of DNS by TCP, each way: one packet carries several queries. */
const BY_TCP = "5,20";

/** Rules for answers: by UDP as many as there were queries. */
function answers(port: string, from: Values, chain: string): Values[] {
  const match = (protocol: (typeof protocols)[number]) => ({ protocol, "src-port": port, ...from });
  return [
    { chain, action: "drop", ...match("udp"), "packet-size": "1501-65535" },
    { chain, action: "accept", ...match("udp") },
    { chain, action: "accept", ...match("tcp"), "dst-limit": `${BY_TCP},dst-address` },
    { chain, action: "drop", ...match("tcp") },
  ];
}

/** Redirects. */
function sent(list: string, { walled, resolvers: [first] }: Garden): Values[] {
  const chain = "dstnat";
  const page = { chain, action: "dst-nat", protocol: "tcp", "dst-port": "80", "src-address-list": list };
  return [
    {
      ...page,
      "dst-address-list": `!${PORTAL_LIST}`,
      "to-addresses": walled?.address ?? "",
      "to-ports": String(walled?.port ?? 0),
    },
    // any resolver becomes ours
    ...protocols.map((protocol) =>
      namesSent({ protocol, "dst-port": "53", "src-address-list": list }, first),
    ),
  ];
}

function namesSent(match: Values, resolver: string | undefined): Values {
  const chain = "dstnat";
  return resolver === undefined
    ? { chain, action: "redirect", ...match, "to-ports": "53" }
    : {
        chain,
        action: "dst-nat",
        ...match,
        "dst-address-list": `!${RESOLVER_LIST}`,
        "to-addresses": resolver,
        "to-ports": "53",
      };
}

/** Interface lists of the garden, and of lines without dial-in. */
function interfaces({ found }: Garden, isShut: boolean): DesiredRows[] {
  const lines = found?.lineInterfaces ?? [];
  const lists = [...(isShut ? [GARDEN_INTERFACES] : []), ...(lines.length > 0 ? [LINE_INTERFACES] : [])];
  return [
    {
      kind: "rows",
      part: "walled",
      menu: "/interface/list",
      own: { comment: MARK },
      key: ["name"],
      isNamed: true,
      rows: lists.map((name) => ({ name })),
    },
    {
      kind: "rows",
      part: "walled",
      menu: "/interface/list/member",
      own: { comment: MARK },
      key: ["list", "interface"],
      rows: lines.map((name) => ({ list: LINE_INTERFACES, interface: name })),
    },
  ];
}

/** Rules that shut IPv6 in the garden; optionally only delegated prefixes on lines without dial-in. */
function ipv6({ found }: Garden, isShut: boolean): DesiredRows[] {
  const { interfaces: names, prefixes } = found?.ipv6 ?? { interfaces: [], prefixes: [] };
  const menu = "/ipv6/firewall/filter";
  const ways = (chain: string) =>
    ipv6Ways
      .filter((way) => isShut && way.chain === chain)
      .map(({ matcher }) => ({ chain, action: "reject", [matcher]: GARDEN_INTERFACES }));
  const foreign = names.map((name) => ({
    chain: "forward",
    action: "reject",
    "in-interface": name,
    ...(prefixes.length > 0 && { "src-address-list": `!${PREFIX_LIST}` }),
  }));
  return [
    {
      kind: "rows",
      part: "walled",
      menu: "/ipv6/firewall/address-list",
      adopts: true,
      own: { list: PREFIX_LIST, comment: MARK },
      key: ["list", "address"],
      rows: names.length > 0 ? prefixes.map((address) => ({ list: PREFIX_LIST, address })) : [],
    },
    rules("forward", [...ways("forward"), ...foreign], menu),
    rules("input", ways("input"), menu),
  ];
}
