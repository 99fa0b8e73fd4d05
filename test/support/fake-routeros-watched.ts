import type { Menu } from "./fake-routeros-config.ts";
import type { FakeRow } from "./fake-routeros.ts";

const common = ["comment", "disabled"];

/** Menus that a look at a router reads and a set-up leaves alone; those of fake-routeros-config.ts come first. */
export function watchedMenus(isSeven: boolean): Readonly<Record<string, Menu>> {
  const names = { takes: ["name", "password", "profile", "service", ...common], sensitive: ["password"] };
  return {
    "/ppp/secret": names,
    "/ip/hotspot/user": names,
    "/ip/hotspot/ip-binding": { takes: ["mac-address", "address", "type", ...common] },
    "/interface/pppoe-server/server": {
      takes: [
        ...["service-name", "interface", "default-profile", "keepalive-timeout", "one-session-per-host"],
        ...common,
      ],
      defaults: { "keepalive-timeout": "10", "one-session-per-host": "false", "default-profile": "default" },
    },
    "/ip/dhcp-server": { takes: ["name", "interface", "use-radius", ...common] },
    "/ip/address": { takes: ["address", "interface", ...common] },
    "/ip/service": { takes: ["name", "address", "port", ...common] },
    "/ip/firewall/raw": {
      takes: [
        "chain",
        "action",
        "protocol",
        "in-interface",
        "src-address",
        "dst-address",
        "dst-port",
        ...common,
      ],
      ordered: true,
    },
    "/ip/firewall/connection/tracking": { record: true, takes: ["enabled"] },
    "/interface/ethernet/switch": { takes: ["name", "l3-hw-offloading"] },
    "/interface/ethernet/switch/port": { takes: ["name", "l3-hw-offloading"] },
    "/interface/bridge": { takes: ["name", ...common] },
    "/ip/dhcp-server/network": { takes: ["address", "gateway", "dns-server", "comment"] },
    "/interface/bridge/port": { takes: ["bridge", "interface", ...common] },
    "/interface/vlan": { takes: ["name", "interface", "vlan-id", ...common] },
    ...(isSeven
      ? {
          "/system/device-mode": { record: true, takes: ["hotspot", "flagged"] },
          "/user-manager/user": names,
        }
      : { "/tool/user-manager/user": { takes: ["username", "password", ...common] } }),
  };
}

/** Rows before its set-up. */
export function watchedRows(version: string): Readonly<Record<string, FakeRow[]>> {
  return {
    "/ip/firewall/connection/tracking": [{ enabled: "auto" }],
    "/ip/service": [
      { ".id": "*6", name: "api", port: "8728", address: "", disabled: "false" },
      { ".id": "*7", name: "winbox", port: "8291", address: "", disabled: "false" },
      { ".id": "*8", name: "api-ssl", port: "8729", address: "", disabled: "false" },
    ],
    ...(version.startsWith("7") && {
      "/system/device-mode": [{ mode: "advanced", hotspot: "true", flagged: "false" }],
    }),
  };
}
