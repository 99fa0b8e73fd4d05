import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findLanguage } from "./languages.ts";
import { type Compiled, readCompiled, type Said } from "./messages.ts";
import { chapterFiles, isTranslated, readModels } from "./models.ts";
import type { OwnFault, OwnWords } from "./own.ts";
import { fitted, MessageFault } from "./parse.ts";

type Chapter = Record<string, Said>;

/** Own words as the folder has them: `es/card.json` for all of the appliance, `3/es/card.json` for an ISP. What has a fault is left out. */
export function readOwnWords(folder: string): OwnWords {
  const faults: OwnFault[] = [];
  const messages = new Map<string, Compiled>();
  for (const place of placesIn(folder, faults)) {
    const chapters: Record<string, Chapter> = {};
    for (const name of jsonIn(folder, place, faults)) {
      const chapter = chapterFiles().get(name);
      const file = `${place}/${name}`;
      if (chapter === undefined) faults.push({ file, key: "", kind: "chapter", about: name });
      else {
        const said = readChapter(join(folder, file), { file, chapter }, faults);
        chapters[chapter] = withoutBuilt(said, readCompiled(basename(place))[chapter]);
      }
    }
    messages.set(place, chapters);
  }
  const needed = Object.keys(readModels()).filter(isTranslated);
  const further = [...messages.keys()].filter(
    (place) => !place.includes("/") && needed.every((chapter) => messages.get(place)?.[chapter]),
  );
  return { messages, faults, further };
}

/** What is as it was is no own word: a file as it is exported has all. */
function withoutBuilt(said: Chapter, built: Chapter = {}): Chapter {
  const isOwn = ([key, one]: [string, Said]) => JSON.stringify(one) !== JSON.stringify(built[key]);
  return Object.fromEntries(Object.entries(said).filter(isOwn));
}

const isKnown = (tag: string) => findLanguage(tag) !== undefined;

/** Folders of languages, and of languages of an ISP. */
function placesIn(folder: string, faults: OwnFault[]): string[] {
  return foldersIn(folder, "", faults).flatMap((name) => {
    if (isKnown(name)) return [name];
    const isIsp = /^[1-9]\d{0,8}$/.test(name);
    if (!isIsp) faults.push({ file: name, key: "", kind: "folder", about: name });
    const within = isIsp ? foldersIn(folder, name, faults) : [];
    for (const each of within)
      if (!isKnown(each)) faults.push({ file: `${name}/${each}`, key: "", kind: "folder", about: each });
    return within.filter(isKnown).map((tag) => `${name}/${tag}`);
  });
}

const foldersIn = (folder: string, place: string, faults: OwnFault[]) =>
  entriesIn(folder, place, faults)
    .filter((entry) => !entry.isFile() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
const jsonIn = (folder: string, place: string, faults: OwnFault[]) =>
  entriesIn(folder, place, faults)
    .map(({ name }) => name)
    .filter((name) => name.endsWith(".json"))
    .sort();

/** What cannot be read is a fault and no more: a start is not refused for a word. */
function entriesIn(folder: string, place: string, faults: OwnFault[]): Dirent[] {
  try {
    return readdirSync(join(folder, place), { withFileTypes: true });
  } catch (error) {
    faults.push({ file: place, key: "", kind: "unreadable", about: messageIn(error) });
    return [];
  }
}

const messageIn = (error: unknown) => (error instanceof Error ? error.message : "");

/** The messages of a file that fit; of the others, why not. */
export function readChapter(
  path: string,
  { file, chapter }: { readonly file: string; readonly chapter: string },
  faults: OwnFault[],
): Chapter {
  const models = readModels()[chapter] ?? {};
  const said: Chapter = {};
  for (const [key, entry] of Object.entries(readEntries(path, file, faults))) {
    const text = entryText(entry);
    const wrong = (kind: OwnFault["kind"], about: string) => faults.push({ file, key, kind, about });
    const model = Object.hasOwn(models, key) ? models[key] : undefined;
    if (text === "") continue; // not translated yet
    if (text === undefined) wrong("notText", key);
    else if (!model) wrong("key", key);
    else
      try {
        said[key] = fitted(text, model);
      } catch (error) {
        if (!(error instanceof MessageFault)) throw error;
        wrong(error.kind, error.about);
      }
  }
  return said;
}

/** A text, or what `gatehouse words export` writes, with its translation. */
function entryText(entry: unknown): string | undefined {
  const isWritten = typeof entry === "object" && entry !== null && "translation" in entry;
  const text = isWritten ? entry.translation : entry;
  return typeof text === "string" ? text : undefined;
}

function readEntries(path: string, file: string, faults: OwnFault[]): object {
  const wrong = (kind: OwnFault["kind"], error: unknown) => {
    faults.push({ file, key: "", kind, about: messageIn(error) });
    return {};
  };
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return wrong("unreadable", error);
  }
  try {
    const entries: unknown = JSON.parse(text);
    if (typeof entries === "object" && entries !== null && !Array.isArray(entries)) return entries;
    return wrong("notJson", undefined);
  } catch (error) {
    return wrong("notJson", error);
  }
}
