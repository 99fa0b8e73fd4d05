import { expect, test } from "bun:test";
import { ungrouped } from "../../../src/http/pages/ungrouped.ts";

test.each([
  ["2,000", "2000"],
  ["1,234,567.5", "1234567.5"],
  ["2000.00", "2000.00"],
  ["22,50", "22,50"],
  ["1,50,000", "1,50,000"],
  ["1,0000", "1,0000"],
])("%s is %s: a comma that does not part thousands is left to be refused", (values, read) => {
  expect(ungrouped(values)).toBe(read);
});
