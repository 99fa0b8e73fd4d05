import { describe, expect, test } from "bun:test";
import { type LanguageTag, languageTags } from "../../../../src/domain/core/fields/languages.ts";
import { type TemplateField, templateFields } from "../../../../src/domain/around/messages/fields.ts";
import { marksIn } from "../../../../src/domain/around/messages/marks.ts";
import { MessageFormat } from "../../../../src/domain/around/messages/formats.ts";
import { readyTexts } from "../../../../src/domain/around/messages/ready/ready.ts";
import { filled } from "../../../../src/domain/around/messages/render.ts";
import { NOW } from "../../../support/store.ts";

/** GSM 7-bit default alphabet, and what its extension has, which takes two places (3GPP TS 23.038, 6.2.1). */
const PLAIN = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const EXTENDED = new Set("^{}\\[~]|€\f");

/** How many text messages a text is sent as: 160 letters, 153 each of several; of other alphabets 70 and 67. */
function segments(text: string): number {
  const signs = [...text];
  const isGsm = signs.every((sign) => PLAIN.has(sign) || EXTENDED.has(sign));
  const length = isGsm ? signs.length + signs.filter((sign) => EXTENDED.has(sign)).length : text.length;
  const [alone, each] = isGsm ? [160, 153] : [70, 67];
  return length <= alone ? 1 : Math.ceil(length / each);
}

test("a text message is counted as gateways do", () => {
  expect([1, 160, 161, 306, 307].map((length) => segments("a".repeat(length)))).toEqual([1, 1, 2, 2, 3]);
  expect([70, 71, 134, 135].map((length) => segments("ш".repeat(length)))).toEqual([1, 2, 2, 3]);
  expect(segments("€".repeat(81))).toBe(2);
  expect(segments("reçu")).toBe(1);
  expect(segments(`reçu${"a".repeat(70)}`)).toBe(2); // ç is none of its letters, though Ç is
});

/** Those whose letters a text message has. */
const inLatin = new Set<LanguageTag>(["en", "es", "pt", "fr", "id", "sw"]);
const examples = (language: string): Record<TemplateField, string> => {
  const format = new MessageFormat(language);
  const values = Object.entries(templateFields).map(([name, { example }]): [string, string] => [
    name,
    example,
  ]);
  const text = { date: format.date(NOW), expiration: format.time(NOW) };
  return { ...(Object.fromEntries(values) as Record<TemplateField, string>), ...text };
};
const withoutLink = (body: string) => body.replace(/\n\{\{(pay_link|contact)\}\}$/, "");

describe.each([...languageTags])("the ready texts in %s", (language) => {
  const texts = readyTexts.filter((text) => text.language === language);
  const isLatin = inLatin.has(language);

  test.each(texts)("$name costs no more text messages than it has to", ({ subject, body }) => {
    const fields = examples(language);
    const alone = filled({ subject, body: withoutLink(body) }, fields, language).body;
    const whole = filled({ subject, body }, fields, language).body;
    const isLong = body.includes("pay_link");
    expect([language, segments(alone) <= (isLatin ? 1 : isLong ? 3 : 2) || alone]).toEqual([language, true]);
    expect([language, segments(whole) <= (isLatin ? 2 : isLong ? 4 : 3) || whole]).toEqual([language, true]);
  });

  test.each(texts)("$name has nothing but letters of its alphabet around its fields", ({ body }) => {
    const own = body.replaceAll(/\{\{\w+\}\}/g, "x");
    if (isLatin) expect([...own].filter((sign) => !PLAIN.has(sign))).toEqual([]);
    expect(own).not.toMatch(/ [,.!۔،।]/);
    expect(own).not.toMatch(/ {2}/);
    expect(own).not.toContain("x x"); // two values would run into one
  });

  test.each(texts)("$name has no hole where the ISP says neither how it is reached nor paid", (text) => {
    const fields = { ...examples(language), contact: "", pay_link: "" };
    const { subject, body } = filled(text, fields, language);
    for (const part of [subject, body]) {
      expect(part).toBe(part.trim());
      expect(part).not.toMatch(/\n|\{\{|[:،,]\s*[.۔।]|\(\s*\)/);
    }
  });

  test("each has the fields that it has in English", () => {
    for (const { name, subject, body } of texts) {
      const model = readyTexts.find((text) => text.name === name && text.language === "en");
      const sorted = (text: string) => [...new Set(marksIn(text))].sort();
      expect([name, sorted(body), sorted(subject)]).toEqual([
        name,
        sorted(model?.body ?? ""),
        sorted(model?.subject ?? ""),
      ]);
    }
  });
});
