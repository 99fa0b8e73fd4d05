import MiniSearch from "minisearch";
import { type Page, pages } from "./pages.ts";

export interface Found {
  readonly page: Page;
  /** The line of the page that has most of what was looked for, without Markdown. */
  readonly excerpt: string;
}

const small = new Set(
  "a an and are at by can do does for from has have how i if in is it my of on or that the to was what when where who why with".split(
    " ",
  ),
);

const search = new MiniSearch<Page>({
  idField: "slug",
  fields: ["title", "opening", "text"],
  tokenize: (text) => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))],
  processTerm: (term) => (small.has(term) ? null : term),
  searchOptions: {
    boost: { title: 6, opening: 2 },
    prefix: true,
    fuzzy: (term) => (term.length < 4 ? false : term.length < 6 ? 1 : 2),
  },
});

let isRead: Promise<void> | undefined;

/** Reads all pages once, a few at a time, so that nobody else waits for it. */
export function readAll(): Promise<void> {
  return (isRead ??= search.addAllAsync(pages(), { chunkSize: 1 }));
}

const MOST = 20;

/** The best pages with all of the words, else with some of them; typing mistakes are forgiven. */
export async function findPages(words: string): Promise<Found[]> {
  await readAll();
  const whole = search.search(words, { combineWith: "AND" });
  const found = whole.length > 0 ? whole : search.search(words);
  return found.slice(0, MOST).flatMap(({ id, terms }) => {
    const page = pages().find(({ slug }) => slug === id);
    return page ? [{ page, excerpt: excerptOf(page, terms) }] : [];
  });
}

const LONGEST = 180;

function excerptOf({ text, opening }: Page, terms: readonly string[]): string {
  const [, , ...lines] = text
    .replaceAll(/^```[^]*?^```$/gm, "")
    .split("\n")
    .map(withoutMarks);
  const countIn = (line: string) => terms.filter((term) => line.toLowerCase().includes(term)).length;
  const best = lines.reduce((one, other) => (countIn(other) > countIn(one) ? other : one), opening);
  const first = Math.min(...terms.map((term) => best.toLowerCase().indexOf(term)).filter((at) => at >= 0));
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
