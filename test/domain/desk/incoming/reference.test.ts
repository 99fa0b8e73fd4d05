import { expect, test } from "bun:test";
import {
  hasWrongDigit,
  makeReference,
  parseReference,
} from "../../../../src/domain/desk/incoming/reference.ts";

test("a reference names its subscriber, however it is typed", () => {
  expect(makeReference(572)).toBe("5724"); // the example of Damm's thesis
  for (let id = 1; id < 3000; id++) expect(parseReference(makeReference(id))).toBe(id);
  expect(parseReference(" 57-2 4 ")).toBe(572);
  expect(makeReference(1)).toHaveLength(4);
});

test("one wrong digit, or two neighbours swapped, name nobody", () => {
  for (let id = 1; id < 3000; id += 7) {
    const digits = Array.from(makeReference(id));
    digits.forEach((digit, at) => {
      for (let other = 0; other < 10; other++) {
        if (String(other) === digit) continue;
        expect(parseReference(digits.with(at, String(other)).join(""))).toBeUndefined();
      }
      const next = digits[at + 1];
      if (next === undefined || next === digit) return;
      expect(
        parseReference(
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
  expect(parseReference(text)).toBeUndefined(),
);

test.each<[string, boolean]>([
  [makeReference(572), false],
  ["5725", true],
  [" 57-2 5 ", true],
  [makeReference(999_999), false], // whose digit is right, though nobody has it
  ["sam", false],
  ["INV-2030-5725", false],
  ["572", false],
  ["", false],
])("%j was meant as a reference and mistyped: %p", (text, isWrong) => {
  expect(hasWrongDigit(text)).toBe(isWrong);
});
