import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "../../systemd");

/** Words that a search leaves out, between blanks. */
export const COMMON = "handbook/common-words.txt";

/** Every language that pages are written in, English first: a further one is a folder. */
export function writtenLanguages(): string[] {
  const folders = readdirSync(join(folder, "handbook")).filter((name) => /^[a-z]{2,3}$/.test(name));
  return ["en", ...folders.sort()];
}

/**
 * The handbook in a language as it stands in the checkout, by path as its index has it, which English alone has. The executable carries
 * them (scripts/pack.ts).
 */
export function handbookFiles(language = "en"): Record<string, string> {
  const own = language === "en" ? "handbook" : `handbook/${language}`;
  const paths = readdirSync(join(folder, own), { recursive: true, encoding: "utf8" })
    .filter((path) => /^(?:[\w-]{4,}\/[\w-]+\.md|common-words\.txt)$/.test(path))
    .map((path): [path: string, file: string] => [`handbook/${path}`, `${own}/${path}`]);
  if (language === "en") paths.push(["README.md", "README.md"]);
  return Object.fromEntries(
    paths.sort().map(([path, file]) => [path, bare(readFileSync(join(folder, file), "utf8"))]),
  );
}

/** The folder of pictures beside the pages of the language, which show its own words. */
const picturesFolder = (language: string) =>
  join(folder, "handbook", language === "en" ? "" : language, "pictures");

export function pictureNames(language = "en"): string[] {
  const own = picturesFolder(language);
  return existsSync(own) ? readdirSync(own).sort() : [];
}

/** A WebP of the console that a page shows, in English where the language has none; the executable carries it beside the texts, as it is. */
export function readPicture(name: string, language = "en"): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[a-z-]+\.webp$/.test(name) || !/^[a-z]{2,3}$/.test(language)) return undefined;
  const file = Bun.isStandaloneExecutable
    ? `/$bunfs/root/${packedPicture(name, language)}`
    : join(picturesFolder(language), name);
  try {
    return readFileSync(file);
  } catch {
    return language === "en" ? undefined : readPicture(name);
  }
}

export const packedPicture = (name: string, language: string) => `${language}-${name}`;

/** The text without what the formatter pads tables with: half of all bytes. */
const bare = (text: string) =>
  text.replaceAll(/^\|.*/gm, (row) => row.replaceAll(/ +/g, " ").replaceAll(/-{4,}/g, "---"));
