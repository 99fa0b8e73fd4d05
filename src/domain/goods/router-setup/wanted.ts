import { isIP } from "node:net";
import { RADSEC_SECRET } from "../nas/radsec.ts";
import type { ApiAccount } from "./api-account.ts";

/** What the settings of a router are made from. */
export interface RouterScript {
  /** The address at which the router reaches us. */
  server: string;
  /** More that the router asks when that does not answer, in this order. */
  others?: readonly RadiusPlace[];
  secret: string;
  /** The certificate that it has imported for RadSec; null: it asks over UDP. */
  radsec: { readonly certificate: string; readonly port: number } | null;
  authPort: number;
  acctPort: number;
  coaPort: number;
  /** Whether its DHCP servers ask too: which of them is theirs to say (`use-radius`). */
  dhcp: boolean;
  interimInterval: number;
  /** Address lists of expired subscribers: they see the walled garden and nothing else. */
  expiredLists: readonly string[];
  /** Whom they ask for names, whatever they want to ask; empty: the router itself. */
  resolvers: readonly string[];
  /** Where they are sent, and the port of the portal that they may reach beside it; null where there are no such lists. */
  walled: { readonly address: string; readonly port: number; readonly portalPort: number | null } | null;
  api: ApiAccount | null;
  /** From where else we end and change its sessions, and use its API. */
  apiFrom?: readonly string[];
  /** The name under which its hotspots show their pages; undefined leaves what they have. */
  hotspotName?: string | undefined;
}

/** Where a router asks over RADIUS. */
export type RadiusPlace = Pick<RouterScript, "server" | "authPort" | "acctPort">;

/** What a router is told, in the order in which it is told it. */
export type ScriptPart =
  "radius" | "incoming" | "lines" | "policies" | "firewall" | "hotspot" | "walled" | "api" | "clock";

export interface ScriptSection {
  readonly part: ScriptPart;
  readonly commands: readonly string[];
}

/** Properties of a row as RouterOS names them, or of a menu that has one. */
export type Values = Readonly<Record<string, string>>;

/** Rows that are ours. */
export interface WantedRows {
  readonly kind: "rows";
  readonly part: ScriptPart;
  readonly menu: string;
  /** What ours are found by; each of them has it. */
  readonly own: Values;
  /** What tells one from the other. */
  readonly key: readonly string[];
  readonly rows: readonly Values[];
  /** They stand before the first rule of their chain that drops or rejects. */
  readonly first?: true;
  /** A row that somebody made under the same key is taken for ours. */
  readonly adopts?: true;
  /** There is one of its name at the most, so it is changed where it stands. */
  readonly isNamed?: true;
}

/** A menu that is one record (`each`: every row of it), of which some properties are set. */
export interface WantedRecord {
  readonly kind: "record" | "each";
  readonly part: ScriptPart;
  readonly menu: string;
  readonly values: Values;
  /** Only where a menu has rows: nobody changes hotspots where there are none. */
  readonly where?: string;
  /** A property that is only set where none of these (in any version) says something. */
  readonly filled?: { readonly name: string; readonly unless: readonly string[] };
}

export type Wanted = WantedRows | WantedRecord;

/** The comment of what we make. */
export const MARK = "gatehouse";
export const PORTAL_LIST = "gatehouse-portal";
export const RESOLVER_LIST = "gatehouse-dns";
/** The group of our account, and all that it may do. */
export const API_GROUP = "gatehouse";
export const API_POLICY = "api,read,write";
const TIME_SERVER = "pool.ntp.org";

/** What a router has to have: what is pasted into its terminal is written from it, and what is made by its API too. */
export function wantedOf(script: RouterScript): Wanted[] {
  const asked = [radiusOf(script), incomingOf(script), linesOf(script), requestsIn(script)];
  return [...asked, hotspotsOf(script), ...walledGarden(script), ...apiUser(script), clock];
}

function radiusOf(script: RouterScript): Wanted {
  const places = placesOf(script);
  // RouterOS asks the next one after this long, each time: with one alone it is worth waiting for
  const timeout = places.length > 1 ? "1s" : "3s";
  return {
    ...{ kind: "rows", part: "radius", menu: "/radius", own: { comment: MARK }, adopts: true },
    key: ["address", "authentication-port"],
    rows: places.map((place) => radiusRow(script, place, timeout)),
  };
}

