import { expect, test } from "bun:test";
import { kinds, type Page, pages } from "../../src/handbook/pages.ts";
import { handbookFiles, pictureNames, readPicture, writtenLanguages } from "../../src/handbook/files.ts";

test("each page is in the index once, under its own title, among its kind", () => {
  const { "README.md": index = "", "handbook/common-words.txt": _, ...files } = handbookFiles();
  expect(
    pages()
      .map(({ kind, slug }) => `handbook/${kind}/${slug}.md`)
      .sort(),
  ).toEqual(Object.keys(files).sort());
  const named = [...index.matchAll(/^- \[(.+)\]\(/gm)].map(([, title]) => title);
  expect(named).toEqual(pages().map(({ title }) => title));
  for (const [kind, title] of Object.entries(kinds)) {
    const section = index.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? "";
    const slugs = [...section.matchAll(/^- .+\/(.+)\.md\)$/gm)].map(([, slug]) => slug);
    expect(slugs).toEqual(
      pages()
        .filter((page) => page.kind === kind)
        .map(({ slug }) => slug),
    );
  }
  expect(new Set(pages().map(({ slug }) => slug)).size).toBe(pages().length);
});

/** Who it is for, and what one has at its end. */
const openings: Readonly<Record<string, RegExp>> = {
  en: /^For .+\. (At the end|In ten minutes) .+\.$/,
  es: /^Para .+\. (Al final|En diez minutos) .+\.$/,
  ar: /^ل.+\. (في النهاية|خلال عشر دقائق) .+\.$/,
};

/** Written by the program, as long as what it lists. */
const isMade = ({ kind, slug }: Page) =>
  kind === "reference" &&
  /^(?:commands-\w+|environment|events|findings|metrics|permissions|reasons|settings)$/.test(slug);

test.each(writtenLanguages())(
  "in %s each page begins with who it is for and what one has at its end, and is read at one go",
  (language) => {
    const own = pages(language).filter((page) => page.language === language);
    const unlike = own.filter(({ opening }) => !openings[language]?.test(opening));
    expect(unlike.map(({ slug, opening }) => `${slug}: ${opening}`)).toEqual([]);
    const long = own.filter((page) => !isMade(page) && page.text.length > 6000);
    expect(long.map(({ slug, text }) => `${slug}: ${text.length}`)).toEqual([]);
  },
);

test.each(writtenLanguages())("in %s no sentence strings more than two together", (language) => {
  const long = pages(language).flatMap(({ slug, kind, text, language: own }) =>
    own !== language || kind === "reference"
      ? []
      : text
          .replaceAll(/^```[^]*?^```$|^\|.*/gm, "")
          .split(/(?<=[.!?؟])\s+|\n/)
          .filter((sentence) => [...sentence.matchAll(/[;؛] /g)].length > 1)
          .map((sentence) => `${slug}: ${sentence}`),
  );
  expect(long).toEqual([]);
});

test("links of pages lead to pages of the handbook or out of it, so that each can be served", () => {
  const elsewhere = pages().flatMap(({ slug, text }) =>
    [...text.matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) =>
      /^https:|^(\.\.\/(first-steps|tasks|explanations|reference)\/)?[\w-]+\.md$/.test(target)
        ? []
        : [{ slug, target }],
    ),
  );
  expect(elsewhere).toEqual([]);
});

test.each(writtenLanguages())(
  "in %s each picture is there, is said in words, and is shown by a page",
  (language) => {
    const shown = pages(language).flatMap((page) =>
      page.language === language
        ? [...page.text.matchAll(/^!\[(.+)\]\(\.\.\/pictures\/(.+)\)$/gm)].map(
            ([, words = "", name = ""]) => ({ words, name }),
          )
        : [],
    );
    expect(shown.map(({ name }) => name).sort()).toEqual(pictureNames(language));
    for (const { words, name } of shown) {
      expect(words.length).toBeGreaterThan(20);
      expect(Buffer.from(readPicture(name, language) ?? "").toString("latin1", 8, 12)).toBe("WEBP");
    }
    for (const name of ["../../README.md", "none.webp", "..", ""])
      expect(readPicture(name, language)).toBeUndefined();
    expect(readPicture("take-payment.webp", "../es")).toBeUndefined();
  },
);
