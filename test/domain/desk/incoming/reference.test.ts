import { expect, test } from "bun:test";
import { referenceOf, subscriberOfReference } from "../../../../src/domain/desk/incoming/reference.ts";

test("a reference names its subscriber, however it is typed", () => {
  expect(referenceOf(572)).toBe("5724"); // the example of Damm's thesis
  for (let id = 1; id < 3000; id++) expect(subscriberOfReference(referenceOf(id))).toBe(id);
  expect(subscriberOfReference(" 57-2 4 ")).toBe(572);
  expect(referenceOf(1)).toHaveLength(4);
});

test("one wrong digit, or two neighbours swapped, name nobody", () => {
  for (let id = 1; id < 3000; id += 7) {
    const digits = Array.from(referenceOf(id));
    digits.forEach((digit, at) => {
      for (let other = 0; other < 10; other++) {
        if (String(other) === digit) continue;
        expect(subscriberOfReference(digits.with(at, String(other)).join(""))).toBeUndefined();
      }
      const next = digits[at + 1];
      if (next === undefined || next === digit) return;
      expect(
        subscriberOfReference(
          digits
            .with(at, next)
            .with(at + 1, digit)
            .join(""),
        ),
      ).toBeUndefined();
    });
  }
});

test.each(["", "0", "0000", "user1", "12345678901234567890", "٥٧٢٤", "1e3", "-5724x"])("%p is none", (text) =>
  expect(subscriberOfReference(text)).toBeUndefined(),
);
