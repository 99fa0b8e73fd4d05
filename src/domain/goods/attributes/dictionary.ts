import { standardAttributes } from "./standard.ts";
import type { AttributeTable } from "./table.ts";
import { valueNames } from "./value-names.ts";
import { vendorAttributes } from "./vendors.ts";

export const attributeKinds = ["text", "int", "ip", "ip6", "prefix", "ifid", "bytes"] as const;
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

function definitionsOf({ source, vendor, attributes }: AttributeTable): Definition[] {
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
  definitionsOf,
);

const byName = new Map(definitions.map((one) => [one.name.toLowerCase(), one]));

export function definitionNamed(name: string): Definition | undefined {
  return byName.get(name.toLowerCase());
}
