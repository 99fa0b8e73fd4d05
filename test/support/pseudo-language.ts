import { addConsoleLanguage, type LanguageName } from "../../src/http/words/languages.ts";
import { type Compiled, type Part, readCompiled, type Said } from "../../src/http/words/messages.ts";

const longer = (text: string) => text.replaceAll(/[aeiou]/g, (vowel) => vowel + vowel);

function saidLonger(said: Said): Said {
  if (typeof said === "string") return longer(said);
  return said.map((part): Part => {
    if (typeof part === "string") return longer(part);
    if (typeof part === "number" || part.length === 1) return part;
    const cases = Object.entries(part[2]).map(([name, each]) => [name, saidLonger(each)]);
    return [part[0], part[1], Object.fromEntries(cases)];
  });
}

/** English with every vowel twice, which is about 40 % longer, from right to left: what does not bear it bears no other language. */
export const pseudo: LanguageName = { tag: "qps", name: "Eengliish", dir: "rtl" };

export function offerPseudoLanguage(): void {
  const chapters = Object.entries(readCompiled("en")).map(([chapter, messages]) => {
    const all = Object.entries(messages).map(([key, said]) => [key, saidLonger(said)]);
    // units are read by what they are typed as
    return [chapter, chapter === "durations" ? messages : Object.fromEntries(all)];
  });
  addConsoleLanguage(pseudo, Object.fromEntries(chapters) as Compiled);
}
