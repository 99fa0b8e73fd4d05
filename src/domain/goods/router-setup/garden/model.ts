import type { RequestedMenu, ReadMenus } from "../menus.ts";
import { type Item, isYes } from "../values.ts";
import type { RouterVersion } from "../versions.ts";
import { GARDEN_LIST, PORTAL_LIST, RESOLVER_LIST } from "./names.ts";

/** An enabled server. */
export interface DialInServer {
  readonly kind: "pppoe" | "l2tp" | "pptp" | "sstp" | "ovpn";
  readonly service: string;
  readonly profile: string;
}

/** Interfaces of subscribers. */
export interface Lines {
  /** Matched by `all-ppp`. */
  readonly isPpp: boolean;
  readonly hotspots: readonly string[];
  /** DHCP interfaces with RADIUS. */
  readonly dhcp: readonly string[];
}

/** The router as garden and FastTrack need it, from read menus only. */
export interface RouterModel {
  readonly version: RouterVersion;
  readonly rows: (menu: string) => readonly Item[];
  readonly has: (menu: string) => boolean;
  readonly servers: readonly DialInServer[];
  readonly lines: Lines;
}

/** Menus and filters of the model. */
export const modelMenus: readonly RequestedMenu[] = [
  ...["/ip/firewall/filter", "/ip/firewall/nat", "/ip/firewall/mangle", "/ipv6/firewall/filter"],
  ...["/ip/pool", "/ip/dns", "/ppp/profile", "/interface/list", "/interface/list/member"],
  ...["pppoe", "l2tp", "pptp", "sstp", "ovpn"].map((kind) => `/interface/${kind}-server/server`),
  ...["/ip/hotspot", "/ip/dhcp-server", "/ipv6/dhcp-server", "/ipv6/pool"],
]
  .map((menu) => ({ menu, only: {} }))
  // shared address lists may have thousands of entries
  .concat(
    [PORTAL_LIST, RESOLVER_LIST, GARDEN_LIST].map((list) => ({
      menu: "/ip/firewall/address-list",
      only: { list },
    })),
  );

/** What of a router is asked about its garden, made of its menus; null in them is a menu that it lacks. */
export function buildModel({ version, menus }: { version: RouterVersion; menus: ReadMenus }): RouterModel {
  const rows = (menu: string) => menus.get(menu) ?? [];
  const servers = listServers(rows);
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

function listServers(rows: RouterModel["rows"]): DialInServer[] {
  const pppoe = rows("/interface/pppoe-server/server").filter(isOn).map(toServer("pppoe"));
  const others = (["l2tp", "pptp", "sstp", "ovpn"] as const).flatMap((kind) =>
    rows(`/interface/${kind}-server/server`)
      // a record before 7.17, rows since
      .filter((item) => (item["enabled"] === undefined ? isOn(item) : isYes(item["enabled"])))
      .map(toServer(kind)),
  );
  return [...pppoe, ...others];
}

const toServer =
  (kind: DialInServer["kind"]) =>
  (item: Item): DialInServer => ({
    kind,
    service: kind === "pppoe" ? (item["service-name"] ?? "") : "",
    profile: item["default-profile"] || "default",
  });

export const isOn = (item: Item) => !isYes(item["disabled"]) && !isYes(item["invalid"]);
export const isDynamic = (item: Item) => isYes(item["dynamic"]);
