import MiniSearch from "minisearch";
import { type Handbook, handbook, handbookLanguage, type Page } from "./pages.ts";

export interface Found {
  readonly page: Page;
  /** The line of the page that has most of what was looked for, without Markdown. */
  readonly excerpt: string;
}

const LETTERS = /[\p{L}\p{M}\p{N}]+/gu;
const alike: Readonly<Record<string, string>> = { ٱ: "ا", ى: "ي", ی: "ي", ة: "ه", ک: "ك" };

/** The text as somebody writes in a hurry: without accents and vowel signs, the forms of an Arabic letter as one, and its digits as pages have them. */
function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[\p{Script=Inherited}ـ]/gu, "")
    .replaceAll(/[ٱىیةک]/g, (letter) => alike[letter] ?? letter)
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .normalize("NFC");
}

/** An Arabic word without what is written in one with it: the article with what stands before that, and the end of a feminine. */
const stemmed = (word: string) => word.replace(/^(?:[وفبك]?ال|لل)(?=..)|(?<=...)(?:ات|ه)$/g, "");

/** The pages as they are read in a language. */
class Index {
  readonly #handbook: Handbook;
  readonly #search: MiniSearch<Page>;
  /** By page, for a search looks at lines of twenty. */
  readonly #folded = new Map<string, string>();
  readonly isRead: Promise<void>;

  constructor(language: string) {
    this.#handbook = handbook(language);
    const { pages, common } = this.#handbook;
    const small = new Set(folded(common).match(LETTERS));
    this.#search = new MiniSearch<Page>({
      idField: "slug",
      fields: ["title", "opening", "text"],
      extractField: (page, field) =>
        field === "text" ? this.#fold(page) : page[field as "slug" | "title" | "opening"],
      tokenize: (text, field) => [...new Set((field === "text" ? text : folded(text)).match(LETTERS))],
      processTerm: (term) => (small.has(term) ? null : stemmed(term)),
      searchOptions: {
        boost: { title: 6, opening: 2 },
        prefix: true,
        fuzzy: (term) => (term.length < 4 ? false : term.length < 6 ? 1 : 2),
      },
    });
    this.isRead = this.#search.addAllAsync(pages, { chunkSize: 1 });
  }

  #fold({ slug, text }: Page): string {
    return this.#folded.getOrInsertComputed(slug, () => folded(text));
  }

  find(words: string): Found[] {
    const whole = this.#search.search(words, { combineWith: "AND" });
    const found = whole.length > 0 ? whole : this.#search.search(words);
    return found.slice(0, MOST).flatMap(({ id, terms }) => {
      const page = this.#handbook.pages.find(({ slug }) => slug === id);
      return page ? [{ page, excerpt: findExcerpt(page, this.#fold(page), terms) }] : [];
    });
  }
}

const MOST = 20;
const indexes = new Map<string, Index>();

/** Reads all pages once, a few at a time, so that nobody else waits for it. */
export async function readAll(language = "en"): Promise<Index> {
  const tag = handbookLanguage(language);
  const index = indexes.get(tag) ?? new Index(tag);
  indexes.set(tag, index);
  await index.isRead;
  return index;
}

/** The best pages with all of the words, else with some of them, as whoever reads the language has them; typing mistakes are forgiven. */
export async function findPages(words: string, language = "en"): Promise<Found[]> {
  return (await readAll(language)).find(words);
}

const LONGEST = 180;

function findExcerpt({ text, opening }: Page, plainText: string, terms: readonly string[]): string {
  let [most, at, isCode] = [0, -1, false];
  for (const [index, line] of plainText.split("\n").entries()) {
    if (line.startsWith("```")) isCode = !isCode;
    if (isCode || index < 2) continue;
    const count = terms.filter((term) => line.includes(term)).length;
    if (count > most) [most, at] = [count, index];
  }
  const best = at < 0 ? opening : withoutMarks(text.split("\n")[at] ?? "");
  const plain = folded(best); // hardly shorter: what stands where is near enough
  const first = Math.min(...terms.map((term) => plain.indexOf(term)).filter((place) => place >= 0));
  const from =
    best.length <= LONGEST || !Number.isFinite(first)
      ? 0
      : best.lastIndexOf(" ", Math.max(0, first - 60)) + 1;
  const cut = best.slice(from, from + LONGEST);
  return `${from > 0 ? "… " : ""}${cut}${from + LONGEST < best.length ? " …" : ""}`;
}

/** A line of Markdown as it is read. */
function withoutMarks(line: string): string {
  return line
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*|]|\b_|_\b|^#+ |^- |-{3,}/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
