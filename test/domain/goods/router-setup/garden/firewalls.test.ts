import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Nas } from "../../../../../src/domain/goods/nas/find.ts";
import { type SetUp, setUpRouter } from "../../../../../src/domain/goods/router-setup/setup.ts";
import type { SetupChoices } from "../../../../../src/domain/goods/router-setup/garden/found.ts";
import { findFastTracks } from "../../../../../src/domain/goods/router-setup/garden/fast-track.ts";
import { gardenFaults, openProfiles } from "../../../../../src/domain/goods/router-setup/garden/faults.ts";
import { buildModel, modelMenus } from "../../../../../src/domain/goods/router-setup/garden/model.ts";
import { readMenus } from "../../../../../src/domain/goods/router-setup/menus.ts";
import { parseVersion } from "../../../../../src/domain/goods/router-setup/versions.ts";
import { established, factory, factory6, fasttrack } from "../../../../support/default-firewall.ts";
import { FakeConfig } from "../../../../support/fake-routeros-config.ts";
import { FakeFirewall, type Packet, type Topology, type Verdict } from "../../../../support/fake-firewall.ts";
import { aPackage, by, undoneIspStores } from "../../../../support/isp.ts";
import { buildNasScript } from "../../../../../src/domain/goods/router-setup/script.ts";
import { paste } from "../../../../support/pasted-script.ts";
import { routerMenus } from "../../../../support/router-menus.ts";
import { noNasTools } from "../../../../support/routers.ts";
import { NOW, type TemporaryStore } from "../../../../support/store.ts";

const ispStore = undoneIspStores();

/*
 * Of the walled garden only what is named passes, whatever firewall a router had before, and what is paid for passes as it did: shown by
 * sending packets through the rules.
 */

const stores = {
  list: () => ispStore({ packages: [aPackage(2, { expired_address_list: "expired" })] }),
  pool: () => ispStore({ packages: [aPackage(2, { expired_pool: "poor" })] }),
};
const open = new Map<keyof typeof stores, TemporaryStore>();
beforeAll(async () => {
  for (const name of ["list", "pool"] as const) open.set(name, await stores[name]());
});
afterAll(() => {
  for (const store of open.values()) store[Symbol.dispose]();
});

const filter = "/ip/firewall/filter";
const [POOR, PAID, WAN, PORTAL, BANK] = [
  "10.50.0.9",
  "10.60.0.9",
  "198.51.100.7",
  "10.0.0.254",
  "203.0.113.80",
];
const [POOR6, FAR6] = ["2001:db8:50::9", "2001:db8:ffff::1"];

/** A router as somebody has set it up, and where things are there. */
interface Router {
  readonly config: FakeConfig;
  readonly topology: Topology;
  readonly store?: keyof typeof stores;
  readonly choices?: SetupChoices;
  /** FastTrack goes on for lines: what of it cannot be shut by rules is ended by the server. */
  readonly isTracked?: boolean;
}

/** Lines that dial in, behind a router whose uplink is that interface. */
function dialled(wan = "ether1", guests?: readonly string[]): Topology {
  return {
    own: ["192.0.2.2", "10.0.0.1", "2001:db8::1"],
    routes: [
      { network: "10.50.0.0/24", interface: "<pppoe-poor>" },
      { network: "10.60.0.0/24", interface: "<pppoe-paid>" },
      { network: "2001:db8:50::/64", interface: "<pppoe-poor>" },
      { network: "2001:db8:60::/64", interface: "<pppoe-paid>" },
      { network: "10.0.0.0/24", interface: "ether2" },
      { network: "0.0.0.0/0", interface: wan },
      { network: "::/0", interface: wan },
    ],
    wan,
    dialled: { "<pppoe-poor>": "gatehouse-garden", "<pppoe-paid>": "default" },
    ...(guests && { guests }),
  };
}

/** Lines that hang on one interface each. */
function leased(lines: string): Topology {
  const { dialled: _, ...topology } = dialled();
  const routes = topology.routes.map(({ network, interface: name }) => ({
    network,
    interface: name.startsWith("<") ? lines : name,
  }));
  return { ...topology, routes };
}

