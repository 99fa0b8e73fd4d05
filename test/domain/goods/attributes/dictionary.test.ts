import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type AttributeKind, definitions } from "../../../../src/domain/goods/attributes/dictionary.ts";

const dictionaries: readonly (readonly [vendor: number, files: readonly string[]])[] = [
  [
    0,
    [
      ...["rfc2865", "rfc2866", "rfc2868", "rfc2869", "rfc3162", "rfc3576", "rfc3580", "rfc4372", "rfc4675"],
      ...["rfc4818", "rfc4849", "rfc5176", "rfc6911"],
    ],
  ],
  [9, ["cisco"]],
  [2011, ["huawei"]],
  [4874, ["erx"]],
  [14_988, ["mikrotik"]],
  [311, ["microsoft"]],
  [14_122, ["wispr"]],
];
const kinds: Readonly<Record<string, AttributeKind>> = {
  string: "text",
  integer: "int",
  date: "int",
  ipaddr: "ip",
  ipv6addr: "ip6",
  ipv6prefix: "prefix",
  octets: "bytes",
  ifid: "ifid",
};
/** It begins with a byte that is no text (RFC 2548 section 2.1.5). */
const OTHER_KIND = new Set(["MS-CHAP-Error"]);

interface Known {
  readonly type: number;
  readonly kind: AttributeKind | undefined;
  readonly flags: string;
  readonly values: Map<string, number>;
}

function readDictionary(files: readonly string[]): Map<string, Known> {
  const known = new Map<string, Known>();
  const lines = files.flatMap((file) =>
    readFileSync(`/usr/share/freeradius/dictionary.${file}`, "utf8").split("\n"),
  );
  for (const line of lines) {
    const [what, name = "", third = "", fourth = "", ...rest] = line.replace(/#.*/, "").trim().split(/\s+/);
    const kind = kinds[fourth.replace(/\[\d+\]$/, "")];
    if (what === "ATTRIBUTE")
      known.set(name, { type: Number(third), kind, flags: rest.join(" "), values: new Map() });
    if (what === "VALUE") known.get(name)?.values.set(third, Number(fourth));
  }
  return known;
}

test.each([...dictionaries])(
  "numbers, kinds and values of vendor %p are those of FreeRADIUS",
  (vendor, files) => {
    const known = readDictionary(files);
    const own = definitions.filter((one) => one.vendor === vendor);
    expect(own.length).toBeGreaterThan(10);
    for (const { name, type, kind, isTagged, isSecret, values } of own) {
      const theirs = known.get(name);
      expect([name, theirs?.type]).toEqual([name, type]);
      if (!OTHER_KIND.has(name)) expect([name, theirs?.kind]).toEqual([name, kind]);
      expect([name, theirs?.flags.includes("has_tag")]).toEqual([name, isTagged]);
      expect([name, theirs?.flags.includes("encrypt")]).toEqual([name, isSecret]);
      for (const [value, number] of Object.entries(values))
        if (theirs?.values.has(value))
          expect([name, value, theirs.values.get(value)]).toEqual([name, value, number]);
    }
  },
);

test("no two attributes have one name or one number", () => {
  const names = definitions.map(({ name }) => name.toLowerCase());
  const numbers = definitions.map(({ vendor, type }) => `${vendor}.${type}`);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(numbers).size).toBe(numbers.length);
});
