import { expect, test } from "bun:test";
import { findFastTracks } from "../../../../../src/domain/goods/router-setup/garden/fast-track.ts";
import { gardenFaults, openProfiles } from "../../../../../src/domain/goods/router-setup/garden/faults.ts";
import { buildModel } from "../../../../../src/domain/goods/router-setup/garden/model.ts";
import {
  planGardenProfiles,
  profileChoice,
} from "../../../../../src/domain/goods/router-setup/garden/profiles.ts";
import type { Item } from "../../../../../src/domain/goods/router-setup/values.ts";

/* What is read of a router's menus says what is wrong with its garden, and which rules of FastTrack reach subscribers. */

const filter = "/ip/firewall/filter";
const version = { text: "7.16.1", major: 7, minor: 16 };

function model(menus: Record<string, Item[]>) {
  const rows = (items: Item[]) => items.map((item, index) => Object.assign({ ".id": `*${index}` }, item));
  return buildModel({
    version,
    menus: new Map(Object.entries(menus).map(([menu, items]) => [menu, rows(items)] as const)),
  });
}

const pppoe = { "/interface/pppoe-server/server": [{ "service-name": "isp", disabled: "false" }] };
const hotspot = { "/ip/hotspot": [{ interface: "bridge-hs", disabled: "false" }] };
const track = (matchers: Item = {}, chain = "forward") => ({
  chain,
  action: "fasttrack-connection",
  "connection-state": "established,related",
  ...matchers,
});

const narrowings = (menus: Record<string, Item[]>) =>
  findFastTracks(model(menus)).map(({ narrowing }) => narrowing);

test.each<[string, Record<string, Item[]>, (Record<string, string> | null)[]]>([
  ["nobody's lines are there", { [filter]: [track()] }, []],
  [
    "the default rule, and lines that dial in",
    { ...pppoe, [filter]: [track()] },
    [{ "in-interface": "!all-ppp", "out-interface": "!all-ppp" }],
  ],
  [
    "a hotspot",
    { ...hotspot, [filter]: [track()] },
    [{ "in-interface-list": "!gatehouse-lines", "out-interface-list": "!gatehouse-lines" }],
  ],
  [
    "one side is narrowed already",
    { ...pppoe, [filter]: [track({ "in-interface": "!all-ppp" })] },
    [{ "out-interface": "!all-ppp" }],
  ],
  [
    "the way from subscribers is shut and the way to them is taken",
    { ...pppoe, [filter]: [track({ "in-interface": "ether1", "out-interface": "!ether9" })] },
    [null],
  ],
  [
    "only between two other interfaces",
    { ...pppoe, [filter]: [track({ "in-interface": "ether1", "out-interface": "ether2" })] },
    [],
  ],
  ["it is off", { ...pppoe, [filter]: [track({ disabled: "true" })] }, []],
  ["in a chain that nobody jumps to", { ...pppoe, [filter]: [track({}, "fast")] }, []],
  [
    "in a chain that is jumped to",
    {
      ...pppoe,
      [filter]: [track({}, "fast"), { chain: "forward", action: "jump", "jump-target": "fast" }],
    },
    [{ "in-interface": "!all-ppp", "out-interface": "!all-ppp" }],
  ],
  [
    "before routing, where there is no interface out",
    { ...pppoe, "/ip/firewall/mangle": [track({}, "prerouting")] },
    [null],
  ],
  [
    "a list of interfaces that hotspots are on",
    {
      ...hotspot,
      "/interface/list": [{ name: "LAN" }],
      "/interface/list/member": [{ list: "LAN", interface: "bridge-hs" }],
      [filter]: [track({ "in-interface-list": "!LAN", "out-interface-list": "!LAN" })],
    },
    [],
  ],
  [
    "our own list that lacks them",
    {
      ...hotspot,
      "/interface/list": [{ name: "gatehouse-lines" }],
      [filter]: [
        track({ "in-interface-list": "!gatehouse-lines", "out-interface-list": "!gatehouse-lines" }),
      ],
    },
    [{ "in-interface-list": "!gatehouse-lines", "out-interface-list": "!gatehouse-lines" }],
  ],
  [
    "a list that has them on it",
    {
      ...hotspot,
      "/interface/list": [{ name: "LAN" }],
      "/interface/list/member": [{ list: "LAN", interface: "bridge-hs" }],
      [filter]: [track({ "in-interface-list": "LAN" })],
    },
    [null],
  ],
])("FastTrack: %s", (_, menus, expected) => {
  expect(narrowings(menus)).toEqual(expected);
});

