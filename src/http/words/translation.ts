import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findLanguage } from "./languages.ts";
import { readCompiled, type Compiled, type Said } from "./messages.ts";
import { chapterFile, chapterFiles, isTranslated, readModels } from "./models.ts";
import { readChapter } from "./own-files.ts";
import type { OwnFault, OwnWords } from "./own.ts";

/** The text of a message in pieces, as a file of words has it. */
export function messageText(said: Said, names: readonly string[], counted?: number): string {
  if (typeof said === "string") return said;
  const texts = said.map((part) => {
    if (typeof part === "string") return part;
    if (typeof part === "number") return `{${names[part]}}`;
    if (part.length === 1) return part[0] === counted ? "#" : `{${names[part[0]]}, number}`;
    const [at, by, cases] = part;
    const kind = { cardinal: "plural", ordinal: "selectordinal", select: "select" }[by];
    const within = by === "select" ? counted : at;
    const written = Object.entries(cases).map(
      ([name, each]) => `${name} {${messageText(each, names, within)}}`,
    );
    return `{${names[at]}, ${kind}, ${written.join(" ")}}`;
  });
  return texts.join("");
}

/** All that a translator needs of a message. */
interface ToTranslate {
  readonly defaultMessage: string;
  readonly description?: string;
  readonly arguments?: readonly string[];
  readonly max?: number;
  /** So far; empty: none. */
  readonly translation: string;
}

/** The files of a language, with what the data folder says of it in place of the program's. */
export function toTranslate(
  tag: string,
  { messages }: OwnWords,
): Readonly<Record<string, Readonly<Record<string, ToTranslate>>>> {
  const own = messages.get(tag) ?? {};
  const built: Compiled = tag === "en" ? {} : readCompiled(tag); // of English only own words differ from what is given
  const files = Object.entries(readModels())
    .filter(([chapter]) => isTranslated(chapter))
    .map(([chapter, models]) => {
      const entries = Object.entries(models).map(([key, { arguments: given = {}, description, max }]) => {
        const names = Object.keys(given);
        const text = (said: Said | undefined) => (said === undefined ? "" : messageText(said, names));
        const entry: ToTranslate = {
          defaultMessage: text(readCompiled("en")[chapter]?.[key]),
          ...(description !== undefined && { description }),
          ...(names.length > 0 && { arguments: names }),
          ...(max !== undefined && { max }),
          translation: text(own[chapter]?.[key] ?? built[chapter]?.[key]),
        };
        return [key, entry] as const;
      });
      return [chapterFile(chapter), Object.fromEntries(entries)] as const;
    });
  return Object.fromEntries(files);
}

export interface Checked {
  readonly messages: number;
  readonly faults: readonly OwnFault[];
  /** Keys that neither the file nor the program has in this language. */
  readonly missing: readonly string[];
}

/** A file of words, `.../<language>/<chapter>.json`, told as `file`. */
export function checkFile(path: string, file: string): Checked {
  const [tag, name] = [basename(dirname(path)), basename(path)];
  const chapter = chapterFiles().get(name);
  const fault = (kind: OwnFault["kind"], about: string): Checked => ({
    messages: 0,
    faults: [{ file, key: "", kind, about }],
    missing: [],
  });
  if (!findLanguage(tag)) return fault("folder", tag);
  if (chapter === undefined) return fault("chapter", name);
  const faults: OwnFault[] = [];
  const said = readChapter(path, { file, chapter }, faults);
  const built = readCompiled(tag)[chapter] ?? {};
  const wrong = new Set(faults.map(({ key }) => key));
  const missing = Object.keys(readModels()[chapter] ?? {}).filter(
    (key) => said[key] === undefined && built[key] === undefined && !wrong.has(key),
  );
  return { messages: Object.keys(said).length, faults, missing };
}

/** The files of own words in a folder of them. */
export function ownFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(folder, name));
}