function router(version = "7.16.1 (stable)", options?: { hasIpv6: boolean }): FakeConfig {
  const config = new FakeConfig(version, options);
  config.have("/interface/list", { name: "WAN" }, { name: "LAN" });
  config.have(
    "/interface/list/member",
    { list: "WAN", interface: "ether1" },
    { list: "WAN", interface: "pppoe-out1" },
    { list: "LAN", interface: "ether2" },
  );
  config.have("/ip/firewall/nat", { chain: "srcnat", action: "masquerade", "out-interface-list": "WAN" });
  return config;
}

const pppoe = (config: FakeConfig) => {
  config.have("/interface/pppoe-server/server", { "service-name": "isp", interface: "ether3" });
  return config;
};

function withRules(config: FakeConfig, ...rules: Record<string, string>[]): FakeConfig {
  config.have(filter, ...rules);
  return config;
}

const routers: Record<string, () => Router> = {
  "the default configuration": () => {
    const config = withRules(pppoe(router()), ...factory);
    config.have("/ipv6/firewall/filter", ...factory6);
    return { config, topology: dialled() };
  },
  "MikroTik's advanced firewall": () => {
    const config = pppoe(router());
    config.have("/ip/firewall/address-list", { list: "no_forward_ipv4", address: "169.254.0.0/16" });
    return {
      config: withRules(
        config,
        { chain: "input", action: "accept", protocol: "icmp" },
        { chain: "input", action: "accept", ...established },
        { chain: "input", action: "drop", "in-interface-list": "!LAN" },
        { chain: "forward", ...fasttrack },
        { chain: "forward", action: "accept", ...established },
        { chain: "forward", action: "drop", "connection-state": "invalid" },
        { chain: "forward", action: "drop", "src-address-list": "no_forward_ipv4" },
        { chain: "forward", action: "drop", "dst-address-list": "no_forward_ipv4" },
        { chain: "forward", action: "jump", "jump-target": "icmp4", protocol: "icmp" },
        { chain: "icmp4", action: "accept", protocol: "icmp" },
      ),
      topology: dialled(),
    };
  },
  "FastTrack in a chain that is jumped to": () => ({
    config: withRules(
      pppoe(router()),
      { chain: "forward", action: "jump", "jump-target": "fast", ...established },
      { chain: "fast", ...fasttrack },
      { chain: "fast", action: "accept" },
    ),
    topology: dialled(),
  }),
  "FastTrack in mangle": () => {
    const config = withRules(pppoe(router()), { chain: "forward", action: "accept", ...established });
    config.have("/ip/firewall/mangle", { chain: "forward", ...fasttrack });
    return { config, topology: dialled() };
  },
  "FastTrack before routing, which is switched off": () => {
    const config = pppoe(router());
    config.have("/ip/firewall/mangle", { chain: "prerouting", ...fasttrack });
    return { config, topology: dialled(), choices: { disablesFastTrack: true } };
  },
  "accept-all first": () => ({
    config: withRules(
      pppoe(router()),
      { chain: "forward", action: "accept" },
      { chain: "input", action: "accept" },
    ),
    topology: dialled(),
  }),
  "a hotspot": () => {
    const config = router();
    config.have("/ip/hotspot", { name: "hs1", interface: "bridge-hs", profile: "default" });
    const dynamic = { dynamic: "true" };
    config.have("/ip/firewall/nat", {
      chain: "dstnat",
      action: "jump",
      "jump-target": "hotspot",
      hotspot: "from-client",
      ...dynamic,
    });
    for (const protocol of ["udp", "tcp"])
      config.have("/ip/firewall/nat", {
        chain: "hotspot",
        action: "redirect",
        protocol,
        "dst-port": "53",
        "to-ports": "64872",
        ...dynamic,
      });
    withRules(
      config,
      {
        chain: "forward",
        action: "jump",
        "jump-target": "hs-unauth",
        hotspot: "from-client,!auth",
        ...dynamic,
      },
      { chain: "input", action: "jump", "jump-target": "hs-input", hotspot: "from-client", ...dynamic },
      { chain: "hs-input", action: "jump", "jump-target": "pre-hs-input", ...dynamic },
      { chain: "hs-input", action: "accept", protocol: "udp", "dst-port": "64872", ...dynamic },
      { chain: "hs-input", action: "accept", protocol: "tcp", "dst-port": "64872-64875", ...dynamic },
      ...factory.map((rule) => ({
        ...rule,
        ...(rule["in-interface-list"] === "!LAN" && { "in-interface-list": "WAN" }),
      })),
    );
    return {
      config,
      topology: { ...leased("bridge-hs"), guests: [POOR, PAID] },
      choices: { shutsIpv6: true },
    };
  },
  "an uplink by PPPoE": () => ({
    config: withRules(pppoe(router()), ...factory),
    topology: dialled("pppoe-out1"),
  }),
  "RouterOS 6.49 without IPv6": () => ({
    config: withRules(pppoe(router("6.49.17 (long-term)")), ...factory),
    topology: dialled(),
  }),
  "no firewall at all": () => ({ config: pppoe(router("7.20")), topology: dialled() }),
  "DHCP lines whose expired have a pool": () => {
    const config = withRules(router("7.20"), ...factory);
    config.have("/ip/pool", { name: "poor", ranges: "10.50.0.2-10.50.0.99" });
    config.have("/ip/dhcp-server", { name: "lines", interface: "bridge-lines", "use-radius": "yes" });
    return { config, topology: leased("bridge-lines"), store: "pool", choices: { shutsIpv6: true } };
  },
  "FastTrack with matchers of its owner": () => ({
    config: withRules(
      pppoe(router()),
      { chain: "forward", ...fasttrack, "in-interface": "!ether9" },
      { chain: "forward", action: "accept", ...established },
    ),
    topology: dialled(),
    isTracked: true,
  }),
};

