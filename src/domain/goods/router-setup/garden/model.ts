import type { RequestedMenu, ReadMenus } from "../menus.ts";
import { type Item, isYes } from "../values.ts";
import type { RouterVersion } from "../versions.ts";
import { GARDEN_LIST, PORTAL_LIST, RESOLVER_LIST } from "./names.ts";

/** A server that lines dial in to, enabled. */
export interface DialInServer {
  readonly kind: "pppoe" | "l2tp" | "pptp" | "sstp" | "ovpn";
  /** Its service name: the Called-Station-Id of a PPPoE login. Empty: any. */
  readonly service: string;
  readonly profile: string;
}

/** Where subscribers are, as a firewall sees them. */
export interface Lines {
  /** They dial in, so that each has an interface of its own, which `all-ppp` matches. */
  readonly isPpp: boolean;
  readonly hotspots: readonly string[];
  /** Interfaces of DHCP servers that ask over RADIUS, for IPv4 or IPv6. */
  readonly dhcp: readonly string[];
}

/** What a router has, as far as the walled garden and FastTrack are concerned. Made of what was read; asks nothing. */
export interface RouterModel {
  readonly version: RouterVersion;
  /** The rows of a menu that was read; none where its version has no such menu. */
  readonly rows: (menu: string) => readonly Item[];
  /** Whether its version, with its packages, has that menu. */
  readonly has: (menu: string) => boolean;
  readonly servers: readonly DialInServer[];
  readonly lines: Lines;
}

/** What is read of a router for its model: menus, and of which rows. */
export const modelMenus: readonly RequestedMenu[] = [
  ...["/ip/firewall/filter", "/ip/firewall/nat", "/ip/firewall/mangle", "/ipv6/firewall/filter"],
  ...["/ip/pool", "/ip/dns", "/ppp/profile", "/interface/list", "/interface/list/member"],
  ...["pppoe", "l2tp", "pptp", "sstp", "ovpn"].map((kind) => `/interface/${kind}-server/server`),
  ...["/ip/hotspot", "/ip/dhcp-server", "/ipv6/dhcp-server", "/ipv6/pool"],
]
  .map((menu) => ({ menu, only: {} }))
  // lists of addresses have thousands of entries of others
  .concat(
    [PORTAL_LIST, RESOLVER_LIST, GARDEN_LIST].map((list) => ({
      menu: "/ip/firewall/address-list",
      only: { list },
    })),
  );

/** The model of a router from its menus; null stands for a menu that its version lacks. */
export function modelOf({ version, menus }: { version: RouterVersion; menus: ReadMenus }): RouterModel {
  const rows = (menu: string) => menus.get(menu) ?? [];
  const servers = serversOf(rows);
  const interfaces = (menu: string, is: (item: Item) => boolean) => [
    ...new Set(
      rows(menu)
        .filter((item) => isOn(item) && is(item))
        .map((item) => item["interface"] ?? "")
        .filter(Boolean),
    ),
  ];
  const asks = (item: Item) => isYes(item["use-radius"]);
  return {
    version,
    rows,
    has: (menu) => (menus.get(menu) ?? null) !== null,
    servers,
    lines: {
      isPpp: servers.length > 0,
      hotspots: interfaces("/ip/hotspot", () => true),
      dhcp: [...new Set([...interfaces("/ip/dhcp-server", asks), ...interfaces("/ipv6/dhcp-server", asks)])],
    },
  };
}

function serversOf(rows: RouterModel["rows"]): DialInServer[] {
  const pppoe = rows("/interface/pppoe-server/server").filter(isOn).map(serverOf("pppoe"));
  const others = (["l2tp", "pptp", "sstp", "ovpn"] as const).flatMap((kind) =>
    rows(`/interface/${kind}-server/server`)
      // a record with `enabled`; servers of OpenVPN are rows since 7.17
      .filter((item) => (item["enabled"] === undefined ? isOn(item) : isYes(item["enabled"])))
      .map(serverOf(kind)),
  );
  return [...pppoe, ...others];
}

const serverOf =
  (kind: DialInServer["kind"]) =>
  (item: Item): DialInServer => ({
    kind,
    service: kind === "pppoe" ? (item["service-name"] ?? "") : "",
    profile: item["default-profile"] || "default",
  });

export const isOn = (item: Item) => !isYes(item["disabled"]) && !isYes(item["invalid"]);
export const isDynamic = (item: Item) => isYes(item["dynamic"]);
