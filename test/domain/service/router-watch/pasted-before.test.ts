import { expect, test } from "bun:test";
import type { FakeRow } from "../../../support/fake-routeros.ts";
import { aPackage, undoneIspStores } from "../../../support/isp.ts";
import { WatchedRouter } from "../../../support/watched-router.ts";

const ispStore = undoneIspStores();

/* A router with RouterOS's default configuration into which somebody pasted a year ago what 0.2.0 printed. */

const established = { "connection-state": "established,related,untracked" };
const fromFactory: Record<string, FakeRow[]> = {
  "/interface/list": [{ name: "WAN" }, { name: "LAN" }],
  "/interface/pppoe-server/server": [
    { "service-name": "isp", interface: "bridge", "default-profile": "lines" },
  ],
  "/ppp/profile": [{ name: "lines", "dhcpv6-pd-pool": "pool6" }],
  "/ip/firewall/filter": [
    { chain: "input", action: "accept", ...established },
    { chain: "input", action: "drop", "in-interface-list": "!LAN" },
    { chain: "forward", action: "fasttrack-connection", "connection-state": "established,related" },
    { chain: "forward", action: "accept", ...established },
  ],
};

/** The rows of 0.2.0, each at the end of its menu. */
const pasted: Record<string, FakeRow[]> = {
  "/radius": [
    {
      ...{ service: "ppp,hotspot", address: "127.0.0.1", secret: "testing123", timeout: "3s" },
      ...{ "authentication-port": "1812", "accounting-port": "1813", comment: "gatehouse" },
    },
  ],
  "/ip/firewall/filter": [
    {
      ...{ chain: "input", action: "accept", protocol: "udp", "src-address": "127.0.0.1" },
      ...{ "dst-port": "3799", comment: "gatehouse-coa" },
    },
    { chain: "forward", action: "accept", protocol: "udp", "dst-port": "53", "src-address-list": "expired" },
    { chain: "forward", action: "reject", "src-address-list": "expired" },
  ],
  "/ip/firewall/address-list": [{ list: "gatehouse-portal", address: "127.0.0.1" }],
  "/user/group": [{ name: "gatehouse", policy: "api,read,write" }],
  "/user": [{ name: "gatehouse", group: "gatehouse", password: "x", address: "127.0.0.1" }],
};

async function routerOf(db: Parameters<typeof WatchedRouter.start>[0]): Promise<WatchedRouter> {
  const router = await WatchedRouter.start(db, { version: "7.21 (stable)", have: fromFactory });
  for (const [menu, rows] of Object.entries(pasted)) router.config.have(menu, ...structuredClone(rows));
  for (const [menu, values] of [
    ["/radius/incoming", { accept: "true" }],
    ["/ppp/aaa", { "use-radius": "true", "interim-update": "5m" }],
  ] as const)
    Object.assign(router.config.rows(menu)[0] ?? {}, values);
  db.$client
    .query(
      `UPDATE nas SET routeros_host = '127.0.0.1', routeros_port = ?, routeros_username = 'gatehouse',
         routeros_password_sealed = ?`,
    )
    .run(router.api.port, db.vault.seal("x"));
  return router;
}

/** What of a router is not ours to take away: all but our row of /radius, which has our comment, in no order of numbers. */
const rest = (router: WatchedRouter) =>
  JSON.parse(router.config.export()).filter(([menu]: [string]) => menu !== "/radius");

test("it is found open, mended by presses to the end, and a removal gives back what was there", async () => {
  using it = await ispStore({ packages: [aPackage(2, { expired_address_list: "expired" })] });
  await using router = await routerOf(it.db);
  const before = rest(router);
  await router.look();
  await router.look();
  expect(new Set(router.found().map(({ kind }) => kind))).toEqual(
    new Set(["radius_changed", "incoming_firewall", "fasttrack", "garden_rules", "ipv6_free", "no_ntp"]),
  );
  for (let presses = 0; router.found().length > 0 && presses < 6; presses++)
    await router.mend(router.found().slice(0, 1));
  expect(router.found()).toEqual([]);
  await router.setUp(); // it gives our account its comment, and stays as it is otherwise
  await router.remove();
  expect(rest(router)).toEqual(before);
  expect(router.config.rows("/radius")).toEqual([]);
});

test("all of it is mended by one press, too", async () => {
  using it = await ispStore({ packages: [aPackage(2, { expired_address_list: "expired" })] });
  await using router = await routerOf(it.db);
  await router.look();
  await router.look();
  await router.mend(router.found());
  expect(router.found()).toEqual([]);
});
