import { expect, test } from "bun:test";
import { routerFindings } from "../../../../src/domain/service/router-watch/findings.ts";
import type { FakeRow, Fault } from "../../../support/fake-routeros.ts";
import { aPackage, aSubscriber, by, undoneIspStores } from "../../../support/isp.ts";
import { WatchedRouter } from "../../../support/watched-router.ts";
import { runs } from "../../../support/runs.ts";

const ispStore = undoneIspStores();

/* Thirty days of looks at routers that nobody spoils, with all that goes wrong on the way: nothing is found that is not so. */

const filter = "/ip/firewall/filter";
const established = { chain: "input", action: "accept", "connection-state": "established,related" };
const notLan = { chain: "input", action: "drop", "in-interface-list": "!LAN" };
const forwarded = { chain: "forward", action: "accept", "connection-state": "established,related" };
const invalid = { chain: "forward", action: "drop", "connection-state": "invalid" };
/** As RouterOS has it by default: a set-up keeps it from lines. */
const fastTrack = {
  chain: "forward",
  action: "fasttrack-connection",
  "connection-state": "established,related",
  comment: "defconf: fasttrack",
};
const hotspot = {
  "/ip/hotspot": [{ name: "hs1", interface: "bridge1", profile: "hsprof1" }],
  "/ip/hotspot/profile": [{ name: "hsprof1", "use-radius": "false", "radius-accounting": "true" }],
};
const pppoe = {
  "/interface/pppoe-server/server": [{ "service-name": "street", interface: "ether2" }],
};

/** IPv6 of the ISP's own network, where no lines hang. */
const officeIpv6 = {
  "/ipv6/nd/prefix": [
    { prefix: "2001:db8:9::/64", interface: "ether9", autonomous: "true", dynamic: "true" },
  ],
  "/ipv6/dhcp-server": [{ name: "office", interface: "ether9", "prefix-pool": "office" }],
};

interface Firewall {
  readonly version?: string;
  readonly have: Readonly<Record<string, FakeRow[]>>;
}

/** Routers as they are found at ISPs. */
const firewalls: Readonly<Record<string, Firewall>> = {
  "an empty one behind a wall": { have: { [filter]: [notLan] } },
  "the default configuration": {
    have: {
      [filter]: [established, { ...invalid, chain: "input" }, notLan, fastTrack, forwarded, invalid],
      "/ip/firewall/nat": [{ chain: "srcnat", action: "masquerade" }],
    },
  },
  "lines by PPPoE": {
    have: { ...pppoe, ...officeIpv6, [filter]: [established, notLan, fastTrack, forwarded, invalid] },
  },
  "a hotspot": { have: { ...hotspot, [filter]: [established, notLan] } },
  "lines and a hotspot": {
    have: { ...hotspot, ...pppoe, [filter]: [established, notLan, fastTrack, forwarded] },
  },
  "names of its own": {
    have: {
      ...hotspot,
      [filter]: [notLan],
      "/ppp/secret": [{ name: "office" }, { name: "tech" }],
      "/ip/hotspot/user": [{ name: "reception" }],
      "/ip/hotspot/ip-binding": [{ "mac-address": "00:11:22:33:44:55", type: "bypassed" }],
    },
  },
  "another server for people who sign in to it": {
    have: { [filter]: [notLan], "/radius": [{ service: "login", address: "10.9.9.9", secret: "other" }] },
  },
  "another server for guests of somebody else": {
    have: {
      [filter]: [notLan],
      "/radius": [{ service: "hotspot", address: "10.9.9.9", secret: "other", "called-id": "cafe" }],
    },
  },
  "rules that keep traffic of its own from being tracked": {
    have: {
      [filter]: [notLan],
      "/ip/firewall/raw": [
        { chain: "prerouting", action: "notrack", protocol: "ospf" },
        { chain: "prerouting", action: "notrack", "src-address": "192.0.2.0/24" },
        { chain: "prerouting", action: "notrack", "in-interface": "ether9" },
      ],
    },
  },
  "a switch that routes where no lines hang": {
    have: {
      ...hotspot,
      [filter]: [notLan],
      "/interface/ethernet/switch": [{ name: "switch1", "l3-hw-offloading": "true" }],
      "/interface/ethernet/switch/port": [{ name: "sfp1", "l3-hw-offloading": "true" }],
    },
  },
  "6.49 without half of it": {
    version: "6.49.19 (long-term)",
    have: { ...hotspot, ...pppoe, [filter]: [established, notLan] },
  },
  "an API that answers us alone": { have: {} },
};

/** At either every fault is met, for their number is odd: in eleven days once, in a month nearly three times. */
const LOOKS_A_DAY = 2;
const DAYS = runs(11, 30).numRuns;

/** What goes wrong on the way, look by look: the connection, a menu, half an answer, a router that begins anew and does not know the time. */
const faults: readonly (Readonly<Record<string, Fault>> | "restart" | null)[] = [
  null,
  { connect: { kind: "close", after: 0 } },
  null,
  { "/ppp/aaa/print": { kind: "close", after: 9 } },
  { "/radius/print": { kind: "reset", after: 20 } },
  null,
  { "/ip/hotspot/profile/print": { kind: "trap", message: "interrupted" } },
  "restart",
  { "/login": { kind: "trap", message: "cannot log in" } },
  null,
  { "/ip/firewall/filter/print": { kind: "fatal", message: "system is shutting down" } },
];

test.each(Object.keys(firewalls))("%s", async (name) => {
  const firewall = firewalls[name];
  if (!firewall) throw new Error("there is no such firewall");
  using it = await ispStore({
    packages: [aPackage(2, { expired_address_list: "expired" })],
    subscribers: [aSubscriber(1)],
  });
  await using router = await WatchedRouter.start(it.db, { version: "7.21 (stable)", ...firewall });
  if (name === "an API that answers us alone")
    for (const row of router.config.rows("/ip/service")) row["address"] = "10.0.0.254/32";
  await router.setUp();
  const made = router.config.export();
  it.db.$client
    .query(
      `INSERT INTO router_configs (nas_id, kept_at, seen_at, source, version, bytes, text_sealed)
       VALUES (1, ?1, ?1, 'menus', '7.21', 1, ?2)`,
    )
    .run(router.now, it.db.vault.seal("x"));
  for (let look = 0; look < DAYS * LOOKS_A_DAY; look++) {
    const fault = faults[look % faults.length] ?? null;
    const isRestart = fault === "restart";
    router.api.faults = fault === null || isRestart ? {} : fault;
    const [resource] = router.config.rows("/system/resource");
    if (resource) resource["uptime"] = isRestart ? "1m3s" : "2d4h";
    router.ahead = isRestart ? -1_600_000_000 : 0;
    if (isRestart) router.badReplies = 0; // what it counted is gone
    router.now += 86_400 / LOOKS_A_DAY - 600;
    it.db.$client.run("UPDATE router_configs SET seen_at = ?", [router.now]); // as every night does
    await router.look();
    expect({ look, found: routerFindings(it.db, by).findings }).toEqual({ look, found: [] });
  }
  router.api.faults = {};
  expect(await router.look()).toMatchObject([{ kind: "read" }]);
  expect(routerFindings(it.db, by).readings).toMatchObject([{ failure: null, unlooked: [] }]);
  expect(JSON.parse(router.config.export())).toEqual(
    JSON.parse(made.replaceAll('"uptime": "5w1d2h"', '"uptime": "2d4h"')),
  );
});
