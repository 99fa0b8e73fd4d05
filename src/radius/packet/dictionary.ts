import {
  type AttributeKind,
  type Definition,
  definitions,
} from "../../domain/goods/attributes/dictionary.ts";
import { Vendor } from "./numbers.ts";

/** RFCs that npm `radius` does not ship. */
const LATER = new Set(["RFC 4675", "RFC 6911"]);

const types: Readonly<Record<AttributeKind, string>> = {
  text: "string",
  int: "integer",
  ip: "ipaddr",
  ip6: "ipv6addr",
  prefix: "ipv6prefix",
  ifid: "octets",
  bytes: "octets",
};

/** Attributes that npm `radius` does not ship, in the format of its dictionaries. */
export const ownDictionary = [
  ...definitions.filter(({ vendor, source }) => vendor === 0 && LATER.has(source)).map(line),
  ...Object.entries(Vendor).flatMap(ofVendor),
].join("\n");

function ofVendor([name, vendor]: [string, number]): string[] {
  const own = definitions.filter((one) => one.vendor === vendor).map(line);
  return [`VENDOR ${name} ${vendor}`, `BEGIN-VENDOR ${name}`].concat(own, `END-VENDOR ${name}`);
}

function line({ name, type, kind, isTagged, isSecret }: Definition): string {
  const flags = [...(isTagged ? ["has_tag"] : []), ...(isSecret ? ["encrypt=2"] : [])];
  return `ATTRIBUTE ${name} ${type} ${types[kind]} ${flags.join(",")}`;
}
