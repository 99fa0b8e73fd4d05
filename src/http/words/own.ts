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

/** What the data folder has of them. What parses them is loaded where there are some alone. */
export async function findOwnWords(dataFolder: string): Promise<OwnWords> {
  const folder = wordsFolder(dataFolder);
  return existsSync(folder) ? (await import("./own-files.ts")).readOwnWords(folder) : none;
}

/** Has pages say them, and no others any more. */
export async function takeOwnWords(dataFolder: string): Promise<OwnWords> {
  taken = await findOwnWords(dataFolder);
  useOwnWords(taken.messages, taken.further);
  return taken;
}