const ours = (values: Item) => ({ ...values, comment: "gatehouse" });
const whole: Item[] = [
  ours({
    chain: "forward",
    action: "jump",
    "jump-target": "gatehouse-garden",
    "src-address-list": "expired",
  }),
  ours({
    chain: "forward",
    action: "jump",
    "jump-target": "gatehouse-garden",
    "dst-address-list": "expired",
  }),
  ours({
    chain: "input",
    action: "jump",
    "jump-target": "gatehouse-garden-router",
    "src-address-list": "expired",
  }),
  ours({ chain: "gatehouse-garden", action: "accept", "dst-address-list": "gatehouse-allowed" }),
  ours({ chain: "gatehouse-garden", action: "reject" }),
  ours({ chain: "gatehouse-garden-router", action: "reject" }),
  { chain: "forward", action: "accept" },
];
const changed = (at: number, values: Item) =>
  whole.map((row, index) => (index === at ? { ...row, ...values } : row));

test.each<[string, Item[], string[]]>([
  ["is whole", whole, []],
  ["has lost a jump", whole.slice(1), ["gone forward expired"]],
  ["has a jump that is off", changed(1, { disabled: "true" }), ["off forward expired"]],
  [
    "has a rule of somebody before it",
    [{ chain: "forward", action: "fasttrack-connection" }, ...whole],
    ["not_first forward expired", "not_first forward expired"],
  ],
  ["stands behind what hotspots make", [{ chain: "forward", action: "jump", dynamic: "true" }, ...whole], []],
  [
    "has a jump for new connections alone",
    changed(0, { "connection-state": "new" }),
    ["changed forward expired"],
  ],
  ["rejects no more", changed(4, { action: "accept" }), ["gone gatehouse-garden "]],
  ["rejects nobody at the router", changed(5, { disabled: "yes" }), ["off gatehouse-garden-router "]],
  [
    "lets more pass",
    [{ chain: "gatehouse-garden", action: "accept", protocol: "udp" }, ...whole],
    ["opened gatehouse-garden "],
  ],
])("a garden that %s", (_, rules, expected) => {
  const faults = gardenFaults(model({ [filter]: rules }), ["expired"]);
  expect(faults.map(({ kind, chain, list }) => `${kind} ${chain} ${list}`)).toEqual(expected);
});

test("IPv6 of the garden is rejected where there is IPv6", () => {
  const faults = gardenFaults(model({ ...pppoe, [filter]: whole, "/ipv6/firewall/filter": [] }), ["expired"]);
  expect(faults.map(({ kind, chain, list }) => `${kind} ${chain} ${list}`)).toEqual([
    "gone forward gatehouse-garden",
    "gone forward gatehouse-garden",
    "gone input gatehouse-garden",
  ]);
});

const profiles: Item[] = [
  { name: "default", "use-ipv6": "true", "remote-ipv6-prefix-pool": "none" },
  {
    name: "fibre",
    "local-address": "10.0.0.1",
    "remote-address": "fibre",
    "rate-limit": "10M/10M",
    "on-up": "/log info up",
    "dhcpv6-pd-pool": "v6",
    "use-ipv6": "true",
    "only-one": "yes",
  },
];
const fibre = {
  "/interface/pppoe-server/server": [
    { "service-name": "a", "default-profile": "fibre" },
    { "service-name": "b", "default-profile": "default" },
    { "service-name": "b", "default-profile": "fibre" },
  ],
  "/interface/l2tp-server/server": [{ enabled: "true", "default-profile": "default" }],
  "/interface/sstp-server/server": [{ enabled: "false", "default-profile": "none" }],
};

test("each profile that servers use gets one beside it, without scripts, rate and IPv6", () => {
  const router = model({ ...fibre, "/ppp/profile": profiles });
  const none = { "remote-ipv6-prefix-pool": "none", "dhcpv6-pd-pool": "none", "use-ipv6": "no" };
  const made = planGardenProfiles(router);
  expect(made).toEqual([
    {
      name: "gatehouse-garden",
      base: "fibre",
      values: {
        "local-address": "10.0.0.1",
        "remote-address": "fibre",
        "only-one": "yes",
        ...none,
        "interface-list": "gatehouse-garden",
      },
    },
    {
      name: "gatehouse-garden-2",
      base: "default",
      values: { ...none, "interface-list": "gatehouse-garden" },
    },
  ]);
  expect(openProfiles(router)).toEqual([
    { profile: "fibre", pools: ["v6"] },
    { profile: "default", pools: [] },
  ]);
  // the service b is that of two servers, whose profiles differ
  expect(profileChoice(router.servers, made)).toEqual({
    choice: { pppoe: { a: "gatehouse-garden" }, tunnel: "gatehouse-garden-2" },
    unsure: ["b"],
  });
  const rows = made.map(({ name, values }) => ours({ name, ...values }));
  const shut = model({ ...fibre, "/ppp/profile": [...profiles, ...rows] });
  expect(openProfiles(shut)).toEqual([]);
  expect(planGardenProfiles(shut)).toEqual(made);
});
