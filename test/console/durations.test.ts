import { afterAll, describe, expect, test } from "bun:test";
import { Glob } from "bun";
import {
  durationField,
  durationSent,
  durationText,
  secondsIn,
  spanIn,
  spanSent,
  unitsText,
} from "../../src/http/console/parts/duration.ts";
import { consoleViewFor } from "../../src/http/console/view.ts";
import { type Faults, faultTexts } from "../../src/domain/core/errors/errors.ts";
import { whole } from "../../src/http/words/compiled/messages.ts";
import { NOW, temporaryStore } from "../support/store.ts";

const store = temporaryStore();
afterAll(() => store[Symbol.dispose]());
const viewIn = (language: string) =>
  consoleViewFor(store.db, {
    request: new Request("http://localhost/console", { headers: { "accept-language": language } }),
    now: NOW,
    ispId: null,
  });
const view = viewIn("en");
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

test.each([
  ["3 days", 3 * DAY],
  ["1d 8h", DAY + 8 * HOUR],
  ["1d8h", DAY + 8 * HOUR],
  ["21m", 21 * MINUTE],
  ["90 min.", 90 * MINUTE],
  ["1.5 hours", 90 * MINUTE],
  ["1,5 h", 90 * MINUTE],
  [" 2 WEEKS ", 14 * DAY],
  ["1 day, 2 hours", DAY + 2 * HOUR],
  ["45 s", 45],
  ["12", 12 * HOUR], // a number alone is of the unit that the field usually has
  ["1,825 days", 1825 * DAY],
  ["0", 0],
])("%p is read", (text, expected) => {
  expect(secondsIn(view, text, "hour")).toBe(expected);
});

test.each(["", "soon", "-3 days", "3 dyas", "1 2", "3 days ago", "1 month", "1e3", "9".repeat(30)])(
  "%p is no duration",
  (text) => {
    expect(secondsIn(view, text, "hour")).toBeUndefined();
    expect(durationSent(view, text, "hour")).toBe(text); // as it was typed, so that it is refused
  },
);

test.each([
  ["٣ أيام", 3 * DAY],
  ["يوم", DAY],
  ["يومان، 6 ساعات", 2 * DAY + 6 * HOUR],
  ["۱۲ ساعة", 12 * HOUR],
])("%p is read in Arabic", (text, expected) => {
  expect(secondsIn(viewIn("ar"), text, "hour")).toBe(expected);
});

test.each([
  ["1.825 dias", 1825 * DAY],
  ["1,5 horas", 90 * MINUTE],
  ["1.5 horas", 90 * MINUTE],
])("%p is read in Portuguese", (text, expected) => {
  expect(secondsIn(viewIn("pt"), text, "hour")).toBe(expected);
});

test.each([
  ["saa 3", 3 * HOUR],
  ["siku 1 saa 6", 30 * HOUR],
  ["3 saa", 3 * HOUR],
  ["1 siku 6 saa", 30 * HOUR],
])("%p is read in Swahili, which writes units first", (text, expected) => {
  expect(secondsIn(viewIn("sw"), text, "hour")).toBe(expected);
});

test.each([
  ["1,825 দিন", 1825 * DAY],
  ["১ দিন ৩ ঘণ্টা", 27 * HOUR],
  ["2 ঘন্টা", 2 * HOUR],
  ["৪ ঘঃ ৩০ মিঃ", 4.5 * HOUR],
])("%p is read in Bengali, whose vowel signs are part of the word", (text, expected) => {
  expect(secondsIn(viewIn("bn"), text, "hour")).toBe(expected);
});

test.each([
  ["1,825 दिन", 1825 * DAY],
  ["१ दिन ३ घंटे", 27 * HOUR],
  ["4 घं 30 मि", 4.5 * HOUR],
])("%p is read in Hindi", (text, expected) => {
  expect(secondsIn(viewIn("hi"), text, "hour")).toBe(expected);
});

test.each(whole)("%s: what is printed is read as what it was, in full and as columns have it", (language) => {
  const own = viewIn(language);
  for (const seconds of [
    1,
    59,
    60,
    90,
    3600,
    5400,
    86_399,
    DAY,
    25 * HOUR,
    36 * HOUR,
    30 * DAY,
    1825 * DAY,
  ]) {
    expect(secondsIn(own, durationText(own, seconds), "second")).toBe(seconds);
    const { format } = own;
    if (seconds < MINUTE || seconds % MINUTE === 0)
      expect(secondsIn(own, format.duration(seconds), "second")).toBe(seconds);
  }
});

test("a duration is written as somebody would type it", () => {
  expect([durationText(view, 5400), durationText(view, DAY), unitsText(view, 0, "hour")]).toEqual([
    "1 hour 30 minutes",
    "1 day",
    "0 hours",
  ]);
});

describe("how long a package lasts", () => {
  test.each([
    ["1 month", { count: 1, unit: "month" }],
    ["30", { count: 30, unit: "day" }],
    ["1 hour", { count: 1, unit: "hour" }],
    ["48 hours", { count: 48, unit: "hour" }],
    ["2 weeks", { count: 14, unit: "day" }],
    ["1 day 12 hours", { count: 36, unit: "hour" }],
    ["1.5 days", { count: 36, unit: "hour" }],
  ] as const)("%p is so much of one unit", (text, expected) => {
    expect(spanIn(view, text, "day")).toEqual(expected);
  });

  test("its field says that a number alone counts days", () => {
    expect(durationField(view, "day", "month").help).toBe(
      "Such as 30 days or 1 month; a number alone counts days.",
    );
  });

  test.each(["1.5 months", "1 month 2 days", "20 minutes", "ever"])(
    "%p is none, and is said to be",
    (text) => {
      const faults: Faults = {};
      expect(spanSent(view, text, "day", faults)).toEqual({ duration: "", duration_unit: "day" });
      expect(faultTexts(faults)["duration"]).toEqual(["must be a time such as 30 days or 1 month"]);
    },
  );
});

/** Words of a form that name a unit of time beside a field: there is a part that takes them all. */
test("no form asks for a duration in another way", async () => {
  const found: string[] = [];
  for (const file of new Glob("**/*.{ts,tsx}").scanSync("src/http/console")) {
    const text = await Bun.file(`src/http/console/${file}`).text();
    if (/name(?:=|: )"(?:unit|duration_unit|hours|days|minutes|seconds)"/.test(text)) found.push(file);
  }
  expect(found).toEqual([]);
});
