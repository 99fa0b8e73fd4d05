import { describe, expect, test } from "bun:test";
import { assert, integer, property, string } from "fast-check";
import { type DateOrder, OrderSeen, sourceTime } from "../../../../src/domain/machine/imports/dates.ts";

const utc = (iso: string) => Date.parse(iso) / 1000;

describe("a time of another system", () => {
  const END = utc("2026-01-31T23:59:59Z");
  const HALF = utc("2026-01-31T18:30:00Z");
  test.each<[string, number]>([
    ["2026-01-31", END],
    ["  2026-01-31 ", END],
    ["2026/1/31", END],
    ["2026-01-31 18:30", HALF],
    ["2026-01-31 18:30:00", HALF],
    ["2026-01-31T18:30:00", HALF],
    ["2026-01-31T18:30:00.000Z", HALF],
    ["2026-01-31T23:30:00+05:00", HALF],
    ["2026-01-31 13:30 -0500", HALF],
    ["2026-01-31 18:30:00 UTC", HALF],
    ["2026-01-31 24:00", END + 1],
    ["31/01/2026", END],
    ["31.01.2026", END],
    ["31.1.26 18:30", HALF],
    ["31-01-2026 18:30", HALF],
    ["31/01/2026 6:30 PM", HALF],
    ["31/01/2026, 06:30:00 p.m.", HALF],
    ["31 Jan 2026 18:30", HALF],
    ["31 Jan 2026 18:30:00", HALF],
    ["31 Jan 2026", END],
    ["31-Jan-26", END],
    ["Jan 31 2026", END],
    ["January 31, 2026 18:30:00", HALF],
    ["31st January 2026", END],
    ["31 ene 2026", END],
    ["31 de enero de 2026", END],
    ["31-janv.-2026", END],
    ["31. Januar 2026", END],
    ["31 января 2026", END],
    ["31 Ocak 2026", END],
    ["٣١/٠١/٢٠٢٦", END],
    ["20260131", END],
    ["20260131183000", HALF],
    ["46053", END],
    ["46053.770833333", HALF],
    ["46053,770833333", HALF],
    ["1769884200", HALF],
    ["1769884200000", HALF],
  ])("%s", (text, expected) => expect(sourceTime(text, "UTC")).toBe(expected));

  test.each([
    ..."-|0|1|never|null|N/A|0000-00-00|0000-00-00 00:00:00|2026-02-30|31/13/2026|32.01.2026|31 Foo 2026".split(
      "|",
    ),
    ...[
      "",
      "2026-01-31 25:00",
      "2026-01-31 13:00 PM",
      "2026-01-31 noon",
      "31/01-2026",
      "20261331",
      "123456789012345",
    ],
  ])("%p is none", (text) => expect(sourceTime(text, "UTC")).toBeUndefined());

  test("the month is first where the column says so, but never with dots or names", () => {
    expect(sourceTime("01/02/2026", "UTC", { order: "mdy" })).toBe(utc("2026-01-02T23:59:59Z"));
    expect(sourceTime("01/02/2026", "UTC")).toBe(utc("2026-02-01T23:59:59Z"));
    expect(sourceTime("01/31/2026", "UTC")).toBeUndefined();
    expect(sourceTime("01.02.2026", "UTC", { order: "mdy" })).toBe(utc("2026-02-01T23:59:59Z"));
    expect(sourceTime("2026-02-01", "UTC", { order: "mdy" })).toBe(utc("2026-02-01T23:59:59Z"));
  });

  test.each<[string, string, string]>([
    ["2026-01-31 23:59", "Asia/Karachi", "2026-01-31T18:59:00Z"],
    ["2026-01-31", "America/Bogota", "2026-02-01T04:59:59Z"],
    ["2026-03-29 02:30", "Europe/Berlin", "2026-03-29T01:30:00Z"], // the clock leaps from 2 to 3
    ["2026-10-25 02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"], // twice; the first
    ["2026-04-24", "Africa/Cairo", "2026-04-24T20:59:59Z"], // begins at one
    ["2011-12-30 12:00", "Pacific/Apia", "2011-12-30T22:00:00Z"], // a day that never was
    ["46053", "Asia/Kathmandu", "2026-01-31T18:14:59Z"],
  ])("%s in %s", (text, zone, expected) => expect(sourceTime(text, zone)).toBe(utc(expected)));

  test("a zone that there is none of is a mistake of who asks", () => {
    expect(() => sourceTime("2026-01-31", "Mars/Base")).toThrow();
  });

  test("whatever the text, it is a time or none", () => {
    assert(
      property(string({ unit: "binary", maxLength: 40 }), (text) => {
        const found = sourceTime(text, "Asia/Karachi");
        expect(found === undefined || Number.isSafeInteger(found)).toBe(true);
      }),
    );
  });

  test("what is written in one of the forms is read back", () => {
    const moment = integer({ min: utc("1990-01-01T00:00:00Z"), max: utc("2090-01-01T00:00:00Z") });
    assert(
      property(moment, (at) => {
        const [day = "", time = ""] = new Date(at * 1000).toISOString().slice(0, 19).split("T");
        const [y, m, d] = day.split("-");
        for (const written of [
          `${day} ${time}`,
          `${d}/${m}/${y} ${time}`,
          `${d}.${m}.${y} ${time}`,
          `${day}T${time}Z`,
        ])
          expect(sourceTime(written, "UTC")).toBe(at);
      }),
    );
  });
});

describe("whether the day or the month comes first", () => {
  const orderOf = (values: readonly string[]) => {
    const seen = new OrderSeen();
    for (const value of values) seen.add(value);
    return seen.found;
  };
  test.each<[string[], DateOrder, boolean]>([
    [["01/02/2026", "31/01/2026"], "dmy", true],
    [["01/02/2026", "01/31/2026 10:00"], "mdy", true],
    [["01/02/2026", "03/04/2026"], "dmy", false],
    [["13/01/2026", "01/13/2026", "01/14/2026"], "mdy", false],
    [["2026-01-02", "01.02.2026", "1 Jan 2026"], "dmy", false],
    [[], "dmy", false],
  ])("%j", (values, order, sure) => expect(orderOf(values)).toMatchObject({ order, sure }));

  test("says of how many values each is true", () => {
    const values = ["31/01/2026", "01/31/2026", "01/02/2026", "05-05-2026", "2026-01-02", "x"];
    expect(orderOf(values)).toMatchObject({ dmy: 1, mdy: 1, either: 1 });
  });
});
