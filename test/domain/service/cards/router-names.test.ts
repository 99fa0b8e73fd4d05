import { expect, test } from "bun:test";
import { withoutCode } from "../../../../src/domain/service/cards/router-names.ts";

test.each([
  ["no such user F3QH5UWT", "no such user C-000007"],
  ["no such user f3qh-5uwt", "no such user C-000007"],
  ["<f3 QH 5u-WT> is online", "<C-000007> is online"],
  ["f-3-q-h-5-u-w-t, F3QH–5UWT", "C-000007, C-000007"],
  ["no such user F3QH", "no such user F3QH"],
])("%s", (text, page) => {
  expect(withoutCode(text, "F3QH5UWT", "C-000007")).toBe(page);
});

test("signs of codes that others drew stand for themselves, and no code is in nothing", () => {
  expect(withoutCode("a.b+ and axbb", "A.B+", "C-1")).toBe("C-1 and axbb");
  expect(withoutCode("said", "", "C-1")).toBe("said");
});
