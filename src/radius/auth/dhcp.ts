import type { Line } from "../../domain/service/access/leases.ts";
import { lineIdText } from "../../domain/goods/subscribers/line-id.ts";
import { parseMac, parseStationMac } from "../../domain/core/fields/text.ts";
import { Attribute, Redback, Vendor } from "../packet/numbers.ts";
import { has, integer, type Packet, text, vendorValue } from "../packet/packet.ts";

/** A DHCP server's request: the device and its line. */
export interface Dhcp extends Line {
  readonly mac: string | undefined;
  /** Whether it is DHCPv6, known by a DUID, the attributes asked for, or a PPP interface. */
  readonly isPrefix: boolean;
  /** The name of the PPP session whose interface it came from. */
  readonly interfaceName: string | undefined;
}

const ETHERNET = 15;

/** Reads a DHCP request of RouterOS; undefined for PPP, hotspot, or without a device. */
export function readDhcp(packet: Packet): Dhcp | undefined {
  if (integer(packet, Attribute["NAS-Port-Type"]) !== ETHERNET) return undefined;
  if (has(packet, Attribute["Service-Type"]) || has(packet, Attribute["Framed-Protocol"])) return undefined;
  const name = text(packet, Attribute["User-Name"]) ?? "";
  const station = text(packet, Attribute["Calling-Station-Id"]) ?? "";
  const circuit = vendorValue(packet, Vendor.Redback, Redback["Agent-Circuit-Id"]);
  const remote = vendorValue(packet, Vendor.Redback, Redback["Agent-Remote-Id"]);
  const duid = readDuid(name) ?? readDuid(station);
  const mac = parseMac(name) ?? duid?.mac ?? parseStationMac(station);
  if (!duid && !circuit && !remote && parseMac(name) === undefined) return undefined;
  const interfaceName = pppName(packet);
  const asksPrefix =
    has(packet, Attribute["Delegated-IPv6-Prefix"]) || has(packet, Attribute["Framed-IPv6-Prefix"]);
  return {
    mac,
    circuitId: circuit && circuit.length > 0 ? lineIdText(circuit) : null,
    remoteId: remote && remote.length > 0 ? lineIdText(remote) : null,
    isPrefix:
      duid !== undefined ||
      interfaceName !== undefined ||
      (asksPrefix && !has(packet, Attribute["Framed-IP-Address"])),
    interfaceName,
  };
}

/** A DUID (RFC 8415 section 11) in hexadecimal: link-layer types contain the MAC address. Text as long as a MAC address is one. */
export function readDuid(text: string): { readonly mac: string | undefined } | undefined {
  const hex = text.replace(/^0x/i, "").replace(/[:-]/g, "").toLowerCase();
  if (!/^000[1-4][0-9a-f]{8,256}$/.test(hex) || hex.length % 2 === 1 || hex.length <= 12) return undefined;
  const isAddress =
    (hex.startsWith("00010001") && hex.length === 28) || (hex.startsWith("00030001") && hex.length === 20);
  return { mac: isAddress ? parseMac(hex.slice(-12)) : undefined };
}

/** RouterOS names a session's interface `<pppoe-NAME>`, and its dynamic DHCP server too. */
function pppName(packet: Packet): string | undefined {
  for (const type of [Attribute["NAS-Port-Id"], Attribute["Called-Station-Id"]]) {
    const name = /^<(?:pppoe|pptp|l2tp|sstp|ovpn)-(.+)>$/.exec(text(packet, type) ?? "")?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}