const tools = {
  ...noNasTools,
  now: NOW,
  findPlace: (router: Nas, lists: readonly string[]) => noNasTools.findPlace(router, lists, undefined),
};

/** Routers share a store, and what was chosen for one is nobody else's. */
const nothing: SetupChoices = {
  resolvers: [],
  disablesFastTrack: false,
  shutsIpv6: false,
  isTriedOnly: false,
};

/** `again`: nothing is chosen anew. */
async function setUp(
  { config, store = "list", ...router }: Router,
  mode: "setup" | "remove" | "again" = "setup",
): Promise<SetUp> {
  const db = open.get(store)?.db;
  if (!db) throw new Error(`no store of a ${store}`);
  const menus = routerMenus(config);
  return setUpRouter(
    db,
    by,
    {
      nasId: 1,
      login: { username: "admin", password: "secret" },
      mode: mode === "remove" ? mode : "setup",
      choices: mode === "again" ? undefined : { ...nothing, ...router.choices },
    },
    { ...tools, open: async (_router, _login, body) => body(menus), tell: () => {} },
  );
}

/** Puts the address of a line on its list, as its Accept has the router do. */
const expire = ({ config, store = "list" }: Router) =>
  store === "list" &&
  config.have("/ip/firewall/address-list", { list: "expired", address: POOR, dynamic: "true" });

const tcp = (from: string, to: string, dport: number, sport = 40_000): Packet => ({
  from,
  to,
  protocol: "tcp",
  dport,
  sport,
});
const udp = (from: string, to: string, dport: number, sport = 40_000): Packet => ({
  ...tcp(from, to, dport, sport),
  protocol: "udp",
});
const back = ({ from, to, sport = 0, dport = 0, ...rest }: Packet): Packet => ({
  from: to,
  to: from,
  sport: dport,
  dport: sport,
  ...rest,
});

/** Opens a connection and has it answered, twice, as one that goes on. */
function talk(firewall: FakeFirewall, packet: Packet): Verdict[] {
  return [packet, back(packet), packet, back(packet)].map((one) => firewall.send(one));
}

const where = (verdict: Verdict) => (verdict.passed ? `${verdict.to}:${verdict.dport}` : "nothing");

