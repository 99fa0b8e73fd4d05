import type { WatchKind } from "../../src/domain/service/router-watch/found.ts";
import type { FakeConfig } from "./fake-routeros-config.ts";
import type { FakeRow } from "./fake-routeros.ts";

/** What somebody does in a menu of a router, as its API takes it; a value of nothing takes a matcher off. */
export type MenuStep =
  /** `which`: the first row that has these values; without, the first there is, or the record. */
  | {
      readonly does: "set";
      readonly menu: string;
      readonly values: FakeRow;
      readonly which?: FakeRow | undefined;
    }
  | { readonly does: "add" | "add first"; readonly menu: string; readonly values: FakeRow }
  | { readonly does: "remove"; readonly menu: string; readonly which: FakeRow };

export interface MenuSabotage {
  readonly kind: WatchKind;
  readonly steps: readonly MenuStep[];
  /** What it has besides, before it is set up. */
  readonly have?: Readonly<Record<string, readonly FakeRow[]>>;
}

const set = (menu: string, values: FakeRow, which?: FakeRow): MenuStep => ({
  does: "set",
  menu,
  values,
  which,
});
const add = (menu: string, values: FakeRow): MenuStep => ({ does: "add", menu, values });
const first = (menu: string, values: FakeRow): MenuStep => ({ does: "add first", menu, values });
const remove = (menu: string, which: FakeRow): MenuStep => ({ does: "remove", menu, which });

const radius = "/radius";
const filter = "/ip/firewall/filter";
const server = "/interface/pppoe-server/server";
const own = { comment: "gatehouse" };
const fastTrack = { chain: "forward", action: "fasttrack-connection" };
/** The rule of a set-up that lets our requests in. */
const letsIn = { ...own, chain: "input", action: "accept" };
const jump = { ...own, action: "jump" };

/** A router that has what these are done to; the names of interfaces are bridges, which any router can make. */
export const SERVICE = "street";
export const sabotagedRouter: Readonly<Record<string, readonly FakeRow[]>> = {
  [server]: [{ "service-name": SERVICE, interface: "ether2", "keepalive-timeout": "10" }],
  "/ip/hotspot": [{ name: "hs1", interface: "bridge1", profile: "hsprof1" }],
  "/ip/hotspot/profile": [{ name: "hsprof1", "use-radius": "yes", "radius-accounting": "yes" }],
  [filter]: [
    { chain: "input", action: "accept", "connection-state": "established,related" },
    { chain: "input", action: "drop", "in-interface-list": "!LAN" },
  ],
};

