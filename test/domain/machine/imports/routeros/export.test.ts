import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { readExport } from "../../../../../src/domain/machine/imports/sources/routeros/export.ts";
import { MovingRefused } from "../../../../../src/domain/machine/imports/source.ts";
import {
  parseBits,
  parseBytes,
  parseRateLimit,
  parseSeconds,
  quoted,
} from "../../../../../src/domain/machine/imports/sources/routeros/values.ts";

const read = (text: string) => readExport(Buffer.from(text, "latin1"), "router.rsc");
const valuesOf = (text: string) => read(text).items.map(({ values }) => Object.fromEntries(values));

test("lines are continued after a blank, after an equals sign, and in the middle of what is quoted", () => {
  const { version, items } = read(
    [
      "# 2026-11-22 10:00:00 by RouterOS 7.16.1",
      "# software id = ABCD-1234",
      "/ppp secret",
      'add comment="Ahmed Sid\\',
      '    diqui, house\\_5" name=asiddiqui password=\\',
      '    "p w\\"1\\\\\\$" \\',
      "    profile=home-10 service=pppoe",
      "add name=sam password=x",
    ].join("\r\n"),
  );
  expect(version).toBe("7.16.1");
  expect(items.map(({ menu, command, at }) => [menu, command, at.line])).toEqual([
    ["ppp secret", "add", 4],
    ["ppp secret", "add", 8],
  ]);
  expect(Object.fromEntries(items[0]?.values ?? [])).toEqual({
    comment: "Ahmed Siddiqui, house 5",
    name: "asiddiqui",
    password: 'p w"1\\$',
    profile: "home-10",
    service: "pppoe",
  });
});

test("terse and verbose exports, sets by number and by find, and what is no command", () => {
  const { items } = read(
    [
      "/ppp profile set *0 rate-limit=1M/1M",
      "/ip hotspot user profile",
      'set [ find default=yes name="a b" ] shared-users=2',
      "/ppp secret add !caller-id disabled=no name=sam password=x",
      ":global done",
      "/system identity",
      "set name=Market-4",
    ].join("\n"),
  );
  expect(items.map(({ menu, command, item }) => [menu, command, item])).toEqual([
    ["ppp profile", "set", "*0"],
    ["ip hotspot user profile", "set", '[ find default=yes name="a b" ]'],
    ["ppp secret", "add", "!caller-id"],
    ["system identity", "set", ""],
  ]);
});

test("bytes are UTF-8 where they are, else Windows-1252", () => {
  expect(valuesOf('/ppp secret\nadd comment="Jos\\C3\\A9" name="\\D8\\A7"')).toEqual([
    { comment: "José", name: "ا" },
  ]);
  expect(valuesOf('/ppp secret\nadd comment="Jos\\E9" name=\u00c3\u00a9')).toEqual([
    { comment: "José", name: "é" },
  ]);
});

/** As the router prints: quoted where it has to be, lines of 80 characters. */
function printed(values: Readonly<Record<string, string>>): string {
  const words = Object.entries(values).map(
    ([name, value]) => `${name}=${/^[\w.:/-]+$/.test(value) ? value : escaped(value)}`,
  );
  const lines: string[] = [];
  let line = "add";
  for (const word of words) {
    line += " ";
    for (const char of units(word)) {
      if (line.length + char.length >= 79) {
        lines.push(`${line}\\`);
        line = "    ";
      }
      line += char;
    }
  }
  return [...lines, line].join("\r\n");
}

/** What is never divided: an escape. A blank that begins a line would be taken for its indentation. */
function units(word: string): string[] {
  return word.match(/\\[0-9A-F]{2}|\\.|[^\\]/gs) ?? [];
}

function escaped(value: string): string {
  const bytes = [...Buffer.from(value)];
  const each = bytes.map((byte) => {
    const char = String.fromCharCode(byte);
    if (byte === 0x20) return "\\_";
    if ('"\\$?'.includes(char)) return `\\${char}`;
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(16).toUpperCase().padStart(2, "0")}` : char;
  });
  return `"${each.join("")}"`;
}

test("whatever a router holds comes back from what it prints", () => {
  const value = fc.string({ unit: "grapheme", maxLength: 120 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: value, password: value, comment: value }), { maxLength: 5 }),
      (rows) => {
        const text = ["# by RouterOS 7.16", "/ppp secret", ...rows.map(printed)].join("\r\n");
        expect(valuesOf(text)).toEqual(rows);
      },
    ),
  );
});

test("text in a command that we print is what the router reads", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\x20-\x7e\r\n]{0,40}$/), (text) => {
      expect(valuesOf(`/ppp secret\nadd name=${quoted(text)}`)).toEqual([{ name: text }]);
    }),
  );
});

test.each([
  ["nothing", "", "is no export of a router"],
  ["a page", "<!doctype html><html><body>404 Not Found</body></html>", "is no export of a router"],
  ["a backup", "\u0088\u00ac\u00a1\u00b1\0\0\0\u0001", "is no text; a .backup file cannot be read"],
  [
    "one cut off in a value",
    '/ppp secret\nadd name=a\nadd name="b',
    "ends in the middle of the command at line 3",
  ],
  [
    "one cut off after a backslash",
    "/ppp secret\nadd name=a \\\n",
    "ends in the middle of the command at line 2",
  ],
  ["Windows' own encoding", "\u00ff\u00fe/\0p\0p\0p\0", "is in UTF-16"],
])("%s is refused in words", (_, text, words) => {
  expect(() => read(text)).toThrow(words);
});

test("a changed export is read or refused, and nothing else", () => {
  const whole = [
    "# 2026-11-22 10:00:00 by RouterOS 7.16.1",
    "/ppp secret",
    printed({ name: "sam", password: 'a "b" \\ c', comment: "José, house 5".repeat(9) }),
    "/ip hotspot user profile",
    'set [ find default=yes ] on-login="{ :put \\"x\\" }" shared-users=2',
  ].join("\n");
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(40), fc.string({ maxLength: 5 }), (at, cut, put) => {
      try {
        read(whole.slice(0, at) + put + whole.slice(at + cut));
      } catch (error) {
        expect(error).toBeInstanceOf(MovingRefused);
      }
    }),
  );
});

test("names of values that objects have are values like others", () => {
  expect([...(read("/ppp secret\nadd __proto__=1 constructor=2 name=a").items[0]?.values ?? [])]).toEqual([
    ["__proto__", "1"],
    ["constructor", "2"],
    ["name", "a"],
  ]);
});

test("durations, sizes and rates", () => {
  expect(
    ["4w2d", "1d02:30:00", "00:30:00", "90", "1d", "0s", "unlimited", "none", ""].map(parseSeconds),
  ).toEqual([...[2_592_000, 95_400, 1800, 90, 86_400, 0], ...[undefined, undefined, undefined]]);
  expect(["5368709120", "5368709120B", "5G", "1.5GiB", "0", "0B", "many"].map(parseBytes)).toEqual([
    ...[5_368_709_120, 5_368_709_120, 5_368_709_120, 1_610_612_736],
    ...[undefined, undefined, undefined],
  ]);
  expect(["10000000B", "1500k", "1.5M", "1G", "512", "0"].map(parseBits)).toEqual([
    "10M",
    "1500k",
    "1500k",
    "1000M",
    "512",
    undefined,
  ]);
  expect(parseRateLimit("10m/20m 20M/40M 8M/16M 16/12 8 1M/2M")).toBe("10M/20M 20M/40M 8M/16M 16/12 8 1M/2M");
  expect(parseRateLimit("")).toBeNull();
});
