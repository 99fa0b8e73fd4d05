import type { RouterosClient, Row } from "./client.ts";
import { RouterosError } from "./fault.ts";

const COMMAND = 20_000;

/** The menus of a configuration, in the order of an export; users are not part of one. */
const menus = [
  ...["/interface/bridge", "/interface/bonding", "/interface/ethernet", "/interface/vlan", "/interface/list"],
  ...["/interface/list/member", "/interface/bridge/port", "/interface/bridge/vlan", "/interface/wireguard"],
  ...[
    "/interface/wireguard/peers",
    "/interface/eoip",
    "/interface/gre",
    "/interface/ipip",
    "/interface/vrrp",
  ],
  ...["/interface/pppoe-client", "/interface/pppoe-server/server", "/interface/l2tp-server/server"],
  ...["/interface/l2tp-client", "/interface/sstp-client", "/interface/wireless", "/interface/wifi"],
  ...["/ip/pool", "/ip/address", "/ip/route", "/ip/dns", "/ip/dns/static", "/ip/arp", "/ip/settings"],
  ...["/ip/dhcp-client", "/ip/dhcp-server", "/ip/dhcp-server/network", "/ip/dhcp-server/config"],
  ...["/ip/dhcp-server/lease", "/ip/dhcp-server/option", "/ip/hotspot", "/ip/hotspot/profile"],
  ...["/ip/hotspot/user/profile", "/ip/hotspot/user", "/ip/hotspot/ip-binding", "/ip/hotspot/walled-garden"],
  ...["/ip/hotspot/walled-garden/ip", "/ip/firewall/address-list", "/ip/firewall/filter", "/ip/firewall/nat"],
  ...["/ip/firewall/mangle", "/ip/firewall/raw", "/ip/firewall/layer7-protocol", "/ip/firewall/service-port"],
  ...["/ip/firewall/connection/tracking", "/ip/service", "/ip/proxy", "/ip/socks", "/ip/ssh", "/ip/upnp"],
  ...["/ip/neighbor/discovery-settings", "/ip/traffic-flow", "/ip/ipsec/profile", "/ip/ipsec/peer"],
  ...["/ip/ipsec/proposal", "/ip/ipsec/policy", "/ipv6/settings", "/ipv6/pool", "/ipv6/address"],
  ...["/ipv6/route", "/ipv6/nd", "/ipv6/dhcp-client", "/ipv6/dhcp-server", "/ipv6/firewall/address-list"],
  ...["/ipv6/firewall/filter", "/ipv6/firewall/nat", "/ipv6/firewall/mangle", "/ppp/profile", "/ppp/secret"],
  ...["/ppp/aaa", "/queue/type", "/queue/tree", "/queue/simple", "/queue/interface", "/radius"],
  ...["/radius/incoming", "/routing/ospf/instance", "/routing/ospf/area", "/routing/ospf/interface-template"],
  ...["/routing/bgp/connection", "/routing/filter/rule", "/routing/table", "/routing/rule", "/snmp"],
  ...["/snmp/community", "/system/clock", "/system/identity", "/system/logging", "/system/logging/action"],
  ...["/system/note", "/system/ntp/client", "/system/ntp/server", "/system/scheduler", "/system/script"],
  ...["/tool/bandwidth-server", "/tool/e-mail", "/tool/mac-server", "/tool/mac-server/mac-winbox"],
  ...["/tool/netwatch", "/tool/romon"],
];

/** Properties that change by themselves or are derived: counters, states. */
const passing =
  /^(?:\.id|\.nextid|dynamic|default|invalid|inactive|active|running|slave|builtin|bytes|packets|rate|packet-rate|total-.*|dropped|queued-.*|tx-.*|rx-.*|fp-.*|(?:last|creation|next|prev)-.*|uptime|up-time|run-count|.*-(?:seen|remaining)|expires-after|active-.*|actual-.*|current-.*|host-name|status|state|since|status-.*|used|cache-used|available|dynamic-.*|bound|gateway-status|immediate-gw|time|date|gmt-offset|dst-active|hw-offload|link-downs|reply-src-.*|connections?)$/;
/** Secrets, which an export leaves out too. */
const secret =
  /password|secret|passphrase|private-key|pre-?shared-key|^key$|-psk$|authentication-key|auth-key/;

/**
 * A router's menus as commands, for one that cannot export: without secrets, volatile properties and defaults. A missing menu
 * is skipped, a refused one is noted as in an export.
 */
export async function readMenus(client: RouterosClient): Promise<string> {
  const lines: string[] = [];
  for (const menu of menus) {
    try {
      // dynamic entries are filtered on the router: an address list may have a hundred thousand
      const rows = await client.command(`${menu}/print`, ["?dynamic=true", "?#!"], COMMAND);
      const commands = rows.flatMap(formatCommand);
      if (commands.length > 0) lines.push(menu, ...commands);
    } catch (error) {
      if (!(error instanceof RouterosError) || client.fault) throw error;
      if (!error.message.startsWith("no such command"))
        lines.push(`#error exporting "${menu}" (${error.message})`);
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

function formatCommand(row: Row): string[] {
  const isDynamic = row["dynamic"] === "true" || row["builtin"] === "true";
  const values = Object.entries(row)
    .filter(
      ([name, value]) => value !== undefined && value !== "" && !passing.test(name) && !secret.test(name),
    )
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${quoted(value ?? "")}`);
  if (isDynamic || values.length === 0) return [];
  return [[row[".id"] === undefined ? "set" : "add", ...values].join(" ")];
}

function quoted(value: string): string {
  if (/^[\w.,:/!*@+-]+$/.test(value)) return value;
  const escaped = value
    .replace(/["\\$?]/g, "\\$&")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
  return `"${escaped}"`;
}
