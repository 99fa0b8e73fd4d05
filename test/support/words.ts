import { consoleWords } from "../../src/http/words/console.ts";
import { languages } from "../../src/http/words/languages.ts";

/** The console's, in English. */
export const en = consoleWords(languages[0]);
