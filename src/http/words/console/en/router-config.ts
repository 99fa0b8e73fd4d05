import type { ConfigChange } from "../../../../domain/goods/router-config/changes.ts";
import type { ConfigSource } from "../../../../domain/goods/router-config/read.ts";
import { routerSetup } from "./router-setup.ts";

/** For pages and command. */
export const routerConfig = {
  action: "Its configuration",
  title: (name: string) => `Configuration of ${name}`,
  lead: "What the router exports, kept each night when something was changed: the last 30, and one of each month for 3 years. Who downloads one stands in the trail.",
  lacks:
    "An export lacks passwords, secrets and keys, certificates and User Manager. Put those back from elsewhere when you set up a new router from it.",
  keep: "Keep it now",
  asking: (name: string) => `Asking ${name}`,
  kept: "It was kept: something is not as it was",
  same: "Nothing was changed since the last copy",
  notKept: (name: string) => `The configuration of ${name} was not read`,
  last: (time: string) => `Looked at last: ${time}.`,
  lastFailed: (time: string, reason: string) => `Not read at ${time}: ${reason}.`,
  asMenus: (reason: string) =>
    `The router did not export it, so its menus were read one by one: ${reason}. With the setting “Files of routers” on and the router set up anew, our account may do more there.`,
  noted: (note: string) => `Read, and this was left over: ${note}.`,
  list: {
    title: "Copies",
    none: "None yet. The first is kept in the coming night, or when you press the button.",
    noneTitle: "No copy yet",
    columns: { kept: "Kept", seen: "Last seen so", how: "Read", size: "Size" },
    same: "the same moment",
  },
  sources: { export: "its export", menus: "menu by menu" } satisfies Record<ConfigSource, string>,
  partial: "not all of it",
  changes: "Changes",
  changesOf: (copy: number) => `Changes of copy ${copy}`,
  download: "Download",
  downloadOf: (copy: number) => `Download copy ${copy}`,
  changesTitle: (name: string, copy: number) => `Changes of ${name}, copy ${copy}`,
  between: (before: string, after: string) => `From ${before} to ${after}`,
  noChanges: "Nothing but the time of the export differs.",
  notCompared: "It cannot be compared",
  missing: (menus: string) => `The router did not say all: ${menus}. What stands there was not compared.`,
  brokenOff:
    "The router broke off in the middle of one of both, so menus that only one of them has were not compared.",
  more: (count: string) => `And ${count} more; download both copies to see all.`,
  kinds: { added: "Added", removed: "Taken away", changed: "Changed", moved: "Moved" } satisfies Record<
    ConfigChange["kind"],
    string
  >,
  set: (name: string, value: string) => `${name} ${value}`,
  noMore: (name: string, value: string) => `${name} ${value} is gone`,
  comes: (name: string, value: string) => `${name} ${value} is new`,
  turns: (name: string, before: string, after: string) => `${name} from ${before} to ${after}`,
  order: "it stands elsewhere in the order now",
  empty: "nothing",
};

const menus: Readonly<Record<string, string>> = {
  ...routerSetup.places,
  "/interface": "Interface",
  "/interface/bridge": "Bridge",
  "/interface/bridge/port": "Port of a bridge",
  "/interface/ethernet": "Ethernet port",
  "/interface/list": "List of interfaces",
  "/interface/list/member": "Interface in a list",
  "/interface/pppoe-server/server": "PPPoE server",
  "/interface/vlan": "VLAN",
  "/ip/address": "Address of the router",
  "/ip/dhcp-server": "DHCP server",
  "/ip/dhcp-server/lease": "DHCP lease",
  "/ip/dhcp-server/network": "Network of a DHCP server",
  "/ip/dns": "DNS",
  "/ip/firewall/filter": "Firewall rule",
  "/ip/firewall/address-list": "Address in a list",
  "/ip/firewall/mangle": "Mangle rule",
  "/ip/firewall/nat": "NAT rule",
  "/ip/hotspot": "Hotspot",
  "/ip/pool": "Pool of addresses",
  "/ip/route": "Route",
  "/ip/service": "Service of the router",
  "/ipv6/firewall/filter": "Firewall rule for IPv6",
  "/ppp/profile": "PPP profile",
  "/ppp/secret": "PPP user of the router itself",
  "/queue/simple": "Queue",
  "/queue/tree": "Queue tree",
  "/queue/type": "Kind of queue",
  "/system/clock": "Clock",
  "/system/identity": "Name of the router",
  "/system/scheduler": "Scheduled script",
  "/system/script": "Script",
};

/** `Firewall rule (/ip/firewall/filter)`. */
export const menuInWords = (menu: string) => (menus[menu] === undefined ? menu : `${menus[menu]} (${menu})`);

export function changeInWords({ kind, values }: ConfigChange): string {
  if (kind === "moved") return routerConfig.order;
  const text = (value: string) => (value === "" ? routerConfig.empty : value);
  return values
    .map(({ name, before, after }) => {
      if (kind !== "changed") return routerConfig.set(name, text(after ?? before ?? ""));
      if (after === null) return routerConfig.noMore(name, text(before ?? ""));
      if (before === null) return routerConfig.comes(name, text(after));
      return routerConfig.turns(name, text(before), text(after));
    })
    .join(", ");
}
