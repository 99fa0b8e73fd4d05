import { sabotagedRouter } from "../../../test/support/router-sabotages.ts";
import { OFFICE_PASSWORD, WORLD } from "./place.ts";
import type { RouterApi } from "./router-api.ts";

type Values = Readonly<Record<string, string>>;

/** Of the guests' and the leases' part of the cable. */
export const VLAN = { guests: "10", leases: "20" };
/** Where guests of the hotspot find its pages. */
export const LOGIN_PAGE = "10.61.0.1";
/** The rule of FastTrack that a default configuration has. */
export const FAST_TRACK = { chain: "forward", action: "fasttrack-connection" };

/** What lines need beside what the sabotages are done to. */
const more: Readonly<Record<string, Values>> = {
  "/interface/pppoe-server/server": {
    "default-profile": "lines",
    authentication: "pap,chap,mschap1,mschap2",
    disabled: "no",
  },
  "/ip/hotspot/profile": { "hotspot-address": LOGIN_PAGE, "login-by": "http-pap" },
  "/ip/hotspot": { "address-pool": "guests", disabled: "no" },
};

/** Where nothing is sold yet: PPPoE on the cable, a hotspot and leases on VLANs of it, and a firewall with FastTrack. */
const rows: readonly (readonly [menu: string, values: Values])[] = [
  ...["bridge1", "bridge2", "bridge3"].map((name) => ["/interface/bridge", { name }] as const),
  ["/interface/vlan", { name: "guests", "vlan-id": VLAN.guests, interface: "ether2" }],
  ["/interface/vlan", { name: "leases", "vlan-id": VLAN.leases, interface: "ether2" }],
  ["/interface/bridge/port", { bridge: "bridge1", interface: "guests" }],
  ["/interface/bridge/port", { bridge: "bridge2", interface: "leases" }],
  ["/interface/list", { name: "LAN" }],
  ...["ether1", "bridge1", "bridge2"].map(
    (name) => ["/interface/list/member", { list: "LAN", interface: name }] as const,
  ),
  ["/ip/address", { address: `${LOGIN_PAGE}/24`, interface: "bridge1" }],
  ["/ip/address", { address: "10.62.0.1/24", interface: "bridge2" }],
  ["/ip/pool", { name: "lines", ranges: "10.60.0.10-10.60.0.99" }],
  ["/ip/pool", { name: "guests", ranges: "10.61.0.10-10.61.0.99" }],
  ["/ip/pool", { name: "leases", ranges: "10.62.0.10-10.62.0.99" }],
  ["/ip/pool", { name: "poor", ranges: "10.63.0.10-10.63.0.99" }],
  ["/ipv6/pool", { name: "links", prefix: "2001:db8:a000::/36", "prefix-length": "64" }],
  ["/ipv6/pool", { name: "houses", prefix: "2001:db8:b000::/36", "prefix-length": "56" }],
  ["/ipv6/pool", { name: "pool6", prefix: "2001:db8:c000::/36", "prefix-length": "56" }],
  ["/ppp/profile", { name: "lines", "local-address": "10.60.0.1", "remote-address": "lines" }],
  ["/ppp/secret", { name: "office", password: OFFICE_PASSWORD }],
  ["/ip/dhcp-server/network", { address: "10.61.0.0/24", gateway: LOGIN_PAGE }],
  ["/ip/dhcp-server/network", { address: "10.62.0.0/24", gateway: "10.62.0.1" }],
  ["/ip/dhcp-server", { name: "guests", interface: "bridge1", "address-pool": "guests", disabled: "no" }],
  [
    "/ip/dhcp-server",
    { name: "leases", interface: "bridge2", "address-pool": "leases", "use-radius": "yes", disabled: "no" },
  ],
  // profiles before what has them
  ...["/interface/pppoe-server/server", "/ip/hotspot/profile", "/ip/hotspot", "/ip/firewall/filter"].flatMap(
    (menu) => (sabotagedRouter[menu] ?? []).map((values) => [menu, { ...values, ...more[menu] }] as const),
  ),
  ["/ip/firewall/filter", { ...FAST_TRACK, "connection-state": "established,related" }],
  ["/ip/firewall/filter", { chain: "forward", action: "accept", "connection-state": "established,related" }],
  ["/ip/firewall/nat", { chain: "srcnat", action: "masquerade", "out-interface": "ether1" }],
];

/** Makes an access router of an empty one. */
export async function makeAccessRouter(router: RouterApi): Promise<void> {
  const hasIpv6 = (await router.print("/ipv6/pool")) !== null;
  for (const [menu, values] of rows) if (hasIpv6 || !menu.startsWith("/ipv6")) await router.add(menu, values);
  await router.run("/ip/dns/set", `=servers=${WORLD}`, "=allow-remote-requests=yes");
}

/** Its configuration as text, without the line that says when that was. */
export async function readExport(router: RouterApi): Promise<string> {
  const name = "gatehouse-lab";
  const [resource] = await router.run("/system/resource/print");
  const isSix = resource?.["version"]?.startsWith("6.") === true;
  await router.run("/export", `=file=${name}`, ...(isSix ? ["=hide-sensitive="] : []));
  const file = `${name}.rsc`;
  let row: Awaited<ReturnType<RouterApi["run"]>>[number] | undefined;
  for (let look = 0; look < 40 && !(Number(row?.["size"]) > 0); look++) {
    if (look > 0) await Bun.sleep(250);
    [row] = await router.run("/file/print", "=.proplist=.id,name,size", `?name=${file}`);
  }
  const size = Number(row?.["size"] ?? 0);
  const text = isSix ? await readContents(router, file) : await readChunks(router, file, size);
  await router.run("/file/remove", `=.id=${row?.[".id"] ?? ""}`);
  if (text === "") throw new Error(`the router exported nothing that could be read (${size} bytes)`);
  return text
    .split(/\r?\n/)
    .filter((line) => !line.startsWith("#"))
    .join("\n");
}

async function readContents(router: RouterApi, file: string): Promise<string> {
  const [row] = await router.run("/file/print", "=.proplist=contents", `?name=${file}`);
  return row?.["contents"] ?? "";
}

async function readChunks(router: RouterApi, file: string, size: number): Promise<string> {
  const most = 32_768;
  let text = "";
  for (let offset = 0; offset < size; offset += most) {
    const [row] = await router.run(
      "/file/read",
      `=file=${file}`,
      `=offset=${offset}`,
      `=chunk-size=${Math.min(most, size - offset)}`,
    );
    text += row?.["data"] ?? "";
  }
  return text;
}
