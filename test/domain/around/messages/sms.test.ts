import { expect, test } from "bun:test";
import { smsLength } from "../../../../src/domain/around/messages/sms.ts";

test.each([
  ["", "gsm", 0, 160],
  ["a".repeat(160), "gsm", 1, 0],
  ["a".repeat(161), "gsm", 2, 145],
  ["€".repeat(80), "gsm", 1, 0],
  [`${"a".repeat(152)}€${"a".repeat(153)}`, "gsm", 3, 151],
  ["ж".repeat(70), "ucs2", 1, 0],
  ["ж".repeat(71), "ucs2", 2, 63],
  [`${"ж".repeat(66)}😀${"ж".repeat(10)}`, "ucs2", 2, 55],
] as const)("%p is %s, %d segments", (text, coding, segments, left) => {
  expect(smsLength(text)).toMatchObject({ coding, segments, left });
});

test("the characters that make it long are told", () => {
  expect(smsLength("Привет, “Ann”").foreign.slice(0, 2)).toEqual(["П", "р"]);
});
