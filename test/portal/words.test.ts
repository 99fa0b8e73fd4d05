import { expect, test } from "bun:test";
import { assert, integer, property, string } from "fast-check";
import { contrastOf, makePalette } from "../../src/http/pages/colors.ts";
import { Format } from "../../src/http/pages/format.ts";
import { chooseFrom, chooseLanguage } from "../../src/http/words/languages.ts";

const known: [{ tag: string }, { tag: string }, { tag: string }] = [
  { tag: "en" },
  { tag: "ar" },
  { tag: "pt" },
];

test.each([
  [null, "en", "en"],
  ["", "en", "en"],
  ["pt-BR,pt;q=0.9,en;q=0.8", "pt", "pt-BR"],
  ["en;q=0.3, ar-EG ; q=0.7", "ar", "ar-EG"],
  ["de, fr;q=0.5", "en", "en"],
  ["ar;q=0, en-GB", "en", "en-GB"],
  ["PT", "pt", "PT"],
  ["*, en_US; pt-" + "x".repeat(500), "en", "en"],
])("a browser that asks for %j reads %s", (header, tag, locale) => {
  expect(chooseFrom(known, header)).toEqual({ language: { tag }, locale });
});

test("no header breaks a page", () => {
  assert(
    property(string(), (header) => {
      expect(() => new Format(chooseLanguage(header).locale).money(100, "USD")).not.toThrow();
    }),
  );
});

test("whatever the ISP's colour, text on it and text in it can be read", () => {
  const channel = integer({ min: 0, max: 255 });
  assert(
    property(channel, channel, channel, (red, green, blue) => {
      const color = `#${[red, green, blue].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
      const { solid, solid2, onSolid, accentLight, accentDark } = makePalette(color);
      expect(solid).toBe(color);
      expect(contrastOf(onSolid, solid)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(onSolid, solid2)).toBeGreaterThanOrEqual(4.5);
      for (const surface of ["#f3f5f8", "#ffffff"])
        expect(contrastOf(accentLight, surface)).toBeGreaterThanOrEqual(4.5);
      for (const surface of ["#0e1218", "#191f29", "#212732"])
        expect(contrastOf(accentDark, surface)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

const format = new Format("en");

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1000, "1 kB"],
  [1_234_567, "1.23 MB"],
  [84_200_000_000, "84.2 GB"],
  [117_400_000_000, "117 GB"],
  [2e21, "2,000,000 PB"],
])("%d octets are %s", (octets, text) => {
  expect(format.bytes(octets)).toBe(text);
});

test.each([
  [1500, "USD", "$15.00"],
  [-4550, "USD", "-$45.50"],
  [150_000, "JPY", "¥1,500"],
  [1234, "KWD", "KWD 12.34"],
])("%d minor units of %s are %s", (minor, currency, text) => {
  expect(format.money(minor, currency).replaceAll("\u00a0", " ")).toBe(text);
});

test.each([
  ["10M/20M", { down: "20 Mbit/s", up: "10 Mbit/s" }],
  ["512k/2M 1M/4M", { down: "2 Mbit/s", up: "512 kbit/s" }],
  ["1G", { down: "1 Gbit/s", up: "1 Gbit/s" }],
  ["fast", undefined],
  [null, undefined],
])("the rate limit %j", (rateLimit, speed) => {
  expect(format.speed(rateLimit)).toEqual(speed);
});

test.each([
  [5, "5s"],
  [3600, "1h"],
  [7500, "2h 5m"],
  [90_061, "1d 1h"],
])("%d seconds last %s", (seconds, text) => {
  expect(format.duration(seconds)).toBe(text);
});
