import { expect, test } from "bun:test";
import { writtenLanguages } from "../../src/handbook/files.ts";
import { pages } from "../../src/handbook/pages.ts";
import { readCompiled, type Said } from "../../src/http/words/messages.ts";
import { linesOf, type Named, namedOn } from "../support/named-on-page.ts";

/*
 * What a page calls a place, a button or a field is what the console calls it, in the language of the page: **Bold** within a sentence or a
 * step, and _Bold_ in a step, where it is filled in. A word without a capital is **stressed**, and what begins a paragraph, an item or a cell
 * says what that is about, unless the console has a text that says the same.
 */

const translations = writtenLanguages().slice(1);

/** Of others than staff, or no names of anything. */
const elsewhere: ReadonlySet<string> = new Set(["portal", "hotspot", "box", "refusals"]);

/** Without what differs by where it stands. */
const folded = (text: string) => text.replaceAll("’", "'").toLowerCase();

/** Where each text of the console is from, by its words: several messages may say the same. */
function textsOf(language: string): ReadonlyMap<string, readonly string[]> {
  const texts = Object.entries(readCompiled(language)).flatMap(([chapter, messages]) =>
    elsewhere.has(chapter)
      ? []
      : Object.entries(messages).flatMap(([key, said]) =>
          wordings(said).map((text) => ({ at: `${chapter}.${key}`, text: folded(text) })),
        ),
  );
  const grouped = Map.groupBy(texts, ({ text }) => text);
  return new Map([...grouped].map(([text, all]) => [text, all.map(({ at }) => at)]));
}

/** What a message may say, where what is filled in is an ellipsis, as pages write it. */
function wordings(said: Said): readonly string[] {
  if (typeof said === "string") return [said];
  return said.reduce<readonly string[]>(
    (before, part) => before.flatMap((text) => wordingsOf(part).map((more) => text + more)),
    [""],
  );
}

function wordingsOf(part: Exclude<Said, string>[number]): readonly string[] {
  if (typeof part === "string") return [part];
  if (typeof part === "number" || part.length === 1) return ["…"];
  return [...new Set(Object.values(part[2]).flatMap(wordings))];
}

const texts = new Map(writtenLanguages().map((language) => [language, textsOf(language)]));

/** The messages that it may be, of each of its parts: **Settings, Backups** is one below the other. */
function messagesFor({ name, isField }: Named, language: string): readonly (readonly string[])[] {
  const all = texts.get(language) ?? new Map<string, readonly string[]>();
  const find = (part: string) =>
    all.get(folded(part)) ??
    (isField ? [...all].flatMap(([text, at]) => (text.includes(folded(part)) ? at : [])) : []);
  const whole = find(name);
  return whole.length > 0 ? [whole] : name.split(/[,،] /).map(find);
}

const isKnown = (messages: readonly (readonly string[])[]) => messages.every((some) => some.length > 0);

/** Sentences that begin with what they are about, by page. */
const stressed = { "walled-garden": ["Hotspots work reliably by IPv4 alone", "The price"] };

const onPages = pages().flatMap((page) =>
  linesOf(page).flatMap((line, index) =>
    namedOn(line).flatMap((named) =>
      named.isField || /^\p{Lu}/u.test(named.name) ? [{ page, index, named }] : [],
    ),
  ),
);

test("what English names is a text of the console, or stands there for its weight", () => {
  const unknown = onPages.filter(({ named }) => !named.isHead && !isKnown(messagesFor(named, "en")));
  const found = Map.groupBy(unknown, ({ page }) => page.slug);
  const names = [...found].map(([slug, all]) => [slug, all.map(({ named }) => named.name)]);
  expect(Object.fromEntries(names)).toEqual(stressed);
});

/** Heads of paragraphs that the console has by chance too, where they are something else. */
const byChance: ReadonlySet<string> = new Set([
  "cards: Void", // what becomes of money, and no state
  "programs: What happens", // what a webhook tells
]);

test.each(translations)("in %s the same is named as the console has it there", (language) => {
  const wrong = onPages.flatMap(({ page, index, named }) => {
    const meant = messagesFor(named, "en");
    if (!isKnown(meant) || byChance.has(`${page.slug}: ${named.name}`)) return [];
    const line = linesOf(pages(language).find(({ slug }) => slug === page.slug) ?? page)[index] ?? "";
    const isSame = (one: Named) => {
      const messages = messagesFor(one, language);
      return (
        messages.length === meant.length &&
        messages.every((some, part) => some.some((at) => meant[part]?.includes(at)))
      );
    };
    const there = namedOn(line);
    return there.some(isSame)
      ? []
      : [`${page.slug}: ${named.name}: ${there.map(({ name }) => name).join("; ")}`];
  });
  expect(wrong).toEqual([]);
});
