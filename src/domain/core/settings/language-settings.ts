import { phrase } from "../errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { type Field, field } from "../fields/fields.ts";
import { isLanguageTag } from "../fields/languages.ts";
import { define, optional } from "./define.ts";

/** Languages of a list with commas. */
export const tagsIn = (list: string): string[] =>
  list
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

const tags: Field<string> = field(
  Type.String({ maxLength: 100 }),
  phrase`must be tags of languages of the pages with commas between them, such as ar, es`,
  (value) => {
    const named = tagsIn(value);
    return named.every(isLanguageTag) ? [...new Set(named)].sort().join(", ") : undefined;
  },
);

export const languageSettings = {
  languages_read: define(
    "",
    "languages of the pages that somebody who grew up with them has read and found well, tags with commas between them, such as ar, es",
    optional(tags),
  ),
};
