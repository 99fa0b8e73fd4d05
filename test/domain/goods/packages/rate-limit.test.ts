import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { rateLimit } from "../../../../src/domain/goods/packages/fields.ts";
import {
  rateSent,
  readRate,
  slowerRate,
  halfRate,
  writeRate,
} from "../../../../src/domain/goods/packages/rate-limit.ts";
import type { Faults } from "../../../../src/domain/core/errors/errors.ts";

const plain = { rate_down: "30", rate_up: "10" };
const burst = { burst_down: "60", burst_up: "20", threshold_down: "15", threshold_up: "5" };

describe("a form of numbers becomes what RouterOS takes", () => {
  test.each<[string, Record<string, string>, string]>([
    ["nothing is no limit", {}, ""],
    ["both directions, the router's own first", plain, "10M/30M"],
    ["parts of a megabit", { rate_down: "0.512", rate_up: "0.064" }, "64k/512k"],
    ["a burst", { ...plain, ...burst, time_down: "8", time_up: "16" }, "10M/30M 20M/60M 5M/15M 16/8"],
    ["a priority alone", { ...plain, priority: "3" }, "10M/30M 0/0 0/0 0/0 3"],
    ["a minimum alone", { ...plain, least_down: "2", least_up: "1" }, "10M/30M 0/0 0/0 0/0 8 1M/2M"],
  ])("%s", (_, input, text) => {
    const faults: Faults = {};
    expect(rateSent(input, faults)).toBe(text);
    if (Object.keys(faults).length === 0 && text !== "") expect(rateLimit.read(text)).toBe(text);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ["one direction", { rate_down: "30" }, ["rate_up"]],
    ["a word", { ...plain, rate_up: "fast" }, ["rate_up"]],
    [
      "a burst below the rate",
      { ...plain, ...burst, burst_down: "20", time_down: "8", time_up: "8" },
      ["burst_down"],
    ],
    [
      "a burst without its mean",
      { ...plain, burst_down: "60", burst_up: "20" },
      ["threshold_down", "time_down"],
    ],
    ["a threshold without a burst", { ...plain, threshold_down: "5", threshold_up: "5" }, ["burst_down"]],
    ["a priority of nothing", { priority: "3" }, ["rate_down"]],
    ["a priority that is none", { ...plain, priority: "9" }, ["priority"]],
  ])("and says what is wrong: %s", (_, input, names) => {
    const faults: Faults = {};
    rateSent(input, faults);
    expect(Object.keys(faults)).toEqual(names);
  });
});

test("what is read of a rate limit and written again says the same", () => {
  const speed = fc.integer({ min: 1, max: 5000 }).map((k) => k * 1000);
  const both = fc.record({ down: speed, up: speed });
  const time = fc.record({ down: fc.integer({ min: 1, max: 99 }), up: fc.integer({ min: 1, max: 99 }) });
  const rate = fc.record({
    rate: both,
    burst: fc.option(both),
    threshold: fc.option(both),
    time: fc.option(time),
    priority: fc.option(fc.integer({ min: 1, max: 8 })),
    least: fc.constant(null),
  });
  fc.assert(
    fc.property(rate, (one) => {
      const text = writeRate(one);
      expect(rateLimit.read(text)).toBe(text);
      expect(readRate(text)).toEqual(one);
    }),
  );
});

test("one rate is that of both directions", () => {
  expect(readRate("5M")?.rate).toEqual({ down: 5e6, up: 5e6 });
  expect(readRate(null)).toBeUndefined();
});

test.each([
  [null, "512k/512k"],
  ["5M/20M", "512k/512k"],
  ["256k/1M 1M/4M 128k/512k 16/16 1 64k/64k", "256k/512k"],
  ["0/300k", "512k/300k"],
])("of %s and 512k/512k the slower is %s", (rate, slower) => {
  expect(slowerRate(rate, "512k/512k")).toBe(slower);
});

test.each([
  ["10M/20M", "5M/10M"],
  ["512k/1M", "256k/500k"],
  ["10M/0", "5M/0"],
  ["15k/1", "7500/1"],
  ["10M/20M 20M/40M 8M/16M 16/16 5 1M/3M", "5M/10M 10M/20M 4M/8M 16/16 5 500k/1500k"],
])("half of %s is %s", (rate, half) => {
  expect(halfRate(rate)).toBe(half);
});