function radiusRow(
  { radsec, secret, dhcp }: RouterScript,
  { server, authPort, acctPort }: RadiusPlace,
  timeout: string,
): Values {
  return {
    ...{ service: dhcp ? "ppp,hotspot,dhcp" : "ppp,hotspot", address: server },
    ...(radsec && { protocol: "radsec" }),
    secret: radsec ? RADSEC_SECRET : secret,
    ...(radsec && { certificate: radsec.certificate }),
    "authentication-port": String(radsec?.port ?? authPort),
    "accounting-port": String(radsec?.port ?? acctPort),
    ...{ timeout, "require-message-auth": "yes-for-request-resp" },
  };
}

/** Under the secret of RadSec, which everybody knows, anybody could end sessions there. */
function incomingOf({ coaPort, radsec }: RouterScript): Wanted {
  const values: Values = radsec ? { accept: "no" } : { accept: "yes", port: String(coaPort) };
  return { kind: "record", part: "incoming", menu: "/radius/incoming", values };
}

function linesOf({ interimInterval }: RouterScript): Wanted {
  const values = { "use-radius": "yes", accounting: "yes", "interim-update": interval(interimInterval) };
  return { kind: "record", part: "lines", menu: "/ppp/aaa", values };
}

function requestsIn(script: RouterScript): Wanted {
  return {
    ...{ kind: "rows", part: "firewall", menu: "/ip/firewall/filter", first: true },
    own: { comment: MARK, chain: "input" },
    key: ["protocol", "action", "src-address", "src-address-list"],
    rows: [
      ...(script.radsec ? [] : callersOf(script)).map((server) => ({
        chain: "input",
        action: "accept",
        protocol: "udp",
        "src-address": server,
        "dst-port": String(script.coaPort),
      })),
      ...namesIn(script),
    ],
  };
}

/** Where the router itself answers who has expired, they have to reach it. */
function namesIn({ walled, expiredLists, resolvers }: RouterScript): Values[] {
  if (!walled || resolvers.length > 0) return [];
  return expiredLists.flatMap((list) =>
    protocolsOfNames.map((protocol) => ({
      ...{ chain: "input", action: "accept", protocol, "dst-port": "53", "src-address-list": list },
    })),
  );
}

function hotspotsOf({ hotspotName }: RouterScript): Wanted {
  return {
    ...{ kind: "each", part: "hotspot", menu: "/ip/hotspot/profile", where: "/ip/hotspot" },
    values: {
      ...{ "use-radius": "yes", "radius-accounting": "yes", "radius-interim-update": "received" },
      ...(hotspotName !== undefined && { "dns-name": hotspotName }),
    },
  };
}

/**
 * Expired subscribers reach the walled garden, the portal and the resolvers; nothing else of this box, staff's listener least of all, and
 * no other resolver: behind port 53 of somebody's server is the whole internet.
 */
function walledGarden({ walled, expiredLists, resolvers }: RouterScript): Wanted[] {
  const { address = "", port = 0, portalPort = null } = walled ?? {};
  const lists = walled ? expiredLists : [];
  const ports = portalPort === null || portalPort === port ? `${port}` : `${port},${portalPort}`;
  const rules = "/ip/firewall/filter";
  return [
    {
      // who is expired may be let to a bank as well, whose entries are no business of ours
      ...{ kind: "rows", part: "walled", menu: "/ip/firewall/address-list", adopts: true },
      ...{ own: { list: PORTAL_LIST, comment: MARK }, key: ["list", "address"] },
      rows: lists.length > 0 ? [{ list: PORTAL_LIST, address }] : [],
    },
    {
      ...{ kind: "rows", part: "walled", menu: "/ip/firewall/address-list", adopts: true },
      ...{ own: { list: RESOLVER_LIST, comment: MARK }, key: ["list", "address"] },
      rows: lists.length > 0 ? resolvers.map((resolver) => ({ list: RESOLVER_LIST, address: resolver })) : [],
    },
    {
      ...{ kind: "rows", part: "walled", menu: "/ip/firewall/nat", own: { comment: MARK } },
      key: ["chain", "action", "protocol", "dst-port", "src-address-list"],
      rows: lists.flatMap((list) => sent(list, { address, port }, resolvers)),
    },
    {
      ...{ kind: "rows", part: "walled", menu: rules, own: { comment: MARK, chain: "forward" }, first: true },
      key: ["action", "protocol", "src-address-list", "dst-address-list"],
      rows: lists.flatMap((list) => passed(list, ports, resolvers)),
    },
  ];
}