test.each(Object.entries(routers))("of the garden only what is named passes: %s", async (_, make) => {
  const made = make();
  const { config, topology } = made;
  const fresh = config.export();
  expect((await setUp(made)).outcome).toEqual({ kind: "done" });
  config.have("/ip/firewall/address-list", { list: "gatehouse-allowed", address: BANK });
  const firewall = new FakeFirewall(config, topology);
  // what it had open while it was paid for
  const old = [tcp(POOR, WAN, 443), udp(POOR, WAN, 4500, 41_000), tcp(POOR, PAID, 22, 42_000)];
  const before = old.flatMap((packet) => talk(firewall, packet));
  // an address of a pool of the expired was nobody's who had paid
  expect(before.every(({ passed }) => passed)).toBe(made.store !== "pool");
  expect(before.some((verdict) => verdict.passed && verdict.isFastTracked)).toBe(made.isTracked === true);
  expire(made);
  for (const { ".id": id, fasttrack: is } of firewall.connections.toReversed())
    if (is === "true") firewall.forget(id ?? "");

  for (const packet of old) {
    expect(firewall.send(packet).passed).toBe(false);
    expect(firewall.send(back(packet)).passed).toBe(false);
  }
  const foreign: Packet[] = [
    ...[443, 53, 853, 22, 8728]
      .map((port) => tcp(POOR, WAN, port, 50_000 + port))
      .filter(({ dport }) => dport !== 53),
    ...[443, 853, 500, 51_820].map((port) => udp(POOR, WAN, port, 10_000 + port)),
    { from: POOR, to: WAN, protocol: "icmp" },
    { from: POOR, to: WAN, protocol: "gre" },
    tcp(POOR, PORTAL, 8080),
    tcp(POOR, PORTAL, 22),
    tcp(POOR, PAID, 80, 50_001),
    tcp(PAID, POOR, 443, 50_002),
    tcp(WAN, POOR, 443, 50_003),
    // the router's own services are ways out
    ...[8291, 22, 3128, 1080, 8728].map((port) => tcp(POOR, topology.own[0] ?? "", port, 30_000 + port)),
  ];
  const reached = foreign.filter((packet) => {
    const verdict = firewall.send(packet);
    // whatever is asked for by HTTP leads to the portal's page
    return verdict.passed && where(verdict) !== `${PORTAL}:8081`;
  });
  expect(reached).toEqual([]);

  expect(where(firewall.send(tcp(POOR, WAN, 80, 50_010)))).toBe(`${PORTAL}:8081`);
  expect(firewall.send(tcp(PORTAL, POOR, 50_010, 8081)).passed).toBe(true);
  expect(where(firewall.send(tcp(POOR, PORTAL, 8081, 50_011)))).toBe(`${PORTAL}:8081`);
  expect(talk(firewall, tcp(POOR, BANK, 443, 50_012)).every(({ passed }) => passed)).toBe(true);
  expect(firewall.send({ from: POOR, to: topology.own[1] ?? "", protocol: "icmp" }).passed).toBe(true);
  // names are the router's to say, whoever is asked, and not as fast as a tunnel would need them
  const dns = topology.guests ? 64_872 : 53;
  for (const ask of [udp, tcp]) {
    firewall.rest();
    const setupRun = Array.from({ length: 40 }, (_ignored, at) =>
      firewall.send(ask(POOR, WAN, 53, 20_000 + at)),
    );
    expect(new Set(setupRun.filter(({ passed }) => passed).map(where))).toEqual(
      new Set([`${topology.own[0]}:${dns}`]),
    );
    expect(setupRun.filter(({ passed }) => passed)).toHaveLength(ask === udp ? 30 : 20);
  }
  if (config.rows("/ipv6/firewall/filter").length > 0)
    for (const packet of [
      tcp(POOR6, FAR6, 443),
      tcp(FAR6, POOR6, 443),
      udp(POOR6, FAR6, 53),
      tcp(POOR6, "2001:db8::1", 22),
    ])
      if (packet.from === POOR6 && packet.to === FAR6 ? true : topology.dialled) {
        expect({ packet, ...firewall.send(packet) }).toMatchObject({ passed: false });
      }
  // nothing is left behind but what others put there
  // what was chosen the last time stays so
  expect((await setUp(made, "again")).difference.changes).toEqual([]);
  await setUp(made, "remove");
  config
    .rows("/ip/firewall/address-list")
    .splice(
      0,
      Infinity,
      ...config
        .rows("/ip/firewall/address-list")
        .filter(({ list }) => list !== "gatehouse-allowed" && list !== "expired"),
    );
  expect(config.export()).toBe(fresh);
});

