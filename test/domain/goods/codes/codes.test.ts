import { expect, test } from "bun:test";
import { codeInFile, normalCode } from "../../../../src/domain/goods/codes/codes.ts";

test.each([
  ["012345678901", "0123-4567-8901", "digits lose their zeros, and more than eleven are rounded"],
  ["2345E678", "2345-E678", "a number with an exponent"],
  ["F3QH5UWT", "F3QH5UWT", "nothing that looks like a number"],
  ["E3456789", "E3456789", "no number before the exponent"],
  ["23456E7X", "23456E7X", "no number behind it"],
])("%s stands in a file as %s: %s", (code, inFile) => {
  expect(codeInFile(code)).toBe(inFile);
  expect(normalCode(inFile)).toBe(code);
});
