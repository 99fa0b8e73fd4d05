import { isIP } from "node:net";
import { RADSEC_SECRET } from "../nas/radsec.ts";
import { toRouter, walledGarden } from "./garden/rules.ts";
import { MARK } from "./mark.ts";
import type { RadiusPlace, RouterScript, Desired, DesiredRecord } from "./parts.ts";
import type { Values } from "./values.ts";

export const API_GROUP = "gatehouse";
export const API_POLICY = "api,read,write";
const TIME_SERVER = "pool.ntp.org";

/** What a router is to have, of which both the commands to paste and the changes by the API are made. */
export function desiredState(script: RouterScript): Desired[] {
  const parts = [radiusPart(script), incomingPart(script), linesPart(script), requestsIn(script)];
  const garden = [...walledGarden(script), ...fastTracksKeptOff(script)];
  return [...parts, hotspotPart(script), ...garden, ...apiUser(script), clock];
}

function radiusPart(script: RouterScript): Desired {
  const places = radiusPlaces(script);
  // RouterOS's timeout before the next server, so longer with one alone
  const timeout = places.length > 1 ? "1s" : "3s";
  return {
    kind: "rows",
    part: "radius",
    menu: "/radius",
    own: { comment: MARK },
    adopts: true,
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
    service: dhcp ? "ppp,hotspot,dhcp" : "ppp,hotspot",
    address: server,
    ...(radsec && { protocol: "radsec" }),
    secret: radsec ? RADSEC_SECRET : secret,
    ...(radsec && { certificate: radsec.certificate }),
    "authentication-port": String(radsec?.port ?? authPort),
    "accounting-port": String(radsec?.port ?? acctPort),
    timeout,
    "require-message-auth": "yes-for-request-resp",
  };
}

/** CoA, closed for RadSec: its public secret would let anybody end sessions. */
function incomingPart({ coaPort, radsec }: RouterScript): Desired {
  const values: Values = radsec ? { accept: "no" } : { accept: "yes", port: String(coaPort) };
  return { kind: "record", part: "incoming", menu: "/radius/incoming", values };
}

function linesPart({ interimInterval }: RouterScript): Desired {
  const values = { "use-radius": "yes", accounting: "yes", "interim-update": interval(interimInterval) };
  return { kind: "record", part: "lines", menu: "/ppp/aaa", values };
}

function requestsIn(script: RouterScript): Desired {
  return {
    kind: "rows",
    part: "firewall",
    menu: "/ip/firewall/filter",
    first: true,
    own: { comment: MARK, chain: "input" },
    key: ["action", "src-address", "src-address-list"],
    rows: [
      ...(script.radsec ? [] : apiCallers(script)).map((server) => ({
        chain: "input",
        action: "accept",
        protocol: "udp",
        "src-address": server,
        "dst-port": String(script.coaPort),
      })),
      ...toRouter(script.walled ? script.expiredLists : []),
    ],
  };
}

/** Keeps subscribers in queues and firewall. */
function fastTracksKeptOff({ found }: RouterScript): Desired[] {
  const all = Map.groupBy(found?.fastTracks ?? [], ({ menu }) => menu);
  return [...all].map(([menu, edits]) => ({ kind: "edits", part: "firewall", menu, edits }));
}

function hotspotPart({ hotspotName }: RouterScript): Desired {
  return {
    kind: "each",
    part: "hotspot",
    menu: "/ip/hotspot/profile",
    where: "/ip/hotspot",
    values: {
      "use-radius": "yes",
      "radius-accounting": "yes",
      "radius-interim-update": "received",
      ...(hotspotName !== undefined && { "dns-name": hotspotName }),
    },
  };
}

function apiUser(script: RouterScript): Desired[] {
  const { api } = script;
  const { username: name = "", password = "" } = api ?? {};
  const from = apiCallers(script).filter((server) => isIP(server) !== 0);
  const address = from.map((server) => `${server}/${server.includes(":") ? 128 : 32}`).join(",");
  const named = { kind: "rows", part: "api", key: ["name"], isNamed: true, adopts: true } as const;
  return [
    {
      ...named,
      menu: "/user/group",
      own: { name: API_GROUP },
      rows: api ? [{ name: API_GROUP, policy: script.apiFiles ? `${API_POLICY},ftp` : API_POLICY }] : [],
    },
    {
      ...named,
      menu: "/user",
      own: { comment: MARK },
      rows: api ? [{ name, group: API_GROUP, password, address }] : [],
    },
  ];
}

export const clock: DesiredRecord = {
  kind: "record",
  part: "clock",
  menu: "/system/ntp/client",
  values: { enabled: "yes", servers: TIME_SERVER },
  filled: { name: "servers", unless: ["servers", "server-dns-names", "primary-ntp", "secondary-ntp"] },
};

/** RadSec has one place: access boxes do not serve it. */
export function radiusPlaces(script: RouterScript): RadiusPlace[] {
  return script.radsec ? [script] : [script, ...(script.others ?? [])];
}

export function apiCallers(script: RouterScript): string[] {
  return [...new Set([...radiusPlaces(script).map(({ server }) => server), ...(script.apiFrom ?? [])])];
}

function interval(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