const defaultRouter = "the default configuration";
test.each<[string, string, SetupChoices, Pick<Packet, "from"> & { sport: number }]>([
  ["the router's", defaultRouter, {}, { from: "192.0.2.2", sport: 53 }],
  ["a resolver's", defaultRouter, { resolvers: ["10.0.0.53"] }, { from: "10.0.0.53", sport: 53 }],
  ["a hotspot's", "a hotspot", {}, { from: "192.0.2.2", sport: 64_872 }],
])(
  "answers carry little of a tunnel: %s are of a packet each by UDP, and few packets by TCP",
  async (_, name, choices, server) => {
    const made = routers[name]?.();
    if (!made) throw new Error(`there is no ${name}`);
    await setUp({ ...made, choices: { ...made.choices, ...choices } });
    expire(made);
    const firewall = new FakeFirewall(made.config, made.topology);
    const answer = (packet: Pick<Packet, "protocol" | "size">, dport: number) =>
      firewall.send({ ...server, to: POOR, dport, ...packet }).passed;
    const sizes = [100, 1232, 1500, 1501, 4096];
    const passed = sizes.filter((size) => answer({ protocol: "udp", size }, 20_000 + size));
    expect(passed).toEqual([100, 1232, 1500]);
    const packets = Array.from({ length: 100 }, (_ignored, at) =>
      answer({ protocol: "tcp", size: 1500 }, 30_000 + (at % 4)),
    );
    expect(packets.filter(Boolean)).toHaveLength(20);
    // who has paid gets all of them
    const paid = { ...server, to: PAID, dport: 20_000, size: 4096 };
    for (const protocol of ["udp", "tcp"] as const)
      expect(
        Array.from({ length: 40 }, () => firewall.send({ ...paid, protocol }).passed).every(Boolean),
      ).toBe(true);
  },
);

test.each(Object.entries(routers))("what is paid for passes as it did: %s", async (_, make) => {
  const packets = [
    ...[443, 80, 53, 25].map((port) => tcp(PAID, WAN, port, 20_000 + port)),
    ...[443, 53, 500].map((port) => udp(PAID, WAN, port, 20_000 + port)),
    { from: PAID, to: WAN, protocol: "icmp" as const },
    tcp(PAID, "10.0.0.1", 53),
    tcp(PAID, "10.0.0.1", 8291),
    udp(PAID, "10.0.0.1", 53, 21_000),
    tcp(WAN, PAID, 22),
    tcp("10.0.0.7", WAN, 443),
    tcp(WAN, "192.0.2.2", 22),
    tcp("2001:db8:60::9", FAR6, 443),
    tcp(FAR6, "2001:db8:60::9", 443),
  ];
  const passing = async (isSetUp: boolean) => {
    const made = make();
    if (isSetUp) await setUp(made);
    const firewall = new FakeFirewall(made.config, made.topology);
    return packets.flatMap((packet) =>
      talk(firewall, packet).map((verdict) => `${JSON.stringify(packet)} ${where(verdict)}`),
    );
  };
  const without = await passing(false);
  const after = await passing(true);
  // lines that do not dial in have of IPv6 what was delegated to them alone, where somebody chose so
  const isOf6 = (line: string) => line.includes("2001:db8:60") && make().choices?.shutsIpv6;
  expect(after.filter((line) => !isOf6(line))).toEqual(without.filter((line) => !isOf6(line)));
});

