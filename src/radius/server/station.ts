import { parseMac, parseStationMac } from "../../domain/core/fields/text.ts";
import { Attribute, Cisco, Erx, Huawei, Vendor } from "../packet/numbers.ts";
import { type Packet, text, utf8, vendorValues } from "../packet/packet.ts";

export interface Station {
  readonly station: string | undefined;
  readonly mac: string | undefined;
}

/** The device by Calling-Station-Id, or by vendor attributes when that is no MAC address. */
export function readStation(packet: Packet): Station {
  const station = text(packet, Attribute["Calling-Station-Id"]);
  const mac = station === undefined ? undefined : parseStationMac(station);
  return { station, mac: mac ?? vendorMac(packet) };
}

const CISCO_MAC = /^client-mac-address=(.+)$/;
/** `pppoe 00:90:1a:42:52:14` */
const ERX_DESCRIPTION = /^pppoe (\S+)$/i;

function vendorMac(packet: Packet): string | undefined {
  return (
    firstMac(vendorValues(packet, Vendor.Cisco, Cisco["Cisco-AVPair"]), CISCO_MAC) ??
    firstMac(vendorValues(packet, Vendor.ERX, Erx["ERX-Dhcp-Mac-Addr"])) ??
    firstMac(vendorValues(packet, Vendor.ERX, Erx["ERX-Pppoe-Description"]), ERX_DESCRIPTION) ??
    firstMac(vendorValues(packet, Vendor.Huawei, Huawei["Huawei-User-Mac"]))
  );
}

function firstMac(values: readonly Buffer[], within?: RegExp): string | undefined {
  for (const value of values) {
    const words = utf8(value);
    const mac = within ? within.exec(words ?? "")?.[1] : words;
    const read = mac === undefined ? undefined : parseMac(mac);
    if (read !== undefined) return read;
  }
  return undefined;
}
