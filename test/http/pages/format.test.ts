import { expect, test } from "bun:test";
import { cachedFormat, Format } from "../../../src/http/pages/format.ts";
import { portalWords } from "../../../src/http/words/languages.ts";
import { parseTime } from "../../../src/domain/core/time/time.ts";

const en = portalWords("en");

test("times in words of the domain are written as pages write them, and nothing else is touched", () => {
  const format = new Format("en-GB");
  const at = parseTime("2030-01-15 14:32:10") ?? 0;
  expect(
    format.times("dropped since 2030-01-15 14:32:10, the last at 2030-01-15 14:32:10; see 2030-01-15"),
  ).toBe(`dropped since ${format.time(at)}, the last at ${format.time(at)}; see 2030-01-15`);
  expect(format.times("2030-99-99 14:32:10")).toBe("2030-99-99 14:32:10");
});

test("days of a month are said in few words, in the order of the locale", () => {
  const [english, american] = [new Format("en-GB"), new Format("en-US")];
  const plain = (text: string) => text.replaceAll(/\s/g, " ");
  expect(plain(english.shortDayRange(20301001, 20301028))).toBe("1 – 28 Oct");
  expect(plain(american.shortDayRange(20301001, 20301028))).toBe("Oct 1 – 28");
  expect(american.shortDayRange(20301001, 20301001)).toBe("Oct 1");
});

test("a locale is made once, and not kept for ever", () => {
  const first = cachedFormat("en-GB", en);
  expect(cachedFormat("en-GB", en)).toBe(first);
  expect(cachedFormat("en-US", en)).not.toBe(first);
  for (let nth = 0; nth < 64; nth++) cachedFormat(`en-u-nu-latn-x-a${nth}`, en);
  expect(cachedFormat("en-GB", en)).not.toBe(first);
});

test("two rates are one piece from right to left, which nothing beside them can tear apart", () => {
  const format = new Format("ar", portalWords("ar"));
  expect(format.speeds("10M/30M", () => "")).toBe("\u206830 / 10 ميغابت/ث\u2069");
});
