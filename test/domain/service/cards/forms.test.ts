import { describe, expect, test } from "bun:test";
import { CLEAR_SYMBOLS, DIGITS, normalCode } from "../../../../src/domain/goods/codes/codes.ts";
import { CodeForms, guessForm } from "../../../../src/domain/service/cards/forms.ts";
import { processorTime } from "../../../support/processor-time.ts";

const clear = (length: number, prefix = "") => ({ prefix, length, alphabet: CLEAR_SYMBOLS });
const digits = (length: number, prefix = "") => ({ prefix, length, alphabet: DIGITS });

function formsOf(...all: Parameters<CodeForms["add"]>[0][]): CodeForms {
  const forms = new CodeForms();
  for (const form of all) forms.add(form);
  return forms;
}
const isLike = (forms: CodeForms, name: string) => forms.isLike(name, normalCode(name));

describe("the form of a code", () => {
  test("is a length, a prefix and an alphabet of one batch, not of several", () => {
    const forms = formsOf(clear(8), clear(4, "WIFI"), digits(9, "A"));
    expect(["ABCDEFGH", "WIFI2345", "A012345678"].map((code) => forms.has(code))).toEqual([true, true, true]);
    const others = [
      "ABCDEFG",
      "ABCDEFG0",
      "WIFI234O",
      "WIFO2345",
      "B012345678",
      "A01234567B",
      "ABCD.FGH",
      "",
    ];
    for (const code of others) expect([code, forms.has(code)]).toEqual([code, false]);
  });

  test("is found among ten thousand batches as fast as of one", () => {
    const many = formsOf(
      ...Array.from({ length: 10_000 }, (_, nth) =>
        clear(7, nth.toString(36).toUpperCase().padStart(4, "X")),
      ),
    );
    const tries = (forms: CodeForms) =>
      processorTime(() => {
        for (let nth = 0; nth < 20_000; nth++) forms.has("NOBODYHAS22");
      });
    tries(many);
    expect(many.has("XXXZ2345678")).toBe(true);
    expect(tries(many)).toBeLessThan(1000);
  });

  test("of codes that others drew is their length, and digits, letters or both", () => {
    const forms = formsOf(
      guessForm("AB12CD"),
      guessForm("11223344"),
      guessForm("SUN-MOON".replace("-", "_")),
    );
    for (const code of ["ZZ00OO", "99999999", "MOON_SUN"])
      expect([code, forms.has(code)]).toEqual([code, true]);
    for (const code of ["ZZ00O", "9999999A", "AB.2CD"])
      expect([code, forms.has(code)]).toEqual([code, false]);
  });
});

describe("a name that is like a code", () => {
  const forms = formsOf(clear(8), digits(10), clear(7, "WX"));

  test.each([
    ["one symbol too many", "h7k2mp9w5"],
    ["one too few", "h7k2mp9"],
    ["one of another alphabet", "h7k2mp0w"],
    ["in capitals, as our pages send it", "HKRWMPZQV"],
    ["as it is printed, with one too few", "HKRW-MPZ"],
    ["digits with a letter for one of them", "123456789O"],
    ["a digit too few", "123456789"],
    ["a prefix, and one too few", "wxabcdef"],
    ["two codes in a row", "h7k2mp9wh7k2mp9w"],
    ["name and password in one", "h7k2mp9w/h7k2mp9w"],
    ["digits in one", "1234567890:1234567890"],
    ["digits in a row", "12345678901234567890"],
    ["the address of the login page", "http://wifi.example/login?username=h7k2mp9w&password=h7k2mp9w"],
    ["a code for a realm", "me@h7k2mp9w"],
  ])("%s", (_, name) => {
    expect(isLike(forms, name)).toBe(true);
  });

  test.each([
    ...[
      "samantha7",
      "sam",
      "peterson",
      "marketing",
      "user99",
      "newcust12",
      "john.smith",
      "ahmed-2024",
      "sam.peterson99",
    ],
    ...["flat12", "house-no-7", "mary@isp.example", "cust-000117", "0300", "923001234567890"],
    ...["00:50:56:25:8B:97", "00-50-56-25-8b-97", "0050.5625.8b97", "005056258B97", "", "…", "юзер"],
  ])("is not %s, as people are called", (name) => {
    expect(isLike(forms, name)).toBe(false);
  });

  test("is told in no time of the longest names that a packet has", () => {
    const longest = [
      "A".repeat(252) + "a",
      "1a".repeat(126),
      "A1-".repeat(84),
      "\uFDFA".repeat(84),
      "0".repeat(253),
    ];
    const taken = processorTime(() => {
      for (let nth = 0; nth < 300; nth++) for (const name of longest) isLike(forms, name);
    });
    expect(taken).toBeLessThan(1500);
  });

  test("is none where there are no cards", () => {
    expect(isLike(new CodeForms(), "h7k2mp9w")).toBe(false);
  });
});
