import ipaddr from "ipaddr.js";
import { quoted } from "./terminal.ts";

export interface ContainerPlace {
  readonly disk: string;
  /** From scripts/release --container, in the disk's top folder. */
  readonly file: string;
  /** The router has the other address of its /30. */
  readonly address: string;
  /** Mounted as /backups. */
  readonly backups?: string | undefined;
}

export const CONTAINER_WALLED_PORT = 8081;
export const CONTAINER_ADDRESS = "172.31.255.2";

/** The router's address beside a container's; undefined: no IPv4 address within a /30. */
export function routerBesideContainer(address: string): string | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address)) return undefined;
  const bytes = ipaddr.IPv4.parse(address).octets;
  const last = bytes[3] ?? 0;
  const other = { 1: last + 1, 2: last - 1 }[last & 3];
  return other === undefined ? undefined : [...bytes.slice(0, 3), other].join(".");
}

export function containerScript({ disk, file, address, backups }: ContainerPlace): string[] {
  const router = routerBesideContainer(address);
  if (router === undefined) throw new Error(`${address} is no address of a container`);
  const folder = `${disk}/gatehouse`;
  const environment = [
    ["GATEHOUSE_WALLED_LISTEN", `0.0.0.0:${CONTAINER_WALLED_PORT}`],
    ["TZ", "[/system clock get time-zone-name]"],
  ] as const;
  const container = `file=${quoted(`${disk}/${file}`)} interface=gatehouse root-dir=${quoted(`${folder}/root`)} logging=yes start-on-boot=yes comment=gatehouse`;
  return [
    `# before: the package container, /system device-mode update container=yes, and ${file} on ${disk}`,
    ":if ([:len [/interface bridge find name=gatehouse-lan]] = 0) do={ /interface bridge add name=gatehouse-lan comment=gatehouse }",
    `:if ([:len [/ip address find interface=gatehouse-lan]] = 0) do={ /ip address add address=${router}/30 interface=gatehouse-lan comment=gatehouse } else={ /ip address set [find interface=gatehouse-lan comment=gatehouse] address=${router}/30 }`,
    `:if ([:len [/interface veth find name=gatehouse]] = 0) do={ /interface veth add name=gatehouse address=${address}/30 gateway=${router} comment=gatehouse } else={ /interface veth set [find name=gatehouse] address=${address}/30 gateway=${router} }`,
    ":if ([:len [/interface bridge port find interface=gatehouse]] = 0) do={ /interface bridge port add bridge=gatehouse-lan interface=gatehouse comment=gatehouse }",
    // mail goes by the router's uplink; routers see the container's address
    `:if ([:len [/interface list find name=WAN]] > 0 and [:len [/ip firewall nat find comment="gatehouse container"]] = 0) do={ /ip firewall nat add chain=srcnat action=masquerade src-address=${address} out-interface-list=WAN comment="gatehouse container" } else={ /ip firewall nat set [find comment="gatehouse container"] src-address=${address} }`,
    ":if ([:len [/container find comment=gatehouse]] > 0) do={ :do { /container stop [find comment=gatehouse] } on-error={ }; :delay 20s; /container remove [find comment=gatehouse]; :delay 10s }",
    // named since 7.21, as the list before
    either(
      "/container mounts remove [find list=gatehouse]",
      "/container mounts remove [find name=gatehouse]",
    ),
    eitherList(`/container mounts add`, `src=${quoted(`/${folder}/data`)} dst=/data`),
    ...(backups === undefined
      ? []
      : [
          either(
            `/container mounts add list=gatehouse src=${quoted(`/${backups}`)} dst=/backups`,
            `:do { /container mounts remove [find name=gatehouse-backups] } on-error={ }; /container mounts add name=gatehouse-backups src=${quoted(`/${backups}`)} dst=/backups`,
          ),
        ]),
    either("/container envs remove [find list=gatehouse]", "/container envs remove [find name=gatehouse]"),
    ...environment.map(([key, value]) => eitherList("/container envs add", `key=${key} value=${value}`)),
    // a disk's files are root's, who is nobody outside
    either(
      `/container add ${container} mountlists=gatehouse envlists=gatehouse user=0:0`,
      `/container add ${container} mounts=gatehouse${backups === undefined ? "" : ",gatehouse-backups"} envlist=gatehouse`,
    ),
    // unpacking takes minutes on a slow disk
    "{ :local up false; :for i from=1 to=120 do={ :if (!$up) do={ :delay 5s; :do { /container start [find comment=gatehouse]; :set up true } on-error={ } } } }",
    `# the first Admin's password is in first-password.txt of /data; then http://${address}:8080/console`,
  ];
}

function either(command: string, before: string): string {
  return `:do { [[:parse ${inQuotes(command)}]] } on-error={ [[:parse ${inQuotes(before)}]] }`;
}

function eitherList(command: string, properties: string): string {
  return either(`${command} list=gatehouse ${properties}`, `${command} name=gatehouse ${properties}`);
}

const inQuotes = (command: string) => `"${command.replace(/["\\$]/g, String.raw`\$&`)}"`;
