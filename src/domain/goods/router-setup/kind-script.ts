import type { Both } from "../packages/rate-limit.ts";
import { policyName } from "../packages/rate.ts";
import type { Confined } from "./garden.ts";
import type { NasKind } from "../nas/kinds.ts";
import type { ScriptSection, RadiusPlace, RouterScript } from "./parts.ts";

/** Other kinds: a configuration, or settings in words. */
export interface KindScript extends Pick<RouterScript, "secret" | "coaPort" | "interimInterval"> {
  readonly address: string | null;
  readonly places: readonly RadiusPlace[];
  readonly garden: GardenScript;
  readonly rates: readonly Both[];
}

/** Lists of a garden, and its exceptions. */
export interface GardenScript extends Confined, Pick<RouterScript, "resolvers" | "walled"> {
  readonly rate: string;
}

export type OtherKind = Exclude<NasKind, "mikrotik">;

/** What is to be set on a router, by purpose. */
export function kindSections(kind: OtherKind, script: KindScript): ScriptSection[] {
  const sections = { "accel-ppp": accelPpp, cisco, juniper, huawei: inWords, generic: inWords }[kind](script);
  const mark = { "accel-ppp": "# ", cisco: "! ", juniper: "# ", huawei: "", generic: "" }[kind];
  sections.push({ part: "walled", commands: gardenInWords(script.garden).map((line) => mark + line) });
  return sections.filter(({ commands }) => commands.length > 0);
}

/** The walled garden in words: a router's own filters may allow more. */
function gardenInWords({ lists, pools, resolvers, walled, rate }: GardenScript): string[] {
  const whose = [...lists.map((list) => `list ${list}`), ...pools.map((pool) => `pool ${pool}`)];
  if (whose.length === 0) return [];
  const ports = walled && [...new Set([walled.port, walled.portalPort])].filter((port) => port !== null);
  return [
    `who is expired (${whose.join(", ")}) may reach this and nothing else:`,
    resolvers.length > 0
      ? `UDP and TCP port 53 of ${resolvers.join(" and ")}`
      : "no resolver: name those that they may ask with: gatehouse settings set garden_dns ADDRESS",
    ...(walled && ports ? [`TCP port ${ports.join(" and ")} of ${walled.address}`] : []),
    `port 53 of any other address is a way out for nothing; their rate is at most ${rate}, up/down`,
  ];
}

/** accel-ppp.conf. */
function accelPpp({ secret, coaPort, interimInterval, address, places }: KindScript): ScriptSection[] {
  return [
    {
      part: "radius",
      commands: [
        "[modules]",
        "radius",
        "shaper",
        "[radius]",
        ...places.map(
          ({ server, authPort, acctPort }) =>
            `server=${server},${secret},auth-port=${authPort},acct-port=${acctPort},req-limit=50,fail-timeout=0,max-fail=10`,
        ),
      ],
    },
    { part: "incoming", commands: [`dae-server=${address ?? "0.0.0.0"}:${coaPort},${secret}`] },
    { part: "lines", commands: [`acct-interim-interval=${interimInterval}`] },
    { part: "policies", commands: ["[shaper]", "attr=Filter-Id"] },
  ];
}

function cisco({ secret, coaPort, interimInterval, places, rates }: KindScript): ScriptSection[] {
  return [
    {
      part: "radius",
      commands: [
        "aaa new-model",
        ...places.flatMap(({ server, authPort, acctPort }, index) => [
          `radius server gatehouse${index === 0 ? "" : index + 1}`,
          ` address ipv${server.includes(":") ? 6 : 4} ${server} auth-port ${authPort} acct-port ${acctPort}`,
          ` key ${secret}`,
        ]),
        "radius-server attribute 31 mac format ietf",
        "radius-server attribute 31 send nas-port-detail mac-only",
      ],
    },
    {
      part: "incoming",
      commands: [
        "aaa server radius dynamic-author",
        ...places.map(({ server }) => ` client ${server} server-key ${secret}`),
        ...[` port ${coaPort}`, " auth-type any"],
      ],
    },
    {
      part: "lines",
      commands: [
        ...["aaa authentication ppp default group radius", "aaa authorization network default group radius"],
        "aaa accounting network default start-stop group radius",
        `aaa accounting update periodic ${minutes(interimInterval)}`,
      ],
    },
    {
      part: "policies",
      commands: policies(rates).flatMap(({ name, bits }) => [
        `policy-map ${name}`,
        " class class-default",
        `  police cir ${bits}`,
      ]),
    },
  ];
}

/** Junos; a dynamic profile uses $junos-input-filter and $junos-output-filter. */
function juniper({ secret, coaPort, interimInterval, places, rates }: KindScript): ScriptSection[] {
  const servers = places.map(({ server }) => server).join(" ");
  const list = places.length > 1 ? `[ ${servers} ]` : servers;
  return [
    {
      part: "radius",
      commands: [
        ...places.flatMap(({ server, authPort, acctPort }) => [
          `set access radius-server ${server} port ${authPort} accounting-port ${acctPort}`,
          `set access radius-server ${server} secret "${secret}"`,
        ]),
        "set access profile gatehouse authentication-order radius",
        `set access profile gatehouse radius authentication-server ${list}`,
        `set access profile gatehouse radius accounting-server ${list}`,
      ],
    },
    {
      part: "incoming",
      commands: places.map(
        ({ server }) => `set access radius-server ${server} dynamic-request-port ${coaPort}`,
      ),
    },
    {
      part: "lines",
      commands: [
        "set access profile gatehouse accounting order radius",
        // the minimum
        `set access profile gatehouse accounting update-interval ${Math.max(10, minutes(interimInterval))}`,
      ],
    },
    {
      part: "policies",
      commands: policies(rates).flatMap(({ name, bits }) => [
        `set firewall policer ${name} if-exceeding bandwidth-limit ${bits} burst-size-limit ${burstBytes(bits)}`,
        `set firewall policer ${name} then discard`,
        `set firewall family inet filter ${name} interface-specific`,
        `set firewall family inet filter ${name} term all then policer ${name}`,
        `set firewall family inet filter ${name} term all then accept`,
      ]),
    },
  ];
}

/** Settings in words. */
function inWords({ secret, coaPort, interimInterval, places }: KindScript): ScriptSection[] {
  return [
    {
      part: "radius",
      commands: places.flatMap(({ server, authPort, acctPort }) => [
        `RADIUS server ${server}, authentication port ${authPort}, accounting port ${acctPort}`,
        `shared secret ${secret}`,
      ]),
    },
    {
      part: "incoming",
      commands: places.map(
        ({ server }) => `dynamic authorization (RFC 5176) from ${server} at UDP port ${coaPort}, same secret`,
      ),
    },
    {
      part: "lines",
      commands: [
        "authentication, authorization and accounting of subscribers by RADIUS",
        `interim accounting every ${interimInterval} seconds`,
      ],
    },
  ];
}

function policies(rates: readonly Both[]): { name: string; bits: number }[] {
  const all = rates.flatMap(({ down, up }) => [
    ...(up > 0 ? [{ name: policyName("up", up), bits: up }] : []),
    ...(down > 0 ? [{ name: policyName("down", down), bits: down }] : []),
  ]);
  return [...new Map(all.map((one) => [one.name, one])).values()];
}

const minutes = (seconds: number) => Math.max(1, Math.round(seconds / 60));

/** Bytes of a quarter second, at least ten full frames. */
const burstBytes = (bits: number) => Math.max(15_000, Math.round(bits / 32));
