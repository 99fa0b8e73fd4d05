import { ALLOWED_LIST } from "../../../src/domain/goods/router-setup/garden/names.ts";
import { setUpRouter } from "../../../src/domain/goods/router-setup/setup.ts";
import { DomainError } from "../../../src/domain/core/errors/errors.ts";
import { verbatim } from "../../../src/domain/core/errors/phrase.ts";
import type { Shaper } from "../../../src/domain/goods/nas/kinds.ts";
import { nas } from "../../../db/schema.ts";
import { update } from "../../../db/update.ts";
import { factory, factory6 } from "../../../test/support/default-firewall.ts";
import { FakeConfig } from "../../../test/support/fake-routeros-config.ts";
import { aPackage, by, ispStore } from "../../../test/support/isp.ts";
import { routerMenus } from "../../../test/support/router-menus.ts";
import { noNasTools } from "../../../test/support/routers.ts";
import { NOW } from "../../../test/support/store.ts";

/** Addresses of the router's neighbours, as it is told of them. */
export const PORTAL = "10.0.0.254";
export const PORTAL_PORT = 8081;
export const RESOLVER = "10.0.0.53";
/** What the owner lets the garden reach: a bank. */
export const BANK = "203.0.113.80";
/** The list that an Accept puts who has expired on, and the profile that it names for him. */
export const EXPIRED_LIST = "expired";

/** Who answers questions for names of the garden. */
export type Names = "resolver" | "router";

/** A router with the default configuration of RouterOS, FastTrack in it, whose lines dial in by PPPoE. */
export function factoryRouter(): FakeConfig {
  const config = new FakeConfig("7.20");
  config.have("/interface/list", { name: "WAN" }, { name: "LAN" });
  config.have(
    "/interface/list/member",
    { list: "WAN", interface: "wan" },
    ...["portal", "dns"].map((name) => ({ list: "LAN", interface: name })),
  );
  config.have("/ip/firewall/nat", { chain: "srcnat", action: "masquerade", "out-interface-list": "WAN" });
  config.have("/interface/pppoe-server/server", { "service-name": "isp", interface: "ether3" });
  config.have("/ip/firewall/filter", ...factory);
  config.have("/ipv6/firewall/filter", ...factory6);
  return config;
}

/** The same after a set-up has done to it what it does, by the operation that the console calls too. */
export async function makeSetUpRouter(names: Names, shaper: Shaper = "none"): Promise<FakeConfig> {
  const config = factoryRouter();
  using store = await ispStore({ packages: [aPackage(2, { expired_address_list: EXPIRED_LIST })] });
  update(store.db, nas, { shaper }, { id: 1 });
  const menus = routerMenus(config);
  const { outcome } = await setUpRouter(
    store.db,
    by,
    {
      nasId: 1,
      login: { username: "admin", password: "secret" },
      mode: "setup",
      choices: names === "resolver" ? { resolvers: [RESOLVER] } : {},
    },
    {
      ...noNasTools,
      now: NOW,
      findPlace: (router, lists) => noNasTools.findPlace(router, lists, PORTAL),
      open: async (_router, _login, body) => body(menus),
      tell: () => {},
    },
  );
  if (outcome.kind !== "done")
    throw new DomainError("router_failed", verbatim(`the set-up ended as ${outcome.kind}`));
  config.have("/ip/firewall/address-list", { list: ALLOWED_LIST, address: BANK });
  return config;
}
