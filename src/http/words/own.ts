import { existsSync } from "node:fs";
import { join } from "node:path";
import { useOwnWords } from "./languages.ts";
import type { OwnMessages } from "./messages.ts";
import type { TextFault } from "./parse.ts";

/** A file of own words, or one of its messages, that is not used. */
export interface OwnFault {
  /** Below the folder of own words. */
  readonly file: string;
  /** Of the message; empty: the file as a whole. */
  readonly key: string;
  readonly kind: TextFault | "chapter" | "folder" | "key" | "notJson" | "notText" | "unreadable";
  readonly about: string;
}

export interface OwnWords {
  readonly messages: OwnMessages;
  readonly faults: readonly OwnFault[];
  /** Languages that have every chapter of the console. */
  readonly further: readonly string[];
}

const none: OwnWords = { messages: new Map(), faults: [], further: [] };
let taken = none;

/** As they were last read. */
export const ownWords = (): OwnWords => taken;

export const wordsFolder = (dataFolder: string) => join(dataFolder, "words");

/** Reads the own words of the data folder anew. What parses them is loaded where there is such a folder alone. */
export async function takeOwnWords(dataFolder: string): Promise<OwnWords> {
  const folder = wordsFolder(dataFolder);
  taken = existsSync(folder) ? (await import("./own-files.ts")).readOwnWords(folder) : none;
  useOwnWords(taken.messages, taken.further);
  return taken;
}
