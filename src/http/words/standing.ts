import { counts } from "./compiled/messages.ts";
import { findLanguage, type LanguageName, languages } from "./languages.ts";
import { type Compiled, readCompiled } from "./messages.ts";
import { ownWords } from "./own.ts";

/** How complete a language is. */
export interface LanguageStanding {
  readonly language: LanguageName;
  readonly messages: number;
  readonly translated: number;
  /** Words of the data folder that are used, and that are not. */
  readonly own: number;
  readonly faults: number;
}

export function standings(): LanguageStanding[] {
  const { messages, faults } = ownWords();
  const all = counts["en"] ?? 0;
  const further = [...messages.keys()].flatMap((tag) => findLanguage(tag) ?? []);
  return [...languages, ...further.filter((one) => !languages.includes(one))].map((language) => {
    const { tag } = language;
    const isForLanguage = (place: string) => `/${place}/`.includes(`/${tag}/`);
    const own = [...messages].flatMap(([place, chapters]) => (isForLanguage(place) ? [chapters] : []));
    const forAll = messages.get(tag);
    const added = forAll ? countIn([forAll]) - countIn([alsoIn(readCompiled(tag), forAll)]) : 0;
    return {
      language,
      messages: all,
      translated: (counts[tag] ?? 0) + added,
      own: countIn(own),
      faults: faults.filter(({ file }) => isForLanguage(file)).length,
    };
  });
}

export const countIn = (all: readonly Compiled[]) =>
  all
    .flatMap((chapters) => Object.values(chapters))
    .reduce((sum, messages) => sum + Object.keys(messages).length, 0);

/** Those messages of `built` that the other has too. */
function alsoIn(built: Compiled, own: Compiled): Compiled {
  const both = Object.entries(built).map(([chapter, messages]) => {
    const kept = Object.entries(messages).filter(([key]) => Object.hasOwn(own[chapter] ?? {}, key));
    return [chapter, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(both);
}
