import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { parseBlocks } from "../../scripts/lab.d/handbook.ts";
import { handbookFiles, writtenLanguages } from "../../src/handbook/files.ts";
import { type Page, pages } from "../../src/handbook/pages.ts";
import { findLanguage } from "../../src/http/words/languages.ts";
import { en } from "../support/words.ts";

/*
 * A translated page is its English one in other words: what is typed, pressed, linked and shown is the same, line by line. So a step, a
 * command or a row that English gets or loses fails here until the translations have it. A sentence that says something else is told by
 * nobody: a mark of the version that was translated would ask for a stamp at every comma of English, from who reads neither language.
 */

const handbook = join(import.meta.dir, "../../systemd/handbook");
const languages = writtenLanguages().slice(1);
const english = new Map(pages().map((page) => [page.slug, page]));
const translated = languages.flatMap((language) =>
  pages(language)
    .filter((page) => page.language === language)
    .map((page): [place: string, page: Page] => [`${language}/${page.kind}/${page.slug}`, page]),
);
/** Of sources that speak English alone, as the terminal does. */
const inEnglish = /^(?:commands-\w+|environment|metrics)$/;

test("a folder of the handbook is a language, and its pages are among those of the index", () => {
  const paths = new Set(pages().map(({ kind, slug }) => `handbook/${kind}/${slug}.md`));
  for (const language of languages) {
    expect(findLanguage(language)?.tag).toBe(language);
    const { "handbook/common-words.txt": common = "", ...files } = handbookFiles(language);
    expect(common.trim()).not.toBe("");
    expect(Object.keys(files).filter((path) => !paths.has(path))).toEqual([]);
  }
});

test("a language has every page but those of commands and what they read", () => {
  for (const language of languages) {
    const missing = pages(language).filter((page) => page.language === "en" && !inEnglish.test(page.slug));
    expect(missing.map(({ slug }) => slug)).toEqual([]);
  }
});

test("every group of the index has its words, which are the index's in English", () => {
  const groups = new Set(pages().flatMap(({ group }) => (group === "" ? [] : [group])));
  const named = Object.entries(en.help.groups).map(([key, text]) => [
    key,
    text.toLowerCase().replaceAll(" ", "-"),
  ]);
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries([...groups].map((one) => [one, one])));
});

/** What a line of Markdown is. */
function kindOf(line: string): string {
  const [mark = ""] = /^(?:#+ |\s*- |\s*\d+\. |\|[-:| ]+\|$|\||!\[)/.exec(line) ?? [];
  return mark.startsWith("|-") || mark.startsWith("| -") ? "| ---" : mark === "" ? "text" : mark;
}

/** What a link of a page leads to as the index has it, in whichever language; it has to be there as the files stand. */
function ledTo({ language, kind }: Page, link: string): string {
  if (link.startsWith("https:")) return link;
  const own = language === "en" ? kind : `${language}/${kind}`;
  const path = posix.join(own, link);
  return existsSync(join(handbook, path)) ? path.replace(/^[a-z]{2,3}\//, "") : `${path} is not there`;
}

/** What a reader types or follows: of a line in any order, for sentences of another language turn. */
function shapeOf(page: Page) {
  const lines = page.text
    .replaceAll(/^```[^]*?^```$/gm, "```")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => ({
    kind: kindOf(line),
    code: [...line.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code).sort(),
    links: [...line.matchAll(/\]\(([^)]+)\)/g)].map(([, to = ""]) => ledTo(page, to)).sort(),
    bold: [...line.matchAll(/\*\*.+?\*\*/g)].length,
  }));
}
/** Rows that are made of words say the same in other words (scripts/handbook.ts). */
const isMade = ({ kind, slug }: Page) =>
  kind === "reference" && ["settings", "permissions", "reasons", "findings", "events"].includes(slug);

test.each(translated)("%s has what English has", (_place, page) => {
  const model = english.get(page.slug);
  if (!model) throw new Error("English has no such page");
  expect(page.opening).not.toBe(model.opening);
  expect(parseBlocks(page)).toEqual(parseBlocks(model));
  const [own, wanted] = [page, model].map((one) =>
    shapeOf(one).filter(({ kind }) => !isMade(one) || kind !== "|"),
  );
  expect(own).toEqual(wanted);
});
