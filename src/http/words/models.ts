import { wordsFile } from "./messages.ts";
import type { Model } from "./parse.ts";

export type Models = Readonly<Record<string, Readonly<Record<string, Model>>>>;

let read: Models | undefined;

/** What English says of each message, by chapter and key. */
export const readModels = (): Models => (read ??= wordsFile("models") as Models);

/** The page of an access box is for who set it up, in English. */
export const isTranslated = (chapter: string) => chapter !== "box";

/** `card-making` of `cardMaking`, as its file is called. */
export const chapterFile = (chapter: string) =>
  `${chapter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`;

/** The chapters by the names of their files. */
export const chapterFiles = (): ReadonlyMap<string, string> =>
  new Map(Object.keys(readModels()).map((chapter) => [chapterFile(chapter), chapter]));