test.each(Object.entries(routers))(
  "nothing is said against a router that was set up: %s",
  async (_, make) => {
    const made = make();
    await setUp(made);
    const version = parseVersion(made.config.version);
    if (!version) throw new Error("no version");
    const model = buildModel({ version, menus: await readMenus(routerMenus(made.config), modelMenus) });
    expect(gardenFaults(model, [made.store === "pool" ? "gatehouse-garden" : "expired"])).toEqual([]);
    expect(openProfiles(model)).toEqual([]);
    expect(findFastTracks(model).length > 0).toBe(made.isTracked === true);
  },
);

test("what is pasted makes of an empty router what a set-up makes of it", async () => {
  const [pasted, made] = [new FakeConfig("7.20"), new FakeConfig("7.20")];
  const db = open.get("list")?.db;
  if (!db) throw new Error("no store");
  const lines = await buildNasScript(db, by, 1, { ...tools, resolvers: [] });
  paste(pasted, lines.join("\n"));
  await setUp({ config: made, topology: dialled() });
  const menus = [
    ...[filter, "/ip/firewall/nat", "/ip/firewall/address-list", "/ipv6/firewall/filter"],
    ...["/interface/list", "/ppp/profile"],
  ];
  const rowsOf = (config: FakeConfig) =>
    menus.flatMap((menu) => config.rows(menu).map((row) => Object.assign({}, row, { menu, ".id": "" })));
  const sorted = (rows: readonly object[]) =>
    rows.map((row) => JSON.stringify(Object.entries(row).toSorted()));
  // of one chain in its order
  const byChain = (rows: { menu: string; chain?: string }[]) =>
    Map.groupBy(rows, ({ menu, chain = "" }) => `${menu} ${chain}`);
  for (const [chain, rows] of byChain(rowsOf(made)))
    expect([chain, sorted(byChain(rowsOf(pasted)).get(chain) ?? [])]).toEqual([chain, sorted(rows)]);
  expect(rowsOf(pasted)).toHaveLength(rowsOf(made).length);
});

test.each<[string, string | undefined, object, string[]]>([
  ["those of lines are ended", "3", { kind: "ended", count: 2 }, ["*3"]],
  ["there are too many to look at", "20001", { kind: "left" }, ["*1", "*2", "*3"]],
  ["nobody says how many there are", undefined, { kind: "left" }, ["*1", "*2", "*3"]],
])("connections that FastTrack had before it was kept from lines: %s", async (_, entries, came, rest) => {
  const config = withRules(pppoe(router()), ...factory);
  config.have("/ppp/active", { name: "user1", address: PAID });
  if (entries) config.rows("/ip/firewall/connection/tracking").splice(0, 1, { "total-entries": entries });
  const connection = (id: string, from: string, to: string, fasttrack: string) => ({
    ".id": id,
    "src-address": from,
    "dst-address": to,
    "reply-src-address": to,
    fasttrack,
  });
  config
    .rows("/ip/firewall/connection")
    .push(
      connection("*1", `${PAID}:40000`, `${WAN}:443`, "true"),
      connection("*2", `${WAN}:50000`, PAID, "true"),
      connection("*3", "10.0.0.7:40000", `${WAN}:443`, "true"),
    );
  const made = { config, topology: dialled() };
  expect(await setUp(made)).toMatchObject({ outcome: { kind: "done" }, connections: came });
  expect(config.rows("/ip/firewall/connection").map(({ ".id": id }) => id ?? "")).toEqual(rest);
  // once more there is nothing that was not kept from them before
  expect(await setUp(made)).not.toHaveProperty("connections");
});

test("a pool of the expired that others get addresses from is refused, and nothing is changed", async () => {
  const config = router();
  config.have(
    "/ip/pool",
    { name: "home", ranges: "10.50.0.0/25" },
    { name: "poor", ranges: "10.50.0.100-10.50.0.200" },
  );
  config.have("/ppp/profile", { name: "lines", "remote-address": "home" });
  config.have("/interface/pppoe-server/server", { "service-name": "isp", "default-profile": "lines" });
  const before = config.export();
  const refused = setUp({ config, topology: dialled(), store: "pool" });
  expect(refused).rejects.toThrow("the pool of expired subscribers has 10.50.0.100-10.50.0.200 on core");
  await refused.catch(() => {});
  expect(config.export()).toBe(before);
});