/** Sabotages that anybody can do by a router's menus, each mended by its button. The names and devices are those of subscriber 1. */
export const menuSabotages = {
  "its row of /radius is gone": { kind: "radius_missing", steps: [remove(radius, own)] },
  "its row of /radius is disabled": {
    kind: "radius_changed",
    steps: [set(radius, { disabled: "yes" }, own)],
  },
  "it asks another address": {
    kind: "radius_changed",
    steps: [set(radius, { address: "10.9.9.9" }, own)],
  },
  "it asks another port": {
    kind: "radius_changed",
    steps: [set(radius, { "authentication-port": "1645" }, own)],
  },
  "it reports to another port": {
    kind: "radius_changed",
    steps: [set(radius, { "accounting-port": "1646" }, own)],
  },
  "it asks for lines alone": { kind: "radius_changed", steps: [set(radius, { service: "ppp" }, own)] },
  "it asks for nothing that lines need": {
    kind: "radius_changed",
    steps: [set(radius, { service: "login" }, own)],
  },
  "it asks somebody else first": {
    kind: "radius_order",
    steps: [first(radius, { service: "ppp,hotspot", address: "10.9.9.9", secret: "x" })],
  },
  "its own User Manager is asked first": {
    kind: "radius_order",
    steps: [first(radius, { service: "hotspot", address: "127.0.0.1", secret: "x" })],
  },
  "it takes unsigned answers": {
    kind: "radius_unsigned",
    steps: [set(radius, { "require-message-auth": "no" }, own)],
  },
  "it takes no requests": { kind: "incoming", steps: [set("/radius/incoming", { accept: "no" })] },
  "it takes requests at another port": {
    kind: "incoming",
    steps: [set("/radius/incoming", { port: "1700" })],
  },
  "the rule that lets us in is gone": { kind: "incoming_firewall", steps: [remove(filter, letsIn)] },
  "the rule that lets us in is disabled": {
    kind: "incoming_firewall",
    steps: [set(filter, { disabled: "yes" }, letsIn)],
  },
  "a rule that drops stands before it": {
    kind: "incoming_firewall",
    steps: [first(filter, { chain: "input", action: "drop", "in-interface-list": "!LAN" })],
  },
  "lines do not ask us": { kind: "lines_ask", steps: [set("/ppp/aaa", { "use-radius": "no" })] },
  "lines do not report": { kind: "lines_report", steps: [set("/ppp/aaa", { accounting: "no" })] },
  "a hotspot does not ask us": {
    kind: "hotspot_ask",
    steps: [set("/ip/hotspot/profile", { "use-radius": "no" }, { name: "hsprof1" })],
  },
  "a hotspot does not report": {
    kind: "hotspot_report",
    steps: [set("/ip/hotspot/profile", { "radius-accounting": "no" }, { name: "hsprof1" })],
  },
  "a new hotspot has a profile that does not ask us": {
    kind: "hotspot_ask",
    steps: [
      add("/ip/hotspot/profile", { name: "staff", "use-radius": "no", "radius-accounting": "yes" }),
      add("/ip/hotspot", { name: "hs2", interface: "bridge3", profile: "staff" }),
    ],
  },
  "IPv6 is counted apart": {
    kind: "ipv6_accounting",
    steps: [set("/ppp/aaa", { "enable-ipv6-accounting": "yes" })],
  },
  "lines that are gone stay in its list": {
    kind: "ghosts",
    steps: [set(server, { "keepalive-timeout": "0" })],
  },
  "another server keeps ghosts": {
    kind: "ghosts",
    steps: [add(server, { "service-name": "hill", interface: "bridge3", "keepalive-timeout": "disabled" })],
  },
  "a secret of PPP has the name of a subscriber": {
    kind: "ppp_name",
    steps: [add("/ppp/secret", { name: "user1", password: "x", service: "any" })],
  },
  "and in another case": {
    kind: "ppp_name",
    steps: [add("/ppp/secret", { name: "USER1", password: "x" })],
  },
  "a user of a hotspot has the name of a subscriber": {
    kind: "hotspot_name",
    steps: [add("/ip/hotspot/user", { name: "user1", password: "x" })],
  },
  "a device of a subscriber goes past the hotspot": {
    kind: "bypassed",
    steps: [add("/ip/hotspot/ip-binding", { "mac-address": "AA:BB:CC:00:00:01", type: "bypassed" })],
  },
  "FastTrack takes lines": {
    kind: "fasttrack",
    steps: [first(filter, { ...fastTrack, "connection-state": "established,related" })],
  },
  "FastTrack takes lines by an interface, and cannot be kept from them": {
    kind: "fasttrack",
    steps: [first(filter, { ...fastTrack, "in-interface": "all-ppp" })],
  },
  "FastTrack takes them in mangle": {
    kind: "fasttrack",
    steps: [add("/ip/firewall/mangle", { chain: "prerouting", action: "fasttrack-connection" })],
  },
  "FastTrack takes them in a chain that another jumps to": {
    kind: "fasttrack",
    steps: [
      add(filter, { ...fastTrack, chain: "fast" }),
      add(filter, { chain: "forward", action: "jump", "jump-target": "fast" }),
    ],
  },
  "FastTrack takes their IPv6": {
    kind: "fasttrack",
    steps: [first("/ipv6/firewall/filter", fastTrack)],
  },
  "a rule of FastTrack that a set-up kept from lines takes them again": {
    kind: "fasttrack",
    have: { [filter]: [{ ...fastTrack, "connection-state": "established,related" }] },
    steps: [
      set(
        filter,
        {
          "in-interface": "",
          "out-interface": "",
          "in-interface-list": "",
          "out-interface-list": "",
        },
        fastTrack,
      ),
    ],
  },
  "a new hotspot is on an interface that a set-up kept FastTrack from others of": {
    kind: "fasttrack",
    have: { [filter]: [{ ...fastTrack, "connection-state": "established,related" }] },
    steps: [add("/ip/hotspot", { name: "hs2", interface: "bridge3", profile: "hsprof1" })],
  },
  "a rule of the garden is gone": { kind: "garden_rules", steps: [remove(filter, jump)] },
  "a rule of the garden is disabled": {
    kind: "garden_rules",
    steps: [set(filter, { disabled: "yes" }, jump)],
  },
  "a rule that accepts all stands before the garden": {
    kind: "garden_rules",
    steps: [first(filter, { chain: "forward", action: "accept" })],
  },
  "the redirect of the garden is gone": {
    kind: "garden_rules",
    steps: [remove("/ip/firewall/nat", own)],
  },
  "somebody lets more out of the garden": {
    kind: "garden_opened",
    steps: [first(filter, { chain: "gatehouse-garden", action: "accept" })],
  },
  "a server of PPPoE has a profile that gives IPv6": {
    kind: "ipv6_free",
    steps: [
      add("/ppp/profile", { name: "six", "dhcpv6-pd-pool": "pool6" }),
      add(server, {
        "service-name": "six",
        interface: "bridge3",
        "default-profile": "six",
        "keepalive-timeout": "10",
      }),
    ],
  },
  "guests take addresses of a prefix by themselves": {
    kind: "ipv6_free",
    steps: [add("/ipv6/nd/prefix", { prefix: "2001:db8:1::/64", interface: "bridge1", autonomous: "yes" })],
  },
  "it tracks no connections": {
    kind: "tracking_off",
    steps: [set("/ip/firewall/connection/tracking", { enabled: "no" })],
  },
  "a rule keeps packets of lines from being tracked": {
    kind: "notrack",
    steps: [add("/ip/firewall/raw", { chain: "prerouting", action: "notrack", "in-interface": "all-ppp" })],
  },
  "a rule keeps all packets from being tracked": {
    kind: "notrack",
    steps: [add("/ip/firewall/raw", { chain: "prerouting", action: "notrack" })],
  },
  "nobody sets its clock": { kind: "no_ntp", steps: [set("/system/ntp/client", { enabled: "no" })] },
  "its API answers everybody": {
    kind: "api_open",
    steps: [remove(filter, { chain: "input", action: "drop" })],
  },
} as const satisfies Record<string, MenuSabotage>;

