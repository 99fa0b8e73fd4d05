import { expect, test } from "bun:test";
import { plainNumbers, plainSearch, ungrouped } from "../../../src/http/pages/ungrouped.ts";

test.each([
  ["2,000", "2000"],
  ["1,234,567.5", "1234567.5"],
  ["2000.00", "2000.00"],
  ["٢٥٬٠٠٠٫٥٠", "25000.50"],
  ["۱۲۰", "120"],
  ["२५०", "250"],
  ["22,50", "22,50"],
  ["1,50,000", "1,50,000"],
  ["1,0000", "1,0000"],
])("%s is %s: a comma that does not part thousands is left to be refused", (values, read) => {
  expect(ungrouped(values)).toBe(read);
});

test("phone numbers have Latin digits from whatever keyboard, and other fields stay as they are", () => {
  expect(plainNumbers({ mobile_number: "٠٧٧٠١٢٣٤٥٦٧", password: "١٢٣٤", address: "شارع ٥" })).toEqual({
    mobile_number: "07701234567",
    password: "١٢٣٤",
    address: "شارع ٥",
  });
});

test.each([
  ["٠٧٧٠ ١٢٣", "0770 123"],
  ["عمارة ٥", "عمارة ٥"],
])("%s is searched for as %s", (typed, meant) => {
  expect(plainSearch(typed)).toBe(meant);
});
