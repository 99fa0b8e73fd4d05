import { expect, test } from "bun:test";
import { routerFindings } from "../../../../src/domain/service/router-watch/findings.ts";
import { hideFinding } from "../../../../src/domain/service/router-watch/hide.ts";
import { aPackage, aSubscriber, by, undoneIspStores } from "../../../support/isp.ts";
import { WatchedRouter } from "../../../support/watched-router.ts";

const ispStore = undoneIspStores();

/* Routers are looked at by their API, which keeps what RouterOS keeps. */

const store = () => ispStore({ packages: [] });

test("a router that was set up is as it should be, look after look, and nothing is written there", async () => {
  using it = await store();
  await using router = await WatchedRouter.start(it.db, { version: "7.21 (stable)" });
  router.config.have("/ip/firewall/filter", { chain: "input", action: "drop", "in-interface-list": "!LAN" });
  await router.setUp();
  const made = router.config.export();
  for (let looks = 0; looks < 3; looks++)
    expect(await router.look()).toEqual([{ kind: "read", nasId: 1, name: "core", drifted: 0, mended: 0 }]);
  expect(routerFindings(it.db, by).findings).toEqual([]);
  const [reading] = routerFindings(it.db, by).readings;
  expect(reading).toMatchObject({ version: "7.21", failure: null, unlooked: [] });
  expect(router.config.export()).toBe(made);
  const requests = router.api.commands.map(([path = ""]) => path);
  const since = requests.slice(requests.lastIndexOf("/login") + 1);
  expect(since.filter((path) => !path.endsWith("/print") && path !== "/radius/monitor")).toEqual([]);
});

test("FastTrack that was left to lines on purpose is found, and hidden until that rule takes other packets", async () => {
  using it = await store();
  const rule = {
    chain: "forward",
    action: "fasttrack-connection",
    "in-interface": "all-ppp",
    "connection-state": "established",
    comment: "backbone",
  };
  await using router = await WatchedRouter.start(it.db, {
    version: "7.21 (stable)",
    have: {
      "/interface/pppoe-server/server": [{ "service-name": "street", interface: "ether2" }],
      "/ip/firewall/filter": [rule, { chain: "input", action: "drop" }],
    },
  });
  await router.setUp();
  const twice = async () => {
    await router.look();
    await router.look();
    return router.found();
  };
  const [left, ...others] = await twice();
  expect(others).toEqual([]);
  expect(left).toMatchObject({ kind: "fasttrack", values: { rule: "backbone" }, isMendable: true });
  const request = { nasId: 1, id: left?.id ?? 0, input: { reason: "no line has a rate there" } };
  hideFinding(it.db, by, request, { now: router.now });
  const there = router.config.rows("/ip/firewall/filter").find((row) => row["comment"] === "backbone");
  Object.assign(there ?? {}, { bytes: "123456", packets: "99" });
  expect(await twice()).toEqual([]);
  Object.assign(there ?? {}, { "connection-state": "established,related" });
  expect(await twice()).toMatchObject([{ kind: "fasttrack", id: left?.id }]);
});

test("IPv6 that a set-up shut at lines is not found, but for a server whose prefixes pass and that does not ask us", async () => {
  using it = await ispStore({ packages: [aPackage(2, { expired_address_list: "expired" })] });
  const server = { interface: "bridge2", "prefix-pool": "pool6", disabled: "true" };
  await using router = await WatchedRouter.start(it.db, {
    version: "7.21 (stable)",
    have: {
      "/ip/hotspot": [{ name: "hs1", interface: "bridge1", profile: "default" }],
      "/ip/dhcp-server": [{ name: "lines", interface: "bridge2", "use-radius": "true" }],
      "/ipv6/pool": [{ name: "pool6", prefix: "2001:db8::/40", "prefix-length": "56" }],
      "/ipv6/dhcp-server": [{ ...server, name: "six", "use-radius": "false" }],
      "/ipv6/nd/prefix": ["bridge1", "bridge2"].map((name, at) => ({
        prefix: `2001:db8:ff0${at}::/64`,
        interface: name,
        autonomous: "true",
        dynamic: "true",
      })),
      "/ip/firewall/filter": [{ chain: "input", action: "drop" }],
    },
  });
  await router.setUp();
  await router.look();
  const wheres = () => router.found().map(({ values }) => values);
  expect(wheres()).toEqual([]);
  await router.look();
  expect(wheres()).toEqual([{ where: "bridge1" }, { where: "bridge2" }]);
  await router.setUp({ shutsIpv6: true });
  await router.look();
  await router.look();
  expect(wheres()).toEqual([]);
  Object.assign(router.config.rows("/ipv6/dhcp-server")[0] ?? {}, { disabled: "false" });
  await router.look();
  await router.look();
  expect(router.found()).toMatchObject([
    { kind: "ipv6_free", values: { where: "bridge2" }, isMendable: true },
  ]);
});

test("what gives IPv6 at one interface is found by each of its menus, though their rows have the same number", async () => {
  using it = await store();
  await using router = await WatchedRouter.start(it.db, {
    version: "7.21 (stable)",
    have: {
      "/ip/dhcp-server": [{ name: "lines", interface: "bridge2", "use-radius": "true" }],
      "/ip/firewall/filter": [{ chain: "input", action: "drop" }],
    },
  });
  await router.setUp();
  router.config.have("/ipv6/dhcp-server", {
    ".id": "*1",
    name: "six",
    interface: "bridge2",
    "use-radius": "false",
  });
  router.config.have("/ipv6/nd/prefix", {
    ".id": "*1",
    prefix: "2001:db8:2::/64",
    interface: "bridge2",
    autonomous: "true",
  });
  await router.look();
  await router.look();
  expect(router.found()).toMatchObject([
    { kind: "ipv6_free", values: { where: "bridge2" } },
    { kind: "ipv6_free", values: { where: "bridge2" } },
  ]);
});

test("what could not be read is not looked at: it is said so, and what was found there stays", async () => {
  using it = await ispStore({ packages: [aPackage(2)], subscribers: [aSubscriber(1)] });
  await using router = await WatchedRouter.start(it.db, { version: "7.21 (stable)" });
  router.config.have("/ip/firewall/filter", { chain: "input", action: "drop" });
  await router.setUp();
  router.config.have("/ppp/secret", { name: "user1", password: "x" });
  await router.look();
  await router.look();
  const [local, ...others] = router.found();
  expect([local, others]).toMatchObject([{ kind: "ppp_name" }, []]);
  router.api.faults = { "/ppp/secret/print": { kind: "trap", message: "interrupted" } };
  router.config.rows("/ppp/secret").splice(0);
  for (let looks = 0; looks < 3; looks++) await router.look();
  expect(router.found()).toMatchObject([{ kind: "ppp_name", id: local?.id }]);
  const [reading] = routerFindings(it.db, by).readings;
  expect(reading?.unlooked.map(({ kind }) => kind)).toContain("ppp_name");
  router.api.faults = {};
  await router.look();
  await router.look();
  expect(router.found()).toEqual([]);
});