/** The row that a step means. Throws where there is none. */
export function rowMeant<Row extends Readonly<Partial<FakeRow>>>(
  rows: readonly Row[],
  { menu, which = {} }: { readonly menu: string; readonly which?: FakeRow | undefined },
): Row {
  const row = rows.find((one) => Object.entries(which).every(([name, value]) => one[name] === value));
  if (!row) throw new Error(`there is no such row of ${menu}: ${JSON.stringify(which)}`);
  return row;
}

/** The command that a step is, at a router that has these rows in its menu. */
export function commandOf(step: MenuStep, rows: readonly Readonly<Partial<FakeRow>>[]): string[] {
  const { menu, does } = step;
  const idOf = (row: Readonly<Partial<FakeRow>>) => (row[".id"] === undefined ? [] : [`=.id=${row[".id"]}`]);
  if (does === "remove") return [`${menu}/remove`, ...idOf(rowMeant(rows, step))];
  const values = Object.entries(step.values);
  if (does === "set")
    return [
      `${menu}/set`,
      ...idOf(rowMeant(rows, step)),
      ...values.map(([name, value]) => (value === "" ? `=!${name}=` : `=${name}=${value}`)),
    ];
  const before = rows.find(({ dynamic }) => dynamic !== "true")?.[".id"];
  const place = does === "add first" && before !== undefined ? [`=place-before=${before}`] : [];
  return [`${menu}/add`, ...values.map(([name, value]) => `=${name}=${value}`), ...place];
}

/** Does it to the router of the tests. */
export function sabotage(config: FakeConfig, steps: readonly MenuStep[]): void {
  for (const step of steps) {
    const [[kind, message] = []] = config.answer(commandOf(step, config.rows(step.menu)), everything);
    if (kind === "!trap") throw new Error(`${step.menu}: ${message}`);
  }
}
const everything = ["read", "write", "policy", "sensitive"];
