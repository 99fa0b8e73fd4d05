import { standardAttributes } from "./standard.ts";
import type { AttributeTable } from "./table.ts";
import { vendorAttributes } from "./vendors.ts";

/** Named values (RFC 2865, 2868, 3580, 4675; IANA). */
const valueNames: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "Service-Type": {
    "Login-User": 1,
    "Framed-User": 2,
    "Callback-Login-User": 3,
    "Callback-Framed-User": 4,
    "Outbound-User": 5,
    "Administrative-User": 6,
    "NAS-Prompt-User": 7,
    "Authenticate-Only": 8,
    "Callback-NAS-Prompt": 9,
    "Call-Check": 10,
    "Callback-Administrative": 11,
  },
  "Framed-Protocol": { PPP: 1, SLIP: 2 },
  "Framed-Routing": { None: 0, Broadcast: 1, Listen: 2, "Broadcast-Listen": 3 },
  "Framed-Compression": { None: 0, "Van-Jacobson-TCP-IP": 1, "Stac-LZS": 3 },
  "Termination-Action": { Default: 0, "RADIUS-Request": 1 },
  "Tunnel-Type": { PPTP: 1, L2F: 2, L2TP: 3, ESP: 9, GRE: 10, VLAN: 13 },
  "Tunnel-Medium-Type": { IPv4: 1, IPv6: 2, "IEEE-802": 6 },
  "Ingress-Filters": { Enabled: 1, Disabled: 2 },
};

const attributeKinds = ["text", "int", "ip", "ip6", "prefix", "ifid", "bytes"] as const;
export type AttributeKind = (typeof attributeKinds)[number];

export interface Definition {
  readonly vendor: number;
  readonly type: number;
  readonly name: string;
  readonly kind: AttributeKind;
  readonly isTagged: boolean;
  readonly isSecret: boolean;
  readonly values: Readonly<Record<string, number>>;
  readonly source: string;
}

function parseDefinitions({ source, vendor, attributes }: AttributeTable): Definition[] {
  return attributes.split(",").map((entry) => {
    const [type, name = "", ...rest] = entry.trim().split(" ");
    const kind = attributeKinds.find((one) => rest.includes(one)) ?? "text";
    return {
      vendor,
      type: Number(type),
      name,
      kind,
      source,
      isTagged: rest.includes("tag"),
      isSecret: rest.includes("secret"),
      values: valueNames[name] ?? {},
    };
  });
}

export const definitions: readonly Definition[] = [...standardAttributes, ...vendorAttributes].flatMap(
  parseDefinitions,
);

const byName = new Map(definitions.map((one) => [one.name.toLowerCase(), one]));

export function definitionNamed(name: string): Definition | undefined {
  return byName.get(name.toLowerCase());
}
