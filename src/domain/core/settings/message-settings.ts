import { phrase } from "../errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { field, oneOf } from "../fields/fields.ts";
import { type LanguageTag, languageTags } from "../fields/languages.ts";
import { define } from "./define.ts";

export const messageSettings = {
  message_language: define<LanguageTag>(
    "en",
    `language of messages to who has none of their own: ${languageTags.join(", ")}`,
    oneOf(...languageTags),
  ),
  payment_link: define(
    "",
    "address at which a subscriber pays, with {reference}, {amount} and {currency} to be filled in; empty: that of the portal's button",
    {
      ...field(
        Type.String({ maxLength: 1000, pattern: "^(https://[^\\s<>\"']+)?$" }),
        phrase`must be an address such as ${"https://pay.example/?ref={reference}&amount={amount}"}, or empty`,
        (value): string | undefined => {
          const plain = value.replaceAll(/\{(reference|amount|currency)\}/g, "1");
          return value === "" || (!/[{}]/.test(plain) && URL.parse(plain) !== null) ? value : undefined;
        },
      ),
      empty: "",
    },
  ),
};
