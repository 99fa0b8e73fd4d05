import { expect, test } from "bun:test";
import { parsePrice } from "../../../../../src/domain/machine/imports/sources/prices.ts";
import { formatRate, readRateText } from "../../../../../src/domain/machine/imports/rates.ts";

test.each([
  ["15", "15.00"],
  ["15.5", "15.50"],
  ["15,50", "15.50"],
  ["1,500.00", "1500.00"],
  ["1.500,00", "1500.00"],
  ["Rp 1.500.000", "1500000.00"],
  ["150000", "150000.00"],
  ["$ 20 /mo", "20.00"],
  ["0", "0.00"],
  ["7,250", null],
  ["7.250", null],
  ["-5", null],
  ["free", null],
  ["", null],
  ["1 500", "1500.00"],
])("the price %p is %p", (text, expected) => expect(parsePrice(text)).toBe(expected));

test.each([
  ["10M/10M", "10M/10M"],
  ["512K/2m", "512k/2M"],
  ["1.5M/3M", "1500k/3M"],
  ["1G", "1000M"],
  ["10M / 20M", "10M/20M"],
  ["2000000/10000000", "2M/10M"],
  ["2M/10M 4M/20M 1M/5M 16s/12s 8 1M/2M", "2M/10M 4M/20M 1M/5M 16/12 8 1M/2M"],
  ["10 Mbps/5 Mbps", undefined],
  ["10Mbps/5Mbps", "10M/5M"],
  ["fast", undefined],
  ["", undefined],
])("the rate %p is %p", (text, expected) => expect(readRateText(text)).toBe(expected as string));

test("bits a second are written as short as they can be, and none is none", () => {
  expect([formatRate(512_000, 10_000_000), formatRate(0, 1500), formatRate(0, 0)]).toEqual([
    "512k/10M",
    "0/1500",
    undefined,
  ]);
});

test("long texts are neither, and take no time", () => {
  const long = `1${"x ".repeat(500_000)}1`;
  expect([parsePrice(long), readRateText(long)]).toEqual([null, undefined]);
});
