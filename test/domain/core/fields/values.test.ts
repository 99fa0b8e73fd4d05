import { afterEach, describe, expect, test } from "bun:test";
import { faultTexts } from "../../../../src/domain/core/errors/errors.ts";
import {
  addressOrCidr,
  amount,
  coordinate,
  email,
  type Field,
  flag,
  from,
  id,
  ipv4,
  ipv6Prefix,
  mac,
  readFields,
  RepeatedField,
  text,
  time,
  to,
  username,
  wholeNumber,
} from "../../../../src/domain/core/fields/fields.ts";
import {
  addAmounts,
  formatAmount,
  MAX_AMOUNT,
  parseAmount,
  formatMinor,
} from "../../../../src/domain/core/amounts/money.ts";
import { fold, parseStationMac } from "../../../../src/domain/core/fields/text.ts";
import { addDuration, formatTime, localDay, parseTime } from "../../../../src/domain/core/time/time.ts";

const zone = process.env["TZ"];
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

describe("fields", () => {
  const cases: [name: string, field: Field<unknown>, good: [unknown, unknown][], bad: unknown[]][] = [
    [
      "id",
      id,
      [
        [7, 7],
        ["7", 7],
        ["0012", 12],
      ],
      [0, -1, 1.5, "1e3", "0x10", " 7", "7 ", "9007199254740993", true, {}, [], "1".repeat(17), Number.NaN],
    ],
    [
      "whole number",
      wholeNumber(0, 5),
      [
        ["0", 0],
        [5, 5],
      ],
      [6, "-1", "05.0"],
    ],
    [
      "flag",
      flag,
      [
        [0, 0],
        ["1", 1],
      ],
      [true, false, "yes", 2, "01"],
    ],
    [
      "text",
      text(3),
      [
        ["abc", "abc"],
        ["ñ€😀", "ñ€😀"],
        [42, "42"],
      ],
      ["abcd", "a\0", "a\n", "\ud800", "\x7f"],
    ],
    ["lines", text(9, { lines: true }), [["a\r\n\tb", "a\n\tb"]], ["a\0", "\x1b[2J"]],
    [
      "username",
      username,
      [
        ["sam", "sam"],
        ["Łukasz@isp", "Łukasz@isp"],
      ],
      [" sam", "sam ", "s\tm", "x".repeat(65), "😀".repeat(64)],
    ],
    ["e-mail", email, [["a@b", "a@b"]], ["a", "@", "a b@c", "a@b@c d", "@b"]],
    [
      "mac",
      mac,
      [
        ["aabb.ccdd.eeff", "AA:BB:CC:DD:EE:FF"],
        ["aa-bb-cc-dd-ee-ff", "AA:BB:CC:DD:EE:FF"],
        ["AABBCCDDEEFF", "AA:BB:CC:DD:EE:FF"],
      ],
      ["aa:bb-cc:dd:ee:ff", "aabbccddeef", "gg:bb:cc:dd:ee:ff"],
    ],
    ["ipv4", ipv4, [["10.0.0.7", "10.0.0.7"]], ["10.0.0", "256.0.0.1", "10.0.0.7/32", "::1", "0x7f.0.0.1"]],
    [
      "ipv6 prefix",
      ipv6Prefix,
      [
        ["2001:DB8:0:0::/64", "2001:db8::/64"],
        ["2001:db8::1/48", "2001:db8::/48"],
      ],
      ["2001:db8::", "10.0.0.0/8", "::/129"],
    ],
    [
      "address or CIDR",
      addressOrCidr,
      [
        ["10.0.0.1", "10.0.0.1"],
        ["10.0.0.9/24", "10.0.0.0/24"],
        ["::ffff:10.0.0.1", "10.0.0.1"],
        ["2001:db8::1", "2001:db8::1"],
      ],
      ["router", "10.0.0.0/33", "1"],
    ],
    [
      "amount",
      amount,
      [
        ["15", 1500],
        ["15.5", 1550],
        [15.25, 1525],
        ["-0.01", -1],
        [0, 0],
      ],
      ["1.234", "1,5", "1e3", "", Number.POSITIVE_INFINITY, 1.005],
    ],
    [
      "coordinate",
      coordinate(90),
      [
        ["-89.5", -89.5],
        [0, 0],
      ],
      ["90.1", 91, "1e1", "north"],
    ],
    [
      "time",
      time,
      [["2030-01-31 23:59:59", parseTime("2030-01-31 23:59:59")]],
      ["2030-02-30 00:00:00", "2030-01-31", "2030-01-31T00:00:00", 5],
    ],
  ];
  test.each(cases)("%s", (_name, field, good, bad) => {
    for (const [value, read] of good) expect([value, field.read(value)]).toEqual([value, read]);
    for (const value of bad) expect([value, field.read(value)]).toEqual([value, undefined]);
  });

  test("every fault is reported at once, and absent, empty and repeated fields are told apart", () => {
    const fields = { a: id, b: text(5), c: flag, d: id };
    const faults = {};
    const values = readFields(fields, { a: "x", b: "", c: new RepeatedField(["0", "1"]) }, faults, {
      required: ["a", "d"],
    });
    expect(values).toEqual({ b: null });
    expect(faultTexts(faults)).toEqual({
      a: [id.message.toString()],
      c: ["was sent more than once"],
      d: ["is required"],
    });
    const partial = {};
    expect(readFields(fields, { a: "" }, partial, { required: ["a", "d"], partial: true })).toEqual({});
    expect(faultTexts(partial)).toEqual({ a: ["must not be empty"] });
    expect(readFields(fields, Object.create({ a: 1 }), {}, {})).toEqual({});
  });
});

