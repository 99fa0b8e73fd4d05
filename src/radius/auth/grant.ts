import {
  type ReplyOptions,
  grantAttributes,
  type GrantAttribute,
} from "../../domain/service/access/grant-attributes.ts";
import type { Grant } from "../../domain/service/access/decide.ts";
import { Attribute, Mikrotik, Vendor } from "../packet/numbers.ts";
import { encodePrefix } from "../packet/prefix.ts";
import type { PacketWriter } from "../packet/writer.ts";

/**
 * What a reply drops when the proxy's Proxy-States, which it has to echo, leave too little room: first tuning and messages,
 * then IPv6 and MS-CHAP-Error. Limits of a subscriber are never dropped.
 */
export const Spared = { nothing: 0, comfort: 1, most: 2 } as const;

const sparedFrom: Readonly<Record<string, number | undefined>> = {
  "Idle-Timeout": Spared.comfort,
  "Acct-Interim-Interval": Spared.comfort,
  "Framed-IPv6-Prefix": Spared.most,
  "Framed-IPv6-Pool": Spared.most,
  "Delegated-IPv6-Prefix": Spared.most,
  "Mikrotik-Delegated-IPv6-Pool": Spared.most,
  "Delegated-IPv6-Prefix-Pool": Spared.most,
  "Huawei-Delegated-IPv6-Prefix-Pool": Spared.most,
  "ERX-IPv6-Delegated-Pool-Name": Spared.most,
};

export function writeGrant(reply: PacketWriter, grant: Grant, options: ReplyOptions, spared: number): void {
  for (const attribute of grantAttributes(grant, options))
    if (spared === Spared.nothing || spared < (sparedFrom[attribute.name] ?? Infinity))
      write(reply, attribute);
}

function write(reply: PacketWriter, attribute: GrantAttribute): void {
  if (attribute.kind === "encoded") {
    reply.encoded(attribute.bytes);
    return;
  }
  const { kind, name, value } = attribute;
  if (kind === "mikrotik text") reply.vendorText(Vendor.Mikrotik, Mikrotik[name], value);
  else if (kind === "mikrotik integer") reply.vendorInteger(Vendor.Mikrotik, Mikrotik[name], value);
  else if (kind === "text") reply.text(Attribute[name], value);
  else if (kind === "integer") reply.integer(Attribute[name], value);
  else if (kind === "ipv4") reply.ipv4(Attribute[name], value);
  else reply.attribute(Attribute[name], encodePrefix(value));
}