/** Where it is sent that a line of the garden looks for elsewhere. */
function sent(
  list: string,
  portal: { address: string; port: number },
  resolvers: readonly string[],
): Values[] {
  const page = {
    chain: "dstnat",
    action: "dst-nat",
    protocol: "tcp",
    "dst-port": "80",
    "src-address-list": list,
  };
  return [
    {
      ...{ ...page, "dst-address-list": `!${PORTAL_LIST}` },
      ...{ "to-addresses": portal.address, "to-ports": String(portal.port) },
    },
    ...protocolsOfNames.map((protocol) => namesSent(list, protocol, resolvers)),
  ];
}

/** What goes on of what a line of the garden sends. */
function passed(list: string, ports: string, resolvers: readonly string[]): Values[] {
  const from = { "src-address-list": list };
  const accept = { chain: "forward", action: "accept" };
  const names = resolvers.length === 0 ? [] : protocolsOfNames;
  const toResolvers = { ...accept, "dst-port": "53", ...from, "dst-address-list": RESOLVER_LIST };
  return [
    { ...accept, protocol: "tcp", "dst-port": ports, ...from, "dst-address-list": PORTAL_LIST },
    ...names.map((protocol) => Object.assign({ protocol }, toResolvers)),
    { ...accept, action: "reject", ...from },
  ];
}

const protocolsOfNames = ["udp", "tcp"] as const;

/** A line that asks any other resolver is answered by ours. */
function namesSent(list: string, protocol: "udp" | "tcp", [first]: readonly string[]): Values {
  const asked = { protocol, "dst-port": "53", "src-address-list": list };
  return first === undefined
    ? { chain: "dstnat", action: "redirect", ...asked, "to-ports": "53" }
    : {
        ...{ chain: "dstnat", action: "dst-nat", ...asked, "dst-address-list": `!${RESOLVER_LIST}` },
        ...{ "to-addresses": first, "to-ports": "53" },
      };
}

function apiUser(script: RouterScript): Wanted[] {
  const { api } = script;
  const { username: name = "", password = "" } = api ?? {};
  const from = callersOf(script).filter((server) => isIP(server) !== 0);
  const address = from.map((server) => `${server}/${server.includes(":") ? 128 : 32}`).join(",");
  const named = { kind: "rows", part: "api", key: ["name"], isNamed: true, adopts: true } as const;
  return [
    {
      ...{ ...named, menu: "/user/group", own: { name: API_GROUP } },
      rows: api ? [{ name: API_GROUP, policy: API_POLICY }] : [],
    },
    {
      ...{ ...named, menu: "/user", own: { comment: MARK } },
      rows: api ? [{ name, group: API_GROUP, password, address }] : [],
    },
  ];
}

/** A router that has somebody to set its clock by goes on with that. */
export const clock: WantedRecord = {
  ...{ kind: "record", part: "clock", menu: "/system/ntp/client" },
  values: { enabled: "yes", servers: TIME_SERVER },
  filled: { name: "servers", unless: ["servers", "server-dns-names", "primary-ntp", "secondary-ntp"] },
};

/** By RadSec one alone: access boxes do not serve it. */
function placesOf(script: RouterScript): RadiusPlace[] {
  return script.radsec ? [script] : [script, ...(script.others ?? [])];
}

/** The addresses from which it is asked something, each once: where it asks itself, and the books where it asks boxes. */
function callersOf(script: RouterScript): string[] {
  return [...new Set([...placesOf(script).map(({ server }) => server), ...(script.apiFrom ?? [])])];
}

function interval(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