describe("money", () => {
  test("is integer minor units inside, and a number or text with two decimals outside", () => {
    expect([parseAmount("0.1"), parseAmount(0.29), parseAmount("19.99"), parseAmount("-3")]).toEqual([
      10, 29, 1999, -300,
    ]);
    // a sum of floats is what it was meant to be; more than that it is not
    expect([0.1 + 0.2, 1.1 * 3, 9_999_999_999.99, 10.004, 0.301, 1e-9].map(parseAmount)).toEqual([
      30,
      330,
      999_999_999_999,
      undefined,
      undefined,
      0,
    ]);
    expect(parseAmount("0.30000000000000004")).toBeUndefined();
    expect([formatMinor(1999), formatMinor(-5), formatMinor(1500)]).toEqual([19.99, -0.05, 15]);
    expect([formatAmount(5), formatAmount(-5), formatAmount(-123456), formatAmount(0)]).toEqual([
      "0.05",
      "-0.05",
      "-1234.56",
      "0.00",
    ]);
  });

  test("never leaves the range that is exact", () => {
    expect(addAmounts(MAX_AMOUNT - 1, 1)).toBe(MAX_AMOUNT);
    expect(() => addAmounts(MAX_AMOUNT, 1)).toThrow(/past what can be booked/);
  });
});

describe("time", () => {
  test.each([
    ["2030-01-31 10:00:00", 1, "month", "2030-02-28 10:00:00"],
    ["2028-01-31 10:00:00", 1, "month", "2028-02-29 10:00:00"],
    ["2030-01-31 10:00:00", 13, "month", "2031-02-28 10:00:00"],
    ["2030-03-30 02:30:00", 1, "day", "2030-03-31 03:30:00"],
    ["2030-03-30 12:00:00", 1, "day", "2030-03-31 12:00:00"],
    ["2030-03-31 01:30:00", 1, "hour", "2030-03-31 03:30:00"],
  ] as const)("%s and %d %s in Warsaw is %s", (from, count, unit, end) => {
    process.env["TZ"] = "Europe/Warsaw";
    expect(formatTime(addDuration(parseTime(from) ?? 0, { count, unit }).end)).toBe(end);
  });

  test("days and times are those of the server's zone", () => {
    process.env["TZ"] = "Pacific/Auckland";
    const noon = Date.UTC(2030, 0, 15, 12) / 1000;
    expect([localDay(noon), formatTime(noon), parseTime("2030-01-16 01:00:00")]).toEqual([
      20300116,
      "2030-01-16 01:00:00",
      noon,
    ]);
  });
});

test("names compare without case and by what they look like", () => {
  expect(fold("ŁUKASZ")).toBe(fold("łukasz"));
  expect(fold("Jose\u0301")).toBe(fold("José"));
});

test("a station's MAC address is found in the forms that routers send", () => {
  const forms = ["00:50:56:25:8B:97", "1:0:50:56:25:8b:97", "0050.5625.8b97", "00-50-56-25-8B-97"];
  for (const form of forms) expect([form, parseStationMac(form)]).toEqual([form, "00:50:56:25:8B:97"]);
  for (const form of ["", "10.0.0.1", "+48 600", "1:2:3", "00:50:56:25:8B:97:01:02"])
    expect(parseStationMac(form)).toBeUndefined();
});

describe("the ends of a range", () => {
  const at = Date.UTC(2030, 0, 31, 10) / 1000;

  test.each<[text: string, from: number, to: number]>([
    ["2030-01-31T10:00:00Z", at, at],
    ["2030-01-31T12:00:00+02:00", at, at],
    ["2030-01-31T04:30:00-05:30", at, at],
    ["2030-01-31T12:00:00 02:00", at, at], // a + of a query that was not escaped
    ["2030-01-31T10:00:00.250Z", at + 1, at],
    ["2030-01-31T10:00:00.000Z", at, at],
  ])("%s, wherever the server stands", (text, begin, end) => {
    process.env["TZ"] = "Asia/Kathmandu";
    expect([from.read(text), to.read(text)]).toEqual([begin, end]);
  });

  test.each([
    "2030-01-31T10:00:00",
    "2030-02-30T10:00:00Z",
    "2030-01-31T25:00:00Z",
    "2030-01-31T10:00:00+25:00",
    "2030-01-31T10:00Z",
    "2030-01-31 10:00:00Z",
    "2030-01-31t10:00:00z",
  ])("not %s", (text) => {
    expect([from.read(text), to.read(text)]).toEqual([undefined, undefined]);
  });
});
