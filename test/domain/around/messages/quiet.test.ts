import { expect, test } from "bun:test";
import { assert, integer, property } from "fast-check";
import { afterQuiet, formatTimeOfDay, parseTimeOfDay } from "../../../../src/domain/around/messages/quiet.ts";
import { parseTime } from "../../../../src/domain/core/time/time.ts";

const at = (text: string) => parseTime(text) ?? 0;
const night = { quietFrom: 22 * 60, quietTo: 7 * 60 };
const noon = { quietFrom: 12 * 60, quietTo: 14 * 60 };

test("quiet hours over midnight and within a day end at their time of the local day", () => {
  expect(afterQuiet(night, at("2030-01-15 21:59:59"))).toBe(at("2030-01-15 21:59:59"));
  expect(afterQuiet(night, at("2030-01-15 22:00:00"))).toBe(at("2030-01-16 07:00:00"));
  expect(afterQuiet(night, at("2030-01-16 03:12:00"))).toBe(at("2030-01-16 07:00:00"));
  expect(afterQuiet(night, at("2030-01-16 07:00:00"))).toBe(at("2030-01-16 07:00:00"));
  expect(afterQuiet(noon, at("2030-01-16 12:30:00"))).toBe(at("2030-01-16 14:00:00"));
  expect(afterQuiet({ quietFrom: null, quietTo: null }, 7)).toBe(7);
});

test("a moment is put off by less than a day, never back, and then it is loud", () => {
  const minutes = integer({ min: 0, max: 1439 });
  assert(
    property(minutes, minutes, integer({ min: 1.8e9, max: 2.2e9 }), (quietFrom, quietTo, moment) => {
      const loud = afterQuiet({ quietFrom, quietTo }, moment);
      expect(loud).toBeGreaterThanOrEqual(moment);
      expect(loud - moment).toBeLessThan(26 * 3600);
      expect(afterQuiet({ quietFrom, quietTo }, loud)).toBe(loud);
    }),
  );
});

test("times of a day are read and written", () => {
  expect(parseTimeOfDay("22:30")).toBe(1350);
  expect(parseTimeOfDay("7:05")).toBe(425);
  expect(parseTimeOfDay("24:00")).toBeUndefined();
  expect(formatTimeOfDay(425)).toBe("07:05");
});
