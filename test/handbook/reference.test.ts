import { expect, test } from "bun:test";
import { bare, referencePages, translatedPages } from "../../scripts/handbook.ts";
import { handbookFiles } from "../../src/handbook/files.ts";
import { pages } from "../../src/handbook/pages.ts";

const made = await referencePages();

test.each(Object.entries(made))(
  "%s says what the program does; if not: scripts/bun scripts/handbook.ts",
  (slug, text) => {
    const page = pages().find((one) => one.slug === slug);
    expect(bare(page?.text ?? "")).toBe(bare(text));
  },
);

test.each(Object.entries(translatedPages()))(
  "%s says so in its language; if not: scripts/bun scripts/handbook.ts",
  (path, text) => {
    const [language, page] = path.split(/\/(.*)/);
    expect(bare(handbookFiles(language)[`handbook/${page}.md`] ?? "")).toBe(bare(text));
  },
);

test("what somebody wrote is read in a few minutes", () => {
  const long = pages().filter(({ slug, text }) => !(slug in made) && Buffer.byteLength(bare(text)) > 6_000);
  expect(long.map(({ slug }) => slug)).toEqual([]);
});
