import { expect, test } from "bun:test";
import { normalCode, printedCode } from "../../../../src/domain/goods/codes/codes.ts";

test.each([
  ["ABCDE", "ABCDE"],
  ["ABCDEF", "ABC-DEF"],
  ["ABCDEFG", "ABCD-EFG"],
  ["ABCDEFGH", "ABCD-EFGH"],
  ["ABCDEFGHJ", "ABCDE-FGHJ"],
  ["ABCDEFGHJK", "ABCDE-FGHJK"],
  ["ABCDEFGHJKM", "ABCD-EFGH-JKM"],
  ["ABCDEFGHJKMNP", "ABCDE-FGHJ-KMNP"],
])("%s is printed as %s, with no symbol by itself", (code, printed) => {
  expect(printedCode(code)).toBe(printed);
  expect(normalCode(printed)).toBe(code);
});

test("every length that a code can have is in groups of three to five", () => {
  for (let length = 6; length <= 32; length++) {
    const code = "7".repeat(length);
    const groups = printedCode(code).split("-");
    expect(groups.join("")).toBe(code);
    for (const group of groups) expect([3, 4, 5]).toContain(group.length);
  }
});
